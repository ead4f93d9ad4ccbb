package study

import (
	"io"
	"math"

	"veilpath/internal/table"
)

// Metric is a quantity of a flight, as a column of tables of runs. Files of flights contain their epsilon, run
// and metrics, in the order of Metrics. The table is in this package because a Tally also summarises flights
// that are never written.
type Metric struct {
	table.Column[Run]
	Watched bool // it depends on the observer, not only on the flight
	Label   bool // its numbers are labels, which have no meaningful mean
}

// Metrics returns the metrics of a flight. To add one, add a field to Run and a row here: runs.parquet and
// its documentation follow.
func Metrics() []Metric {
	return []Metric{
		watched(numberMetric("detection_km", "km", "distance to the target where the flight is recognised, 0 if it never is",
			func(r *Run) *float64 { return &r.DetectionKm })),
		watched(truthMetric("detected", "whether the observer ever recognised the target",
			func(r *Run) *bool { return &r.Detected })),
		watched(truthMetric("detected_before_handover", "whether that was while waypoints were commanded",
			func(r *Run) *bool { return &r.BeforeHandover })),
		numberMetric("handover_km", "km", "distance to the target where privacy was disabled; none where the time "+
			"limit came first", func(r *Run) *float64 { return &r.HandoverKm }),
		numberMetric("heading_error_deg", "deg", "angle there between velocity and line of sight; none where the "+
			"time limit came first", func(r *Run) *float64 { return &r.HeadingErrorDeg }),
		wholeMetric("transitions", "1", "waypoint transitions", func(r *Run) *int { return &r.Transitions }),
		truthMetric("fallback", "whether the flight fell back: the limit of transitions ended its waypoints",
			func(r *Run) *bool { return &r.Fallback }),
		truthMetric("timed_out", "whether the time limit ended the flight",
			func(r *Run) *bool { return &r.TimedOut }),
		numberMetric("cost_of_privacy", "1", "relative loss of value at the start",
			func(r *Run) *float64 { return &r.CostOfPrivacy }),
		numberMetric("flight_time_s", "s", "duration of the flight", func(r *Run) *float64 { return &r.FlightTimeS }),
		numberMetric("path_overhead", "1", "detour: duration over that of the planned flight, less 1; the "+
			"same of the lengths of their paths, since the speed is constant; none where the time limit ended one of "+
			"them", func(r *Run) *float64 { return &r.PathOverhead }),
		numberMetric("direct_overhead", "1", "duration of the flight over that of the direct flight, less 1; none "+
			"where the time limit ended one of them", func(r *Run) *float64 { return &r.DirectOverhead }),
		watched(numberMetric("planned_km", "km", "detection distance of the run's planned flight, which has no noise",
			func(r *Run) *float64 { return &r.PlannedKm })),
		watched(numberMetric("handover_only_km", "km", "detection distance of a flight level towards the target "+
			"up to the hand-over, without waypoints or noise; none where it crosses a cell that is kept out of before the "+
			"hand-over",
			func(r *Run) *float64 { return &r.HandoverOnlyKm })),
		watched(numberMetric("direct_km", "km", "detection distance of the direct flight, without hand-over, "+
			"waypoints or noise; none where it crosses a cell that is kept out of",
			func(r *Run) *float64 { return &r.DirectKm })),
		numberMetric("last_deceptive_km", "km", "distance to the target at the last waypoint from which a bogus goal was "+
			"at least as likely as the true one, by the cost of the paths to both; none where the grid has no cell for one",
			func(r *Run) *float64 { return &r.LastDeceptiveKm }),
		label(wholeMetric("goal", "1", "number of the goal that the flight ends at: 1 is target_km, 2 the first "+
			"of planner.goals",
			func(r *Run) *int { return &r.Goal })),
		truthMetric("other_goal", "whether the planned flight ends at another goal",
			func(r *Run) *bool { return &r.OtherGoal }),
	}
}

// numberMetric is a metric that is a number; at locates it in a run.
func numberMetric(name, unit, meaning string, at func(*Run) *float64) Metric {
	return Metric{Column: table.Column[Run]{Name: name, Unit: unit, Meaning: meaning,
		Value: func(r *Run) float64 { return *at(r) }, Set: func(r *Run, x float64) { *at(r) = x }}}
}

