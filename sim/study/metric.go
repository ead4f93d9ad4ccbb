package study

import (
	"math"
	"slices"

	"veilpath/internal/table"
)

// Metric is a quantity of a flight, as a column of tables of runs. What stores flights stores their epsilon, run and
// metrics, in the order of Metrics. The table stands here and not with the files, because a Tally condenses flights by
// it that are never written.
type Metric struct {
	table.Column[Run]
	Watched bool // it depends on who watches, and not on the flight alone

	// where a run holds it, one of the three
	number func(*Run) *float64
	whole  func(*Run) *int
	truth  func(*Run) *bool
}

// Metrics returns the metrics of a flight. A new one is a field of Run and a row here: the journal,
// runs.parquet and its documentation follow.
func Metrics() []Metric {
	return []Metric{
		seen(numberMetric("detection_km", "km", "distance to the target at detection, 0 when never detected",
			func(r *Run) *float64 { return &r.DetectionKm })),
		seen(truthMetric("detected", "whether the observer ever recognised the target",
			func(r *Run) *bool { return &r.Detected })),
		seen(truthMetric("detected_before_handover", "whether it did while waypoints were commanded",
			func(r *Run) *bool { return &r.BeforeHandover })),
		numberMetric("handover_km", "km", "distance to the target where privacy was disabled; none where the time "+
			"limit came first", func(r *Run) *float64 { return &r.HandoverKm }),
		numberMetric("heading_error_deg", "deg", "angle there between velocity and line of sight; none where the "+
			"time limit came first", func(r *Run) *float64 { return &r.HeadingErrorDeg }),
		wholeMetric("transitions", "1", "waypoint transitions", func(r *Run) *int { return &r.Transitions }),
		truthMetric("fallback", "whether the limit of transitions ended the waypoints",
			func(r *Run) *bool { return &r.Fallback }),
		truthMetric("timed_out", "whether the time limit ended the flight",
			func(r *Run) *bool { return &r.TimedOut }),
		numberMetric("cost_of_privacy", "1", "relative loss of value at the start",
			func(r *Run) *float64 { return &r.CostOfPrivacy }),
		numberMetric("flight_time_s", "s", "duration of the flight", func(r *Run) *float64 { return &r.FlightTimeS }),
		numberMetric("path_overhead", "1", "duration of the flight over that of the planned flight, less 1; the "+
			"same of the lengths of their paths, since the speed is constant; none where the time limit ended one of "+
			"them", func(r *Run) *float64 { return &r.PathOverhead }),
		numberMetric("direct_overhead", "1", "duration of the flight over that of the direct flight, less 1; none "+
			"where the time limit ended one of them", func(r *Run) *float64 { return &r.DirectOverhead }),
		seen(numberMetric("planned_km", "km", "detection distance of the run's planned flight, which has no noise",
			func(r *Run) *float64 { return &r.PlannedKm })),
		seen(numberMetric("handover_only_km", "km", "detection distance of a flight straight on to the hand-over, "+
			"without waypoints or noise; none where it crosses a cell that is kept out of before the hand-over",
			func(r *Run) *float64 { return &r.HandoverOnlyKm })),
		seen(numberMetric("direct_km", "km", "detection distance of the direct flight, without hand-over, "+
			"waypoints or noise; none where it crosses a cell that is kept out of",
			func(r *Run) *float64 { return &r.DirectKm })),
	}
}

// numberMetric is a number that a run holds at a place.
func numberMetric(name, unit, meaning string, at func(*Run) *float64) Metric {
	return Metric{number: at, Column: table.Column[Run]{Name: name, Unit: unit, Meaning: meaning,
		Value: func(r *Run) float64 { return *at(r) }, Set: func(r *Run, x float64) { *at(r) = x }}}
}

// wholeMetric is a whole number of 32 bits.
func wholeMetric(name, unit, meaning string, at func(*Run) *int) Metric {
	return Metric{whole: at, Column: table.Column[Run]{Name: name, Unit: unit, Meaning: meaning, Whole: true, Short: true,
		Value: func(r *Run) float64 { return float64(*at(r)) }, Set: func(r *Run, x float64) { *at(r) = int(x) }}}
}

// truthMetric is a truth.
func truthMetric(name, meaning string, at func(*Run) *bool) Metric {
	return Metric{truth: at, Column: table.Column[Run]{Name: name, Meaning: meaning, Truth: true,
		Value: func(r *Run) float64 { return float64(count(*at(r))) }, Set: func(r *Run, x float64) { *at(r) = x != 0 }}}
}

// seen is a metric that depends on who watches.
func seen(m Metric) Metric {
	m.Watched = true
	return m
}

// Same reports whether two records are the same. Numbers that neither has are.
func (r Run) Same(other Run) bool {
	for i := range metrics {
		if m := &metrics[i]; math.IsNaN(m.Value(&r)) && math.IsNaN(m.Value(&other)) {
			m.Set(&r, 0)
			m.Set(&other, 0)
		}
	}
	return r == other
}

// metrics are Metrics.
var metrics = Metrics()

