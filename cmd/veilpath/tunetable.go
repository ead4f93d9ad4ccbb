package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// printTuning prints the answer, and the surface as far as the format holds it.
func (a *app) printTuning(t *campaign.Tuning) error {
	switch a.format {
	case "csv":
		return record.WriteSurface(a.stdout, t.Cells)
	case "json":
		return a.printJSON(tuneJSON(t))
	}
	return writeTuneTable(a.stdout, t)
}

// demandJSON is what tune prints of a demand as JSON.
type demandJSON struct {
	Demand       string         `json:"demand"`
	Limit        float64        `json:"limit"`
	Met          terminal.Maybe `json:"met_epsilon"`      // up to which, or from which on, it is shown to be met
	NotMet       terminal.Maybe `json:"not_met_epsilon"`  // beyond which it is shown not to be
	Crossing     terminal.Maybe `json:"crossing_epsilon"` // where the mean is the limit, estimated
	CrossingLow  terminal.Maybe `json:"crossing_ci_low"`
	CrossingHigh terminal.Maybe `json:"crossing_ci_high"`
	Looks        []lookJSON     `json:"looks"`
}

// lookJSON is a look of the search.
type lookJSON struct {
	Runs   int            `json:"runs"`
	Low    float64        `json:"epsilon_low"` // of the range on which the last runs were flown
	High   float64        `json:"epsilon_high"`
	Met    terminal.Maybe `json:"met_epsilon"`
	NotMet terminal.Maybe `json:"not_met_epsilon"`
}

func demandOf(b *study.Border) demandJSON {
	d := demandJSON{
		Demand: b.Demand.Name, Limit: b.Demand.Limit, Met: terminal.Maybe(b.Met), NotMet: terminal.Maybe(b.NotMet),
		Crossing: terminal.Maybe(b.Crossing.Value), CrossingLow: terminal.Maybe(b.Crossing.Low), CrossingHigh: terminal.Maybe(b.Crossing.High),
	}
	for _, l := range b.Looks {
		d.Looks = append(d.Looks, lookJSON{l.Runs, l.Axis.Low, l.Axis.High, terminal.Maybe(l.Met), terminal.Maybe(l.NotMet)})
	}
	return d
}

// tuningJSON is what tune prints as JSON.
type tuningJSON struct {
	Epsilon       terminal.Maybe              `json:"epsilon"` // null when none was asked for or found
	Met           bool                        `json:"met"`
	Delta         float64                     `json:"delta"`
	RadiusKm      float64                     `json:"radius_km"`
	HiddenUntilKm terminal.Maybe              `json:"hidden_until_km"`
	Quantile      terminal.Maybe              `json:"quantile"`
	MaxCost       terminal.Maybe              `json:"max_cost"`
	Confidence    float64                     `json:"confidence"`
	Crossing      terminal.Maybe              `json:"crossing_epsilon"` // of the first demand
	CrossingLow   terminal.Maybe              `json:"crossing_ci_low"`
	CrossingHigh  terminal.Maybe              `json:"crossing_ci_high"`
	Demands       []demandJSON                `json:"demands"`
	Chosen        map[string]terminal.Maybe   `json:"chosen,omitempty"` // what the flights of the search come to there
	Surface       []map[string]terminal.Maybe `json:"surface"`
	Pareto        []float64                   `json:"pareto_epsilons"`
}