// wholeMetric is a metric that is a 32-bit integer.
func wholeMetric(name, unit, meaning string, at func(*Run) *int) Metric {
	return Metric{Column: table.Column[Run]{Name: name, Unit: unit, Meaning: meaning, Whole: true, Short: true,
		Value: func(r *Run) float64 { return float64(*at(r)) }, Set: func(r *Run, x float64) { *at(r) = int(x) }}}
}

// truthMetric is a metric that is a boolean.
func truthMetric(name, meaning string, at func(*Run) *bool) Metric {
	return Metric{Column: table.Column[Run]{Name: name, Meaning: meaning, Truth: true,
		Value: func(r *Run) float64 { return float64(count(*at(r))) }, Set: func(r *Run, x float64) { *at(r) = x != 0 }}}
}

// watched returns the metric marked as depending on the observer.
func watched(m Metric) Metric {
	m.Watched = true
	return m
}

// label returns the metric marked as a label.
func label(m Metric) Metric {
	m.Label = true
	return m
}

// EpsilonColumn returns the epsilon of a run as a column.
func EpsilonColumn() table.Column[Run] {
	c := numberMetric("epsilon", "1", "strength of privacy; infinity for the plan without noise",
		func(r *Run) *float64 { return &r.Epsilon }).Column
	c.None, c.Repeats = "none", true
	return c
}

// RunColumn returns the number of a run as a column.
func RunColumn() table.Column[Run] {
	c := wholeMetric("run", "1", "number of the run, which determines its noise",
		func(r *Run) *int { return &r.Run }).Column
	c.Short, c.Follows = false, true
	return c
}

// WriteRuns writes flights as CSV with the columns of runs.parquet: epsilon, run and the metrics.
func WriteRuns(w io.Writer, runs []Run) error {
	columns := []table.Column[Run]{EpsilonColumn(), RunColumn()}
	for _, m := range Metrics() {
		columns = append(columns, m.Column)
	}
	return table.WriteCSV(w, columns, runs)
}

// Same reports whether two records are equal; NaN equals NaN.
func (r Run) Same(other Run) bool {
	for i := range metrics {
		if m := &metrics[i]; math.IsNaN(m.Value(&r)) && math.IsNaN(m.Value(&other)) {
			m.Set(&r, 0)
			m.Set(&other, 0)
		}
	}
	return r == other
}

// metrics is the result of Metrics.
var metrics = Metrics()

// Statistic is a number that summarises the flights of an epsilon, as a column of tables of summaries.
type Statistic struct {
	table.Column[Summary]
	Of func(*Summary) *float64 // location in a summary

	// The statistic is the mean of value over the flights for which where holds, or over all; NaN excludes a
	// flight. value is nil for statistics of the distribution of the detection distance.
	value func(*Run) float64
	where func(*Run) bool

	quantile float64 // of the detection distance, 0 if it is none

	share   bool // a fraction of flights, from 0 to 1
	noNoise bool // of flights without noise, which are the same in every run unless something else is drawn
}