// Statistic is a number that condenses the flights of an epsilon, and where a Summary holds it.
type Statistic struct {
	Name, Unit, Meaning string
	Of                  func(*Summary) *float64

	// How people read it in a table: under that heading, with To where it begins an interval whose upper end that is, and
	// what the heading means where it is not Meaning. No heading leaves it out.
	Heading   string
	To        func(*Summary) *float64
	Explained string

	// The mean of this over the flights that have it, of those for which that holds or of all; nil for what the
	// distribution of the detection distance gives. A flight that does not have it gives NaN.
	value func(*Run) float64
	where func(*Run) bool

	quantile float64 // of the detection distance, 0 for what is none

	share bool // of flights, from 0 to 1
	alone bool // it is of flights without noise, which are the same in every run unless something else is drawn
}

// Statistics returns the numbers of a summary, after its epsilon, sigma and number of runs. A new one is a
// field of Summary and a row here: summary.csv, JSON, the table that is printed, its help and the documentation follow.
func Statistics() []Statistic {
	detection := func(r *Run) float64 { return r.DetectionKm }
	return []Statistic{
		{Name: "mean_km", Unit: "km", Heading: "mean km", Meaning: "mean detection distance",
			Of: func(s *Summary) *float64 { return &s.MeanKm }},
		{Name: "ci_low_km", Unit: "km", Heading: "95 % interval", Explained: "of that mean",
			Meaning: "lower end of its 95 % interval",
			Of:      func(s *Summary) *float64 { return &s.CILowKm }, To: func(s *Summary) *float64 { return &s.CIHighKm }},
		{Name: "ci_high_km", Unit: "km", Meaning: "upper end of its 95 % interval",
			Of: func(s *Summary) *float64 { return &s.CIHighKm }},
		{Name: "median_km", Unit: "km", Heading: "median", Meaning: "median detection distance",
			Of: func(s *Summary) *float64 { return &s.MedianKm }, quantile: 0.5},
		{Name: "p10_km", Unit: "km", Heading: "10 % .. 90 %", Explained: "quantiles of the detection distance",
			Meaning: "10 % quantile of the detection distance",
			Of:      func(s *Summary) *float64 { return &s.P10Km }, quantile: 0.1,
			To: func(s *Summary) *float64 { return &s.P90Km }},
		{Name: "p90_km", Unit: "km", Meaning: "90 % quantile of the detection distance",
			Of: func(s *Summary) *float64 { return &s.P90Km }, quantile: 0.9},
		{Name: "detected_before_handover", Unit: "1", Heading: "before hand-over",
			Meaning: "share of flights detected while waypoints were commanded",
			Of:      func(s *Summary) *float64 { return &s.DetectedBeforeHandover },
			value:   shareOf(func(r *Run) bool { return r.BeforeHandover }), share: true},
		{Name: "never_detected", Unit: "1", Heading: "never", Meaning: "share of flights never detected",
			Of:    func(s *Summary) *float64 { return &s.NeverDetected },
			value: shareOf(func(r *Run) bool { return !r.Detected }), share: true},
		{Name: "fallback", Unit: "1", Heading: "fall-back",
			Meaning: "share of flights that the limit of transitions took off their waypoints",
			Of:      func(s *Summary) *float64 { return &s.Fallback }, value: shareOf(func(r *Run) bool { return r.Fallback }),
			share: true},
		{Name: "cost_of_privacy", Unit: "1", Heading: "cost", Meaning: "mean relative loss of value at the start",
			Of:    func(s *Summary) *float64 { return &s.CostOfPrivacy },
			value: func(r *Run) float64 { return r.CostOfPrivacy }},
		{Name: "path_overhead", Unit: "1", Heading: "detour",
			Meaning: "mean duration of a flight over that of the planned flight, less 1",
			Of:      func(s *Summary) *float64 { return &s.PathOverhead },
			value:   func(r *Run) float64 { return r.PathOverhead }},
		{Name: "std_km", Unit: "km", Meaning: "standard deviation of the detection distance",
			Of: func(s *Summary) *float64 { return &s.StdKm }},
		{Name: "mean_without_fallback_km", Unit: "km", Heading: "no fall-back",
			Meaning: "mean detection distance of the flights that did not fall back",
			Of:      func(s *Summary) *float64 { return &s.MeanWithoutFallbackKm }, value: detection,
			where: func(r *Run) bool { return !r.Fallback }},
		{Name: "timed_out", Unit: "1", Meaning: "share of flights that the time limit ended",
			Of:    func(s *Summary) *float64 { return &s.TimedOut },
			value: shareOf(func(r *Run) bool { return r.TimedOut }), share: true},
		{Name: "noise_km", Unit: "km", Heading: "noise alone",
			Meaning: "mean difference to the detection distance of the planned flight, run by run: what the noise alone does; " +
				"below 0 it hides the destination",
			Of:    func(s *Summary) *float64 { return &s.NoiseKm },
			value: func(r *Run) float64 { return r.DetectionKm - r.PlannedKm }},
		{Name: "noise_ci_low_km", Unit: "km", Heading: "95 % interval", Explained: "of that difference",
			Meaning: "lower end of its 95 % interval",
			Of:      func(s *Summary) *float64 { return &s.NoiseLowKm },
			To:      func(s *Summary) *float64 { return &s.NoiseHighKm }},
		{Name: "noise_ci_high_km", Unit: "km", Meaning: "upper end of its 95 % interval",
			Of: func(s *Summary) *float64 { return &s.NoiseHighKm }},
		baseline("planned_km", "detection distance of the planned flights, which have no noise",
			func(s *Summary) *float64 { return &s.PlannedKm }, func(r *Run) float64 { return r.PlannedKm }),
		baseline("handover_only_km", "detection distance of flights straight on to the hand-over, without waypoints or noise",
			func(s *Summary) *float64 { return &s.HandoverOnlyKm }, func(r *Run) float64 { return r.HandoverOnlyKm }),
		baseline("direct_km", "detection distance of direct flights, without hand-over, waypoints or noise",
			func(s *Summary) *float64 { return &s.DirectKm }, func(r *Run) float64 { return r.DirectKm }),
		{Name: "direct_overhead", Unit: "1", Meaning: "mean duration of a flight over that of the direct flight, less 1",
			Of:    func(s *Summary) *float64 { return &s.DirectOverhead },
			value: func(r *Run) float64 { return r.DirectOverhead }},
	}
}

