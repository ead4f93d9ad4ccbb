package main

import (
	"fmt"
	"io"
	"math"
	"slices"

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

// trialJSON is a trial as printed.
type trialJSON struct {
	Epsilon       float64       `json:"epsilon"`
	Demand        string        `json:"demand"`
	Runs          int           `json:"runs"`
	Mean          maybe         `json:"mean"`
	StandardError maybe         `json:"standard_error"`
	Verdict       study.Verdict `json:"verdict"`
}

func printable(t study.Trial) trialJSON {
	return trialJSON{t.Epsilon, t.Demand, t.Runs, maybe(t.Mean), maybe(t.StandardError), t.Verdict}
}

// tuningJSON is what tune prints as JSON.
type tuningJSON struct {
	Epsilon       maybe              `json:"epsilon"` // null when none was asked for or found
	Met           bool               `json:"met"`
	Delta         float64            `json:"delta"`
	RadiusKm      float64            `json:"radius_km"`
	HiddenUntilKm maybe              `json:"hidden_until_km"`
	Quantile      maybe              `json:"quantile"`
	MaxCost       maybe              `json:"max_cost"`
	Confidence    float64            `json:"confidence"`
	NextEpsilon   maybe              `json:"next_epsilon"`     // the first beyond the border, not shown to meet the demand
	Crossing      maybe              `json:"crossing_epsilon"` // where the mean itself reaches the limit, estimated
	CrossingLow   maybe              `json:"crossing_ci_low"`
	CrossingHigh  maybe              `json:"crossing_ci_high"`
	Trials        []trialJSON        `json:"trials"`
	Surface       []map[string]maybe `json:"surface"`
	Pareto        []float64          `json:"pareto_epsilons"`
}

func tuneJSON(t *campaign.Tuning) tuningJSON {
	r := t.Requirement
	out := tuningJSON{
		Epsilon: maybe(t.Chosen()), Met: !math.IsNaN(t.Chosen()), Delta: t.Settings.Privacy.Delta, RadiusKm: t.Settings.Adversary.RadiusKm,
		HiddenUntilKm: maybe(r.HiddenUntilKm), Quantile: maybe(r.Quantile), MaxCost: maybe(r.MaxCost), Confidence: r.Confidence,
		NextEpsilon: maybe(math.NaN()), Trials: []trialJSON{},
	}
	crossing := t.Crossing()
	out.Crossing, out.CrossingLow, out.CrossingHigh = maybe(crossing.Value), maybe(crossing.Low), maybe(crossing.High)
	if t.Answer != nil {
		out.NextEpsilon = maybe(t.Answer.Next)
		for _, trial := range t.Answer.Trials {
			out.Trials = append(out.Trials, printable(trial))
		}
	}
	if t.Cost != nil {
		out.Trials = append(out.Trials, printable(*t.Cost))
	}
	columns := record.SurfaceColumns()
	for _, row := range t.Cells {
		for k := range row {
			cell := map[string]maybe{}
			for _, c := range columns {
				cell[c.Name] = maybe(c.Value(&row[k]))
			}
			out.Surface = append(out.Surface, cell)
		}
	}
	own := t.Own()
	for _, i := range study.Pareto(own) {
		out.Pareto = append(out.Pareto, own[i].Epsilon)
	}
	return out
}

// table prints the answer, the trials that led to it, and the epsilons as the observer's own radius sees
// them.
func writeTuneTable(w io.Writer, t *campaign.Tuning) error {
	r := t.Requirement
	if t.Answer != nil {
		fmt.Fprintf(w, "%s\n\n", tuneSentence(t))
		if err := printTrials(w, t.Answer.Trials); err != nil {
			return err
		}
		if t.Cost != nil {
			if err := printTrials(w, []study.Trial{*t.Cost}); err != nil {
				return err
			}
		}
	}
	own := t.Own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "Observer of radius %g km, %d runs per epsilon, delta %g, %g %% intervals:\n\n",
		t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Settings.Privacy.Delta, 100*r.Confidence)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	return writeTable(w, surfaceColumns[:1], surfaceColumns[1:], rows)
}

// surfaceRow is a row of the table of a tuning.
type surfaceRow struct {
	*study.SurfaceCell
	best bool // nothing is nearer, cheaper and shorter at once
}