// Statistics returns the numbers of a summary, after its epsilon, sigma and number of runs. To add one, add a
// field to Summary and a row here: summary.csv, JSON, the printed table, its help and the documentation follow.
func Statistics() []Statistic {
	detection := func(r *Run) float64 { return r.DetectionKm }
	return []Statistic{
		distance("mean_km", "mean detection distance", func(s *Summary) *float64 { return &s.MeanKm }).under("mean km"),
		distance("ci_low_km", "lower end of its 95 % interval", func(s *Summary) *float64 { return &s.CILowKm }).
			upTo(func(s *Summary) float64 { return s.CIHighKm }, "95 % interval", "of that mean"),
		distance("ci_high_km", "upper end of its 95 % interval", func(s *Summary) *float64 { return &s.CIHighKm }),
		quantile(0.5, "median_km", "median detection distance", func(s *Summary) *float64 { return &s.MedianKm }).
			under("median"),
		quantile(0.1, "p10_km", "10 % quantile of the detection distance", func(s *Summary) *float64 { return &s.P10Km }).
			upTo(func(s *Summary) float64 { return s.P90Km }, "10 % .. 90 %", "quantiles of the detection distance"),
		quantile(0.9, "p90_km", "90 % quantile of the detection distance", func(s *Summary) *float64 { return &s.P90Km }),
		shareOf("detected_before_handover", "share of flights recognised while waypoints were commanded",
			func(s *Summary) *float64 { return &s.DetectedBeforeHandover }, func(r *Run) bool { return r.BeforeHandover }).
			under("before hand-over"),
		shareOf("never_detected", "share of flights never recognised", func(s *Summary) *float64 { return &s.NeverDetected },
			func(r *Run) bool { return !r.Detected }).under("never"),
		shareOf("fallback", "share of flights that fell back: the limit of transitions ended their waypoints",
			func(s *Summary) *float64 { return &s.Fallback }, func(r *Run) bool { return r.Fallback }).under("fall-back"),
		ratio("cost_of_privacy", "mean cost of privacy: relative loss of value at the start",
			func(s *Summary) *float64 { return &s.CostOfPrivacy },
			func(r *Run) float64 { return r.CostOfPrivacy }).under("cost"),
		ratio("path_overhead", "mean detour: duration of a flight over that of the planned flight, less 1",
			func(s *Summary) *float64 { return &s.PathOverhead },
			func(r *Run) float64 { return r.PathOverhead }).under("detour"),
		distance("std_km", "standard deviation of the detection distance",
			func(s *Summary) *float64 { return &s.StdKm }),
		distance("mean_without_fallback_km", "mean detection distance of the flights that did not fall back, including "+
			"those that the time limit ended",
			func(s *Summary) *float64 { return &s.MeanWithoutFallbackKm }).under("no fall-back").
			mean(detection, func(r *Run) bool { return !r.Fallback }),
		shareOf("timed_out", "share of flights that the time limit ended", func(s *Summary) *float64 { return &s.TimedOut },
			func(r *Run) bool { return r.TimedOut }),
		distance("noise_km", "mean difference to the detection distance of the planned flight, run by run: what the noise "+
			"alone does; below 0 it hides the destination", func(s *Summary) *float64 { return &s.NoiseKm }).
			under("noise alone").mean(func(r *Run) float64 { return r.DetectionKm - r.PlannedKm }, nil),
		distance("noise_ci_low_km", "lower end of its 95 % interval", func(s *Summary) *float64 { return &s.NoiseLowKm }).
			upTo(func(s *Summary) float64 { return s.NoiseHighKm }, "95 % interval", "of that difference"),
		distance("noise_ci_high_km", "upper end of its 95 % interval",
			func(s *Summary) *float64 { return &s.NoiseHighKm }),
		baseline("planned_km", "detection distance of the planned flights, which have no noise",
			func(s *Summary) *float64 { return &s.PlannedKm }, func(r *Run) float64 { return r.PlannedKm }),
		baseline("handover_only_km", "detection distance of flights level towards the target up to the hand-over, without "+
			"waypoints or noise",
			func(s *Summary) *float64 { return &s.HandoverOnlyKm }, func(r *Run) float64 { return r.HandoverOnlyKm }),
		baseline("direct_km", "detection distance of direct flights, without hand-over, waypoints or noise",
			func(s *Summary) *float64 { return &s.DirectKm }, func(r *Run) float64 { return r.DirectKm }),
		ratio("direct_overhead", "mean duration of a flight over that of the direct flight, less 1",
			func(s *Summary) *float64 { return &s.DirectOverhead }, func(r *Run) float64 { return r.DirectOverhead }),
		distance("last_deceptive_km", "mean distance to the target at the last waypoint that deceives",
			func(s *Summary) *float64 { return &s.LastDeceptiveKm }).
			mean(func(r *Run) float64 { return r.LastDeceptiveKm }, nil),
		distance("mean_without_timeout_km", "mean detection distance of the flights that the time limit did not end",
			func(s *Summary) *float64 { return &s.MeanWithoutTimeoutKm }).
			mean(detection, func(r *Run) bool { return !r.TimedOut }),
		shareOf("other_goal", "share of flights that end at another goal than the planned flight",
			func(s *Summary) *float64 { return &s.OtherGoal }, func(r *Run) bool { return r.OtherGoal }),
		shareOf("flew_away", "share of flights that fell back while they flew away from the target",
			func(s *Summary) *float64 { return &s.FlewAway }, func(r *Run) bool { return r.FlewAway() }),
		distance("hidden_until_km", "distance for hidden_share: study.hidden_until_km or, by default, half of that at which "+
			"the direct flight is recognised, rounded", func(s *Summary) *float64 { return &s.HiddenUntilKm }),
		statisticOf("hidden_share", "1", "share of flights that stay hidden until hidden_until_km: they are recognised "+
			"there, nearer or never", "%.1p %%", func(s *Summary) *float64 { return &s.HiddenShare }),
	}
}

