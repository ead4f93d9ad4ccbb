package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// printTuning prints the answer, and the surface as far as the format holds it.
func (a *app) printTuning(t *campaign.Tuning) error {
	switch a.format {
	case "csv":
		return record.WriteSurfaceCSV(a.stdout, t.Cells)
	case "json":
		return a.printJSON(tuneJSON(t))
	}
	writeTuneTable(a.stdout, t)
	return nil
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
func writeTuneTable(w io.Writer, t *campaign.Tuning) {
	r := t.Requirement
	if t.Answer != nil {
		fmt.Fprintf(w, "%s\n\n", tuneSentence(t))
		printTrials(w, t.Answer.Trials)
		if t.Cost != nil {
			printTrials(w, []study.Trial{*t.Cost})
		}
	}
	own := t.Own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "Observer of radius %g km, %d runs per epsilon, delta %g, %g %% intervals; median detour; + where nothing is nearer, cheaper and shorter at once:\n\n",
		t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Settings.Privacy.Delta, 100*r.Confidence)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "epsilon\tsigma\tmean km\tinterval\tmedian\tinterval\tbefore hand-over\tinterval\tcost\tdetour\t\t")
	for i := range own {
		c, mark := &own[i], ""
		if slices.Contains(front, i) {
			mark = "+"
		}
		fmt.Fprintf(table, "%g\t%.4g\t%.2f\t%s\t%.2f\t%s\t%.1f %%\t%.1f .. %.1f %%\t%.1f %%\t%.1f %%\t%s\t\n",
			c.Epsilon, c.Sigma, c.Mean.Value, interval(c.Mean), c.Median.Value, interval(c.Median),
			100*c.BeforeHandover.Value, 100*c.BeforeHandover.Low, 100*c.BeforeHandover.High, 100*c.CostOfPrivacy.Value, 100*c.MedianOverhead.Value, mark)
	}
	table.Flush()
}

// interval writes an estimate's interval; an end that the runs are too few to tell is a question mark.
func interval(e study.Estimate) string {
	end := func(x float64) string {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return "?"
		}
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return end(e.Low) + " .. " + end(e.High)
}

// printTrials prints trials of one demand.
func printTrials(w io.Writer, trials []study.Trial) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "tried\truns\t%s\tstandard error\tverdict\t\n", trials[0].Demand)
	for _, x := range trials {
		fmt.Fprintf(table, "%g\t%d\t%.4g\t%.2g\t%s\t\n", x.Epsilon, x.Runs, x.Mean, x.StandardError, x.Verdict)
	}
	table.Flush()
	fmt.Fprintln(w)
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