func tuneJSON(t *campaign.Tuning) tuningJSON {
	r, none := t.Requirement, terminal.Maybe(math.NaN())
	out := tuningJSON{
		Epsilon: terminal.Maybe(t.Chosen()), Met: !math.IsNaN(t.Chosen()), Delta: t.Settings.Privacy.Delta, RadiusKm: t.Settings.Adversary.RadiusKm,
		HiddenUntilKm: terminal.Maybe(r.HiddenUntilKm), Quantile: terminal.Maybe(r.Quantile), MaxCost: terminal.Maybe(r.MaxCost), Confidence: r.Confidence,
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

func cellJSON(c *study.SurfaceCell) map[string]terminal.Maybe {
	cell := map[string]terminal.Maybe{}
	for _, column := range record.SurfaceColumns() {
		cell[column.Name] = terminal.Maybe(column.Value(c))
	}
	return cell
}

// writeTuneTable prints the answer, the looks that led to it, and the listed epsilons as the observer's own radius
// sees them.
func writeTuneTable(w io.Writer, t *campaign.Tuning) error {
	if len(t.Borders) > 0 {
		fmt.Fprintf(w, "%s\n\n", tuneSentence(t))
	}
	for i := range t.Borders {
		fmt.Fprintf(w, "The %s, at most %g:\n\n", t.Borders[i].Demand.Name, t.Borders[i].Demand.Limit)
		if err := terminal.WriteTable(w, lookColumns[:1], lookColumns[1:], t.Borders[i].Looks); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	own := t.Own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "Observer of radius %g km, %d runs per epsilon, delta %g, %g %% intervals:\n\n",
		t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Settings.Privacy.Delta, 100*t.Requirement.Confidence)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	return terminal.WriteTable(w, surfaceColumns[:1], surfaceColumns[1:], rows)
}

// lookColumns are the columns of the table of looks.
var lookColumns = []terminal.Column[study.Look]{
	{Heading: "runs", Meaning: "flown before the look", Cell: func(l *study.Look) string { return fmt.Sprint(l.Runs) }},
	{Heading: "range flown", Meaning: "epsilons on which the last of them were flown: where the answer may still be",
		Cell: func(l *study.Look) string { return fmt.Sprintf("%g .. %g", l.Axis.Low, l.Axis.High) }},
	{Heading: "met", Meaning: "epsilon up to which the demand is shown to be met; for a cost from which on", Cell: func(l *study.Look) string { return borderText(l.Met) }},
	{Heading: "not met", Meaning: "epsilon from which on it is shown not to be; for a cost up to which", Cell: func(l *study.Look) string { return borderText(l.NotMet) }},
	{Heading: "crossing", Meaning: "epsilon at which the figure that the demand is on is the limit, estimated",
		Cell: func(l *study.Look) string { return borderText(l.Crossing.Value) }},
	{Heading: "interval", Meaning: "of the figure before it, at --confidence", Beside: true,
		Cell: func(l *study.Look) string { return borderText(l.Crossing.Low) + " .. " + borderText(l.Crossing.High) }},
}

// borderText writes an epsilon, a question mark where there is none.
func borderText(x float64) string {
	if math.IsNaN(x) {
		return "?"
	}
	return fmt.Sprintf("%.4g", x)
}

// surfaceRow is a row of the table of a tuning.
type surfaceRow struct {
	*study.SurfaceCell
	best bool // nothing is nearer, cheaper and shorter at once
}

// surfaceColumns are the columns of the table of a tuning, epsilon first.
var surfaceColumns = []terminal.Column[surfaceRow]{
	{Heading: "epsilon", Meaning: "strength of privacy, smaller hides more", Cell: func(r *surfaceRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
	{Heading: "sigma", Meaning: "standard deviation of the noise on every reward", Cell: func(r *surfaceRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	{Heading: "mean km", Meaning: "mean distance to the target where the destination was recognised; 0 where it never was",
		Cell: func(r *surfaceRow) string { return terminal.Decimals(r.Mean.Value, 2) }},
	{Heading: "interval", Meaning: "of the figure before it, at --confidence", Beside: true, Cell: func(r *surfaceRow) string { return terminal.Span(r.Mean.Low, r.Mean.High, 2) }},
	{Heading: "median", Meaning: "of that distance", Cell: func(r *surfaceRow) string { return terminal.Decimals(r.Median.Value, 2) }},
	{Heading: "interval", Beside: true, Cell: func(r *surfaceRow) string { return terminal.Span(r.Median.Low, r.Median.High, 2) }},
	{Heading: "before hand-over", Meaning: "flights recognised while waypoints were still commanded",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.BeforeHandover.Value) }},
	{Heading: "interval", Beside: true, Cell: func(r *surfaceRow) string {
		return terminal.Span(100*r.BeforeHandover.Low, 100*r.BeforeHandover.High, 1) + " %"
	}},
	{Heading: "cost", Meaning: "mean cost of privacy: value lost at the start, as a share of the best there is",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.CostOfPrivacy.Value) }},
	{Heading: "detour", Meaning: "how much longer a flight takes than without privacy, the median",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.MedianOverhead.Value) }},
	{Heading: "best", Meaning: "+ where no other epsilon is nearer, cheaper and shorter at once (Pareto front)", Cell: func(r *surfaceRow) string {
		if r.best {
			return "+"
		}
		return ""
	}},
}

// tuneSentence says what was found.
func tuneSentence(t *campaign.Tuning) string {
	r := t.Requirement
	what := fmt.Sprintf("keeps the mean detection distance at or below %g km from an observer of radius %g km", r.HiddenUntilKm, t.Settings.Adversary.RadiusKm)
	switch {
	case r.OfQuantile():
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
	sure := fmt.Sprintf("(delta %g, %g %% confidence)", t.Settings.Privacy.Delta, 100*r.Confidence)
	there := fmt.Sprintf("There the mean is %.2f km, 10 %% to 90 %% of the flights %.1f to %.1f km, and privacy costs %s.",
		t.There.Mean.Value, t.There.P10.Value, t.There.P90.Value, terminal.Percent(t.There.CostOfPrivacy.Value))
	c := t.Borders[0].Crossing
	if math.IsNaN(c.Value) {
		return fmt.Sprintf("epsilon %g, the end of the range searched, %s %s. %s", epsilon, what, sure, there)
	}
	return fmt.Sprintf("epsilon %g is the %s shown to be one that %s %s. The limit itself is reached near %.4g (%.4g .. %.4g). %s",
		epsilon, which, what, sure, c.Value, c.Low, c.High, there)
}