// statisticOf is a statistic; of locates it in a summary.
func statisticOf(name, unit, meaning, format string, of func(*Summary) *float64) Statistic {
	return Statistic{Of: of, Column: table.Column[Summary]{Name: name, Unit: unit, Meaning: meaning, Format: format,
		Value: func(s *Summary) float64 { return *of(s) }}}
}

// distance is a statistic in km.
func distance(name, meaning string, of func(*Summary) *float64) Statistic {
	return statisticOf(name, "km", meaning, "%.2f", of)
}

// quantile is a quantile of the detection distance.
func quantile(q float64, name, meaning string, of func(*Summary) *float64) Statistic {
	s := distance(name, meaning, of)
	s.quantile = q
	return s
}

// ratio is a mean that people read in percent.
func ratio(name, meaning string, of func(*Summary) *float64, value func(*Run) float64) Statistic {
	return statisticOf(name, "1", meaning, "%.1p %%", of).mean(value, nil)
}

// shareOf is the fraction of the flights for which holds is true.
func shareOf(name, meaning string, of func(*Summary) *float64, holds func(*Run) bool) Statistic {
	s := ratio(name, meaning, of, func(r *Run) float64 { return float64(count(holds(r))) })
	s.share = true
	return s
}

// baseline is the mean detection distance of a baseline, if all runs have it.
func baseline(name, meaning string, of func(*Summary) *float64, value func(*Run) float64) Statistic {
	s := distance(name, "mean "+meaning, of).mean(value, nil)
	s.noNoise = true
	return s
}

// mean returns the statistic as the mean of value over the flights for which where holds; where may be nil.
func (s Statistic) mean(value func(*Run) float64, where func(*Run) bool) Statistic {
	s.value, s.where = value, where
	return s
}

// under returns the statistic with a heading for people.
func (s Statistic) under(heading string) Statistic {
	s.Heading = heading
	return s
}

// upTo returns the statistic as the lower end of an interval for people.
func (s Statistic) upTo(end func(*Summary) float64, heading, explained string) Statistic {
	s.Heading, s.Explained, s.End, s.Beside, s.Format = heading, explained, end, true, "%.2f .. %.2f"
	return s
}

// mean accumulates the mean of a statistic.
type mean struct {
	sum     float64
	n       int
	first   float64
	varies  bool
	missing bool // some flight has no number
}

// add adds a flight.
func (m *mean) add(s *Statistic, r *Run) {
	if s.where != nil && !s.where(r) {
		return
	}
	x := s.value(r)
	m.missing = m.missing || math.IsNaN(x)
	if !math.IsNaN(x) {
		if m.n == 0 {
			m.first = x
		}
		m.varies = m.varies || x != m.first
		m.sum += x
		m.n++
	}
}

// value is NaN without flights. If all flights have the same number, it has no rounding error. A baseline of
// only some of the runs is not comparable with that of others, so a baseline that any run missing is NaN.
func (m *mean) value(s *Statistic) float64 {
	if s.noNoise && m.missing {
		return math.NaN()
	}
	if m.n > 0 && !m.varies {
		return m.first
	}
	return m.sum * (1 / float64(m.n))
}

// SummaryColumns returns the columns of summaries in order: the epsilon's columns and Statistics. Fractions are
// from 0 to 1; a flight never detected counts as 0 km.
func SummaryColumns() []table.Column[Summary] {
	columns := []table.Column[Summary]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for the plan without noise",
			Value: func(s *Summary) float64 { return s.Epsilon }, None: "none", Heading: "epsilon", Lead: true,
			Explained: "strength of privacy: the smaller, the more noise; none is the plan without noise"},
		{Name: "sigma", Unit: "1", Meaning: sigmaMeaning, Value: func(s *Summary) float64 { return s.Sigma },
			Heading: "sigma", Format: "%.4g"},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(s *Summary) float64 { return float64(s.Runs) },
			Whole: true},
	}
	for _, s := range Statistics() {
		columns = append(columns, s.Column)
	}
	return columns
}

// WriteSummaries writes summaries as CSV, with exact numbers. Values that a single run cannot give, such as the
// ends of a confidence interval, are empty.
func WriteSummaries(w io.Writer, summaries []Summary) error {
	return table.WriteCSV(w, SummaryColumns(), summaries)
}
