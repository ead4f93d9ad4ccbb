package campaign

import (
	"fmt"
	"math"

	"veilpath/planner/quantity"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// studyJSON is a study as JSON.
type studyJSON struct {
	NominalDetectionKm quantity.Maybe   `json:"nominal_detection_km"`
	Baselines          baselinesJSON    `json:"baselines"` // of the first point
	Delta              float64          `json:"delta"`
	Runs               int              `json:"runs"`
	Flights            int              `json:"flights"`
	Complete           bool             `json:"complete"`
	UntilKm            float64          `json:"until_km,omitempty"` // half-width asked for
	Unmet              *int             `json:"unmet,omitempty"`    // epsilons that are not known so well, over all points
	Summary            []map[string]any `json:"summary"`
	Sensitivity        []map[string]any `json:"sensitivity,omitempty"`
	NoSensitivity      string           `json:"no_sensitivity,omitempty"` // why a sweep has none
}

// baselinesJSON is the baselines of a mission as JSON: where each is recognised, km; null for one that is not given.
type baselinesJSON struct {
	Direct       quantity.Maybe `json:"direct_km"`
	HandoverOnly quantity.Maybe `json:"handover_only_km"`
	Planned      quantity.Maybe `json:"planned_km"`
}

// baselinesOf returns the baselines of the flights that a summary condenses.
func baselinesOf(s *study.Summary) baselinesJSON {
	return baselinesJSON{quantity.Maybe(s.DirectKm), quantity.Maybe(s.HandoverOnlyKm), quantity.Maybe(s.PlannedKm)}
}

// baselines returns those of the first point.
func (r *Result) baselines() baselinesJSON { return baselinesOf(&r.Summaries[0][0]) }

// JSON returns the study for package json: what it is of, a row for every epsilon of every point, and the sensitivities.
func (r *Result) JSON() any {
	out := studyJSON{
		NominalDetectionKm: r.baselines().Direct, Baselines: r.baselines(), Delta: r.Points[0].Experiment.Delta(),
		Runs: r.Runs(), Flights: r.Flights(), Complete: r.Complete, UntilKm: r.Manifest.UntilKm,
		Summary: summaryRows(r.Manifest.Sweep, r.Summaries), Sensitivity: sensitivityRows(r.Sensitivities),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.Manifest.Unmet
	}
	if r.Insensitive != nil {
		out.NoSensitivity = r.Insensitive.Error()
	}
	return out
}

func summaryRows(sweep []record.Swept, points [][]study.Summary) []map[string]any {
	rows := []map[string]any{}
	for point, summaries := range points {
		values := record.PointValues(sweep, point)
		for i := range summaries {
			row := map[string]any{}
			for k, v := range values {
				row[sweep[k].Key] = v
			}
			for _, c := range record.SummaryColumns() {
				row[c.Name] = c.JSON(c.Value(&summaries[i]))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// sensitivityRows is the indices as JSON.
func sensitivityRows(indices []study.Sensitivity) []map[string]any {
	var rows []map[string]any
	for _, s := range indices {
		rows = append(rows, map[string]any{
			"factor": s.Factor, "levels": s.Levels,
			"first": quantity.Maybe(s.First.Value), "first_ci_low": quantity.Maybe(s.First.Low), "first_ci_high": quantity.Maybe(s.First.High),
			"total": quantity.Maybe(s.Total.Value), "total_ci_low": quantity.Maybe(s.Total.Low), "total_ci_high": quantity.Maybe(s.Total.High),
		})
	}
	return rows
}

// demandJSON is a demand as JSON.
type demandJSON struct {
	Demand       string         `json:"demand"`
	Limit        float64        `json:"limit"`
	Met          quantity.Maybe `json:"met_epsilon"`      // up to which, or from which on, it is shown to be met
	NotMet       quantity.Maybe `json:"not_met_epsilon"`  // beyond which it is shown not to be
	Crossing     quantity.Maybe `json:"crossing_epsilon"` // where the mean is the limit, estimated
	CrossingLow  quantity.Maybe `json:"crossing_ci_low"`
	CrossingHigh quantity.Maybe `json:"crossing_ci_high"`
	Looks        []lookJSON     `json:"looks"`
}

// lookJSON is a look of the search.
type lookJSON struct {
	Runs   int            `json:"runs"`
	Low    float64        `json:"epsilon_low"` // of the range on which the last runs were flown
	High   float64        `json:"epsilon_high"`
	Met    quantity.Maybe `json:"met_epsilon"`
	NotMet quantity.Maybe `json:"not_met_epsilon"`
}

func demandOf(b *study.Border) demandJSON {
	d := demandJSON{
		Demand: b.Demand.Name, Limit: b.Demand.Limit, Met: quantity.Maybe(b.Met), NotMet: quantity.Maybe(b.NotMet),
		Crossing: quantity.Maybe(b.Crossing.Value), CrossingLow: quantity.Maybe(b.Crossing.Low), CrossingHigh: quantity.Maybe(b.Crossing.High),
	}
	for _, l := range b.Looks {
		d.Looks = append(d.Looks, lookJSON{l.Runs, l.Axis.Low, l.Axis.High, quantity.Maybe(l.Met), quantity.Maybe(l.NotMet)})
	}
	return d
}

// tuningJSON is a tuning as JSON.
type tuningJSON struct {
	Epsilon       quantity.Maybe              `json:"epsilon"` // null when none was asked for or found
	Met           bool                        `json:"met"`
	Delta         float64                     `json:"delta"`
	RadiusKm      float64                     `json:"radius_km"`
	HiddenUntilKm quantity.Maybe              `json:"hidden_until_km"`
	Quantile      quantity.Maybe              `json:"quantile"`
	MaxCost       quantity.Maybe              `json:"max_cost"`
	Confidence    float64                     `json:"confidence"`
	Crossing      quantity.Maybe              `json:"crossing_epsilon"` // of the first demand
	CrossingLow   quantity.Maybe              `json:"crossing_ci_low"`
	CrossingHigh  quantity.Maybe              `json:"crossing_ci_high"`
	Demands       []demandJSON                `json:"demands"`
	Chosen        map[string]quantity.Maybe   `json:"chosen,omitempty"` // what the flights of the search come to there
	Surface       []map[string]quantity.Maybe `json:"surface"`
	Pareto        []float64                   `json:"pareto_epsilons"`
}

// JSON returns the tuning for package json: the answer, the looks that led to it, and the surface.
func (t *Tuning) JSON() any {
	r, none := t.Requirement, quantity.Maybe(math.NaN())
	out := tuningJSON{
		Epsilon: quantity.Maybe(t.Chosen()), Met: !math.IsNaN(t.Chosen()), Delta: t.Survey.Experiment.Delta(), RadiusKm: t.Settings.Adversary.RadiusKm,
		HiddenUntilKm: quantity.Maybe(r.HiddenUntilKm), Quantile: quantity.Maybe(r.Quantile), MaxCost: quantity.Maybe(r.MaxCost), Confidence: r.Confidence,
		Crossing: none, CrossingLow: none, CrossingHigh: none, Demands: []demandJSON{},
	}
	for i := range t.Borders {
		out.Demands = append(out.Demands, demandOf(&t.Borders[i]))
	}
	if len(out.Demands) > 0 {
		out.Crossing, out.CrossingLow, out.CrossingHigh = out.Demands[0].Crossing, out.Demands[0].CrossingLow, out.Demands[0].CrossingHigh
	}
	if out.Met {
		out.Chosen = cellJSON(&t.There)
	}
	for _, row := range t.Cells {
		for k := range row {
			out.Surface = append(out.Surface, cellJSON(&row[k]))
		}
	}
	own := t.Own()
	for _, i := range study.Pareto(own) {
		out.Pareto = append(out.Pareto, own[i].Epsilon)
	}
	return out
}

func cellJSON(c *study.SurfaceCell) map[string]quantity.Maybe {
	cell := map[string]quantity.Maybe{}
	for _, column := range record.SurfaceColumns() {
		cell[column.Name] = quantity.Maybe(column.Value(c))
	}
	return cell
}

// Sentence says what was found.
func (t *Tuning) Sentence() string {
	r := t.Requirement
	what := fmt.Sprintf("keeps the mean detection distance at or below %g km from an observer of radius %g km", r.HiddenUntilKm, t.Settings.Adversary.RadiusKm)
	switch {
	case r.ofQuantile():
		what = fmt.Sprintf("keeps %g %% of the flights hidden until %g km from an observer of radius %g km", 100*r.Quantile, r.HiddenUntilKm, t.Settings.Adversary.RadiusKm)
	case !r.Hidden():
		what = fmt.Sprintf("costs at most %g %% of the value", 100*r.MaxCost)
	}
	epsilon, which := t.Chosen(), "largest"
	if !r.Hidden() {
		which = "smallest"
	}
	if len(t.Borders) > 1 {
		what += fmt.Sprintf(" and costs at most %g %% of the value", 100*r.MaxCost)
	}
	if math.IsNaN(epsilon) {
		return fmt.Sprintf("No epsilon from %g to %g is shown to be one that %s.", r.Low, r.High, what)
	}
	sure := fmt.Sprintf("(delta %g, %g %% confidence)", t.Survey.Experiment.Delta(), 100*r.Confidence)
	there := fmt.Sprintf("There the mean is %.2f km, 10 %% to 90 %% of the flights %.1f to %.1f km, and privacy costs %s.",
		t.There.Mean.Value, t.There.P10.Value, t.There.P90.Value, fmt.Sprintf("%.1f %%", 100*t.There.CostOfPrivacy.Value))
	c := t.Borders[0].Crossing
	if math.IsNaN(c.Value) {
		return fmt.Sprintf("epsilon %g, the end of the range searched, %s %s. %s", epsilon, what, sure, there)
	}
	return fmt.Sprintf("epsilon %g is the %s shown to be one that %s %s. The limit itself is reached near %.4g (%.4g .. %.4g). %s",
		epsilon, which, what, sure, c.Value, c.Low, c.High, there)
}