// surfaceColumns are the columns of the table of a tuning, epsilon first.
var surfaceColumns = []column[surfaceRow]{
	{"epsilon", "strength of privacy, smaller hides more", false, func(r *surfaceRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
	{"sigma", "standard deviation of the noise on every reward", false, func(r *surfaceRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	{"mean km", "mean distance to the target where the destination was recognised; 0 where it never was", false,
		func(r *surfaceRow) string { return decimals(r.Mean.Value, 2) }},
	{"interval", "of the figure before it, at --confidence", true, func(r *surfaceRow) string { return span(r.Mean.Low, r.Mean.High, 2) }},
	{"median", "of that distance", false, func(r *surfaceRow) string { return decimals(r.Median.Value, 2) }},
	{"interval", "", true, func(r *surfaceRow) string { return span(r.Median.Low, r.Median.High, 2) }},
	{"before hand-over", "flights recognised while waypoints were still commanded", false,
		func(r *surfaceRow) string { return percent(r.BeforeHandover.Value) }},
	{"interval", "", true, func(r *surfaceRow) string {
		return span(100*r.BeforeHandover.Low, 100*r.BeforeHandover.High, 1) + " %"
	}},
	{"cost", "mean cost of privacy: value lost at the start, as a share of the best there is", false,
		func(r *surfaceRow) string { return percent(r.CostOfPrivacy.Value) }},
	{"detour", "how much longer a flight takes than without privacy, the median", false,
		func(r *surfaceRow) string { return percent(r.MedianOverhead.Value) }},
	{"best", "+ where no other epsilon is nearer, cheaper and shorter at once (Pareto front)", false, func(r *surfaceRow) string {
		if r.best {
			return "+"
		}
		return ""
	}},
}

// printTrials prints trials of one demand.
func printTrials(w io.Writer, trials []study.Trial) error {
	columns := []column[study.Trial]{
		{"tried", "", false, func(x *study.Trial) string { return fmt.Sprintf("%g", x.Epsilon) }},
		{"runs", "", false, func(x *study.Trial) string { return fmt.Sprint(x.Runs) }},
		{trials[0].Demand, "", false, func(x *study.Trial) string { return fmt.Sprintf("%.4g", x.Mean) }},
		{"standard error", "", true, func(x *study.Trial) string { return fmt.Sprintf("%.2g", x.StandardError) }},
		{"verdict", "", false, func(x *study.Trial) string { return string(x.Verdict) }},
	}
	if err := writeTable(w, columns[:1], columns[1:], trials); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// sentence says what was found.
func tuneSentence(t *campaign.Tuning) string {
	r := t.Requirement
	what := fmt.Sprintf("keeps the mean detection distance at or below %g km from an observer of radius %g km", r.HiddenUntilKm, t.Settings.Adversary.RadiusKm)
	switch {
	case r.OfQuantile():
		what = fmt.Sprintf("keeps %g %% of the flights hidden until %g km from an observer of radius %g km", 100*r.Quantile, r.HiddenUntilKm, t.Settings.Adversary.RadiusKm)
	case !r.Hidden():
		what = fmt.Sprintf("costs at most %g %% of the value", 100*r.MaxCost)
	}
	epsilon, which, beyond := t.Chosen(), "largest", "above"
	if !r.Hidden() {
		which, beyond = "smallest", "below"
	}
	if t.Cost != nil {
		what += fmt.Sprintf(" and costs at most %g %% of the value", 100*r.MaxCost)
	}
	sure := fmt.Sprintf("(delta %g, %g %% confidence)", t.Settings.Privacy.Delta, 100*r.Confidence)
	switch {
	case math.IsNaN(epsilon):
		return fmt.Sprintf("No epsilon from %g to %g is shown to be one that %s.", r.Low, r.High, what)
	case math.IsNaN(t.Answer.Next):
		return fmt.Sprintf("epsilon %g, the end of the range searched, %s %s.", epsilon, what, sure)
	}
	border := ""
	if c := t.Crossing(); !math.IsNaN(c.Value) {
		border = fmt.Sprintf(" The limit itself is reached near %.3g (%.3g .. %.3g).", c.Value, c.Low, c.High)
	}
	return fmt.Sprintf("epsilon %g is the %s found that %s %s; %g, next %s, is not shown to.%s",
		epsilon, which, what, sure, t.Answer.Next, beyond, border)
}
