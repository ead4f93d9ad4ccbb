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

// trialJSON is a trial as printed.
type trialJSON struct {
	Epsilon       float64        `json:"epsilon"`
	Demand        string         `json:"demand"`
	Runs          int            `json:"runs"`
	Mean          terminal.Maybe `json:"mean"`
	StandardError terminal.Maybe `json:"standard_error"`
	Verdict       study.Verdict  `json:"verdict"`
}

func printable(t study.Trial) trialJSON {
	return trialJSON{t.Epsilon, t.Demand, t.Runs, terminal.Maybe(t.Mean), terminal.Maybe(t.StandardError), t.Verdict}
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
	NextEpsilon   terminal.Maybe              `json:"next_epsilon"`     // the first beyond the border, not shown to meet the demand
	Crossing      terminal.Maybe              `json:"crossing_epsilon"` // where the mean itself reaches the limit, estimated
	CrossingLow   terminal.Maybe              `json:"crossing_ci_low"`
	CrossingHigh  terminal.Maybe              `json:"crossing_ci_high"`
	Trials        []trialJSON                 `json:"trials"`
	Surface       []map[string]terminal.Maybe `json:"surface"`
	Pareto        []float64                   `json:"pareto_epsilons"`
}

func tuneJSON(t *campaign.Tuning) tuningJSON {
	r := t.Requirement
	out := tuningJSON{
		Epsilon: terminal.Maybe(t.Chosen()), Met: !math.IsNaN(t.Chosen()), Delta: t.Settings.Privacy.Delta, RadiusKm: t.Settings.Adversary.RadiusKm,
		HiddenUntilKm: terminal.Maybe(r.HiddenUntilKm), Quantile: terminal.Maybe(r.Quantile), MaxCost: terminal.Maybe(r.MaxCost), Confidence: r.Confidence,
		NextEpsilon: terminal.Maybe(math.NaN()), Trials: []trialJSON{},
	}
	crossing := t.Crossing()
	out.Crossing, out.CrossingLow, out.CrossingHigh = terminal.Maybe(crossing.Value), terminal.Maybe(crossing.Low), terminal.Maybe(crossing.High)
	if t.Answer != nil {
		out.NextEpsilon = terminal.Maybe(t.Answer.Next)
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
			cell := map[string]terminal.Maybe{}
			for _, c := range columns {
				cell[c.Name] = terminal.Maybe(c.Value(&row[k]))
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
	return terminal.WriteTable(w, surfaceColumns[:1], surfaceColumns[1:], rows)
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

// printTrials prints trials of one demand.
func printTrials(w io.Writer, trials []study.Trial) error {
	columns := []terminal.Column[study.Trial]{
		{Heading: "tried", Cell: func(x *study.Trial) string { return fmt.Sprintf("%g", x.Epsilon) }},
		{Heading: "runs", Cell: func(x *study.Trial) string { return fmt.Sprint(x.Runs) }},
		{Heading: trials[0].Demand, Cell: func(x *study.Trial) string { return fmt.Sprintf("%.4g", x.Mean) }},
		{Heading: "standard error", Beside: true, Cell: func(x *study.Trial) string { return fmt.Sprintf("%.2g", x.StandardError) }},
		{Heading: "verdict", Cell: func(x *study.Trial) string { return string(x.Verdict) }},
	}
	if err := terminal.WriteTable(w, columns[:1], columns[1:], trials); err != nil {
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