// baseline is the mean detection distance of a baseline, over the runs that have it.
func baseline(name, meaning string, of func(*Summary) *float64, value func(*Run) float64) Statistic {
	return Statistic{Name: name, Unit: "km", Meaning: "mean " + meaning, Of: of, value: value, alone: true}
}

// Estimated is a statistic that a surface tells with an interval, and where a cell holds it. People read those that
// have a heading, with the interval beside where that is Spanned.
type Estimated struct {
	Statistic
	In      func(*SurfaceCell) *Estimate
	Spanned bool
}

// Estimates returns the statistics of a surface's cells. A new one is a field of SurfaceCell and a row here: the
// columns of surface.parquet and of its CSV and, under its heading, of the table that is printed follow, with the unit
// and meaning that Statistics has for its name.
func Estimates() []Estimated {
	rows := []Estimated{
		{Statistic{Name: "mean_km", Heading: "mean km",
			Explained: "mean distance to the target where the destination was recognised; 0 where it never was"},
			func(c *SurfaceCell) *Estimate { return &c.Mean }, true},
		{Statistic{Name: "median_km", Heading: "median", Explained: "of that distance"},
			func(c *SurfaceCell) *Estimate { return &c.Median }, true},
		{Statistic{Name: "p10_km"}, func(c *SurfaceCell) *Estimate { return &c.P10 }, true},
		{Statistic{Name: "p90_km"}, func(c *SurfaceCell) *Estimate { return &c.P90 }, true},
		{Statistic{Name: "detected_before_handover", Heading: "before hand-over",
			Explained: "flights recognised while waypoints were still commanded"},
			func(c *SurfaceCell) *Estimate { return &c.BeforeHandover }, true},
		{Statistic{Name: "never_detected"}, func(c *SurfaceCell) *Estimate { return &c.NeverDetected }, true},
		{Statistic{Name: "cost_of_privacy", Heading: "cost",
			Explained: "mean cost of privacy: value lost at the start, as a share of the best there is"},
			func(c *SurfaceCell) *Estimate { return &c.CostOfPrivacy }, false},
		{Statistic{Name: "path_overhead", Heading: "detour",
			Explained: "how much longer a flight takes than the planned one, on average"},
			func(c *SurfaceCell) *Estimate { return &c.PathOverhead }, false},
		{Statistic{Name: "median_path_overhead", Unit: "1", Meaning: "median of the same"},
			func(c *SurfaceCell) *Estimate { return &c.MedianOverhead }, false},
		{Statistic{Name: "fallback"}, func(c *SurfaceCell) *Estimate { return &c.Fallback }, true},
	}
	all := Statistics()
	for i := range rows {
		if at := slices.IndexFunc(all, func(s Statistic) bool { return s.Name == rows[i].Name }); at >= 0 {
			rows[i].Unit, rows[i].Meaning = all[at].Unit, all[at].Meaning
		}
	}
	return rows
}

// shareOf is a truth as a number, whose mean is a share.
func shareOf(truth func(*Run) bool) func(*Run) float64 {
	return func(r *Run) float64 { return float64(count(truth(r))) }
}

// mean is a statistic's mean under way.
type mean struct {
	sum    float64
	n      int
	first  float64
	varies bool
}

// add counts a flight.
func (m *mean) add(s *Statistic, r *Run) {
	if s.where != nil && !s.where(r) {
		return
	}
	if x := s.value(r); !math.IsNaN(x) {
		if m.n == 0 {
			m.first = x
		}
		m.varies = m.varies || x != m.first
		m.sum += x
		m.n++
	}
}

// value is NaN without flights, and without the rounding of a sum where all have the same.
func (m *mean) value() float64 {
	if m.n > 0 && !m.varies {
		return m.first
	}
	return m.sum * (1 / float64(m.n))
}
