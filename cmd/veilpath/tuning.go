package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"veilpath/sim/record"
	"veilpath/sim/report"
	"veilpath/sim/study"
)

// own returns the cells of the observer's own radius, by epsilon.
func (t *tuning) own() []study.SurfaceCell {
	cells := make([]study.SurfaceCell, len(t.cells))
	for i, row := range t.cells {
		cells[i] = row[t.radius]
	}
	return cells
}

// printTuning prints the answer, and the surface as far as the format holds it.
func (a *app) printTuning(t *tuning) error {
	switch a.format {
	case "csv":
		return record.WriteSurfaceCSV(a.stdout, t.cells)
	case "json":
		return a.printJSON(t.json())
	}
	t.table(a.stdout)
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

func (t *tuning) json() tuningJSON {
	r := t.requirement
	out := tuningJSON{
		Epsilon: maybe(t.chosen()), Met: !math.IsNaN(t.chosen()), Delta: t.loaded.Privacy.Delta, RadiusKm: t.loaded.Adversary.RadiusKm,
		HiddenUntilKm: maybe(r.hiddenUntilKm), Quantile: maybe(r.quantile), MaxCost: maybe(r.maxCost), Confidence: r.confidence,
		NextEpsilon: maybe(math.NaN()), Trials: []trialJSON{},
	}
	crossing := t.crossing()
	out.Crossing, out.CrossingLow, out.CrossingHigh = maybe(crossing.Value), maybe(crossing.Low), maybe(crossing.High)
	if t.answer != nil {
		out.NextEpsilon = maybe(t.answer.Next)
		for _, trial := range t.answer.Trials {
			out.Trials = append(out.Trials, printable(trial))
		}
	}
	if t.cost != nil {
		out.Trials = append(out.Trials, printable(*t.cost))
	}
	columns := record.SurfaceColumns()
	for _, row := range t.cells {
		for k := range row {
			cell := map[string]maybe{}
			for _, c := range columns {
				cell[c.Name] = maybe(c.Value(&row[k]))
			}
			out.Surface = append(out.Surface, cell)
		}
	}
	own := t.own()
	for _, i := range study.Pareto(own) {
		out.Pareto = append(out.Pareto, own[i].Epsilon)
	}
	return out
}

// table prints the answer, the trials that led to it, and the epsilons as the observer's own radius sees
// them.
func (t *tuning) table(w io.Writer) {
	r := t.requirement
	if t.answer != nil {
		fmt.Fprintf(w, "%s\n\n", t.sentence())
		printTrials(w, t.answer.Trials)
		if t.cost != nil {
			printTrials(w, []study.Trial{*t.cost})
		}
	}
	own := t.own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "Observer of radius %g km, %d runs per epsilon, delta %g, %g %% intervals; median detour; + where nothing is nearer, cheaper and shorter at once:\n\n",
		t.loaded.Adversary.RadiusKm, t.survey.Runs, t.loaded.Privacy.Delta, 100*r.confidence)
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

// crossing estimates the epsilon at which the demand's quantity itself reaches the limit.
func (t *tuning) crossing() study.Estimate {
	if t.answer == nil {
		return study.Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	return t.answer.Crossing(t.limit())
}

// sentence says what was found.
func (t *tuning) sentence() string {
	r := t.requirement
	what := fmt.Sprintf("keeps the mean detection distance at or below %g km from an observer of radius %g km", r.hiddenUntilKm, t.loaded.Adversary.RadiusKm)
	switch {
	case r.ofQuantile():
		what = fmt.Sprintf("keeps %g %% of the flights hidden until %g km from an observer of radius %g km", 100*r.quantile, r.hiddenUntilKm, t.loaded.Adversary.RadiusKm)
	case !r.hidden():
		what = fmt.Sprintf("costs at most %g %% of the value", 100*r.maxCost)
	}
	epsilon, which, beyond := t.chosen(), "largest", "above"
	if !r.hidden() {
		which, beyond = "smallest", "below"
	}
	if t.cost != nil {
		what += fmt.Sprintf(" and costs at most %g %% of the value", 100*r.maxCost)
	}
	sure := fmt.Sprintf("(delta %g, %g %% confidence)", t.loaded.Privacy.Delta, 100*r.confidence)
	switch {
	case math.IsNaN(epsilon):
		return fmt.Sprintf("No epsilon from %g to %g is shown to be one that %s.", r.low, r.high, what)
	case math.IsNaN(t.answer.Next):
		return fmt.Sprintf("epsilon %g, the end of the range searched, %s %s.", epsilon, what, sure)
	}
	border := ""
	if c := t.crossing(); !math.IsNaN(c.Value) {
		border = fmt.Sprintf(" The limit itself is reached near %.3g (%.3g .. %.3g).", c.Value, c.Low, c.High)
	}
	return fmt.Sprintf("epsilon %g is the %s found that %s %s; %g, next %s, is not shown to.%s",
		epsilon, which, what, sure, t.answer.Next, beyond, border)
}

// draw writes the heat map of the surface and the Pareto front.
func (t *tuning) draw(folder *record.Folder) error {
	if len(t.survey.Epsilons) < 2 || len(t.survey.RadiiKm) < 2 {
		return nil // a heat map has two sides
	}
	if err := writeFigure(folder, "heatmap", t.heatMap()); err != nil {
		return err
	}
	return writeFigure(folder, "pareto", t.pareto())
}

func (t *tuning) heatMap() *report.Figure {
	order := t.ascending()
	s := &report.Surface{
		Title:  "Mean detection distance",
		X:      report.Axis{Label: "epsilon", Scale: report.ScaleFor(t.survey.Epsilons)},
		Y:      report.Axis{Label: "Observer's radius (km)", Scale: report.ScaleFor(t.survey.RadiiKm)},
		Ys:     t.survey.RadiiKm,
		ZLabel: "Mean detection distance (km)",
	}
	for _, i := range order {
		s.Xs = append(s.Xs, t.survey.Epsilons[i])
		column := make([]float64, len(t.cells[i]))
		for j := range column {
			column[j] = t.cells[i][j].Mean.Value
		}
		s.Z = append(s.Z, column)
	}
	title := "How near the vehicle gets unrecognised, over epsilon and the observer's radius"
	if epsilon := t.chosen(); !math.IsNaN(epsilon) {
		title = fmt.Sprintf("Chosen: epsilon %g against radius %g km", epsilon, t.loaded.Adversary.RadiusKm)
		if epsilon >= s.Xs[0] && epsilon <= s.Xs[len(s.Xs)-1] {
			s.Points = []report.Series{{Label: "chosen", Mark: report.Points, X: []float64{epsilon}, Y: []float64{t.loaded.Adversary.RadiusKm}}}
		}
	}
	return &report.Figure{Title: title, Panels: []report.Panel{s},
		Subtitle: fmt.Sprintf("%d flights per epsilon, delta %g; every radius from the same flights", t.survey.Runs, t.loaded.Privacy.Delta)}
}

// ascending returns the places of the epsilons in ascending order.
func (t *tuning) ascending() []int {
	order := make([]int, len(t.survey.Epsilons))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		if t.survey.Epsilons[i] < t.survey.Epsilons[k] {
			return -1
		}
		return 1
	})
	return order
}

// named returns the epsilons of a front for a figure, as many as there is room for: each at least half as
// large again as the last.
func named(cells []study.SurfaceCell, front []int) []string {
	names, last := make([]string, len(front)), 0.0
	for k, i := range front {
		if e := cells[i].Epsilon; e >= last*1.5 || k == len(front)-1 {
			names[k], last = fmt.Sprintf("%g", e), e
		}
	}
	return names
}

// pareto shows privacy against its two prices.
func (t *tuning) pareto() *report.Figure {
	own := t.own()
	front := study.Pareto(own)
	panel := func(title, label string, price func(*study.SurfaceCell) study.Estimate) *report.Chart {
		points := report.Series{Label: "every epsilon", Mark: report.Points, Hue: 1}
		best := report.Series{Label: "Pareto front", Mark: report.Computed}
		for i := range own {
			p := price(&own[i])
			points.X, points.Y = append(points.X, 100*p.Value), append(points.Y, own[i].Mean.Value)
			points.Low, points.High = append(points.Low, own[i].Mean.Low), append(points.High, own[i].Mean.High)
		}
		for _, i := range front {
			best.X, best.Y = append(best.X, 100*price(&own[i]).Value), append(best.Y, own[i].Mean.Value)
		}
		best.Names = named(own, front)
		scale := report.Linear
		if slices.Min(points.X) > 0 {
			scale = report.Log
		}
		return &report.Chart{Title: title, X: report.Axis{Label: label, Scale: scale}, Y: report.Axis{Label: "Mean detection distance (km)"}, Series: []report.Series{points, best}}
	}
	return &report.Figure{
		Title: "What privacy costs: nearer is better, cheaper is better", Columns: 1,
		Subtitle: fmt.Sprintf("Observer of radius %g km, %d flights per epsilon, delta %g; the numbers are epsilons", t.loaded.Adversary.RadiusKm, t.survey.Runs, t.loaded.Privacy.Delta),
		Panels: []report.Panel{
			panel("Against the cost of privacy", "Mean cost of privacy (% of the value)", func(c *study.SurfaceCell) study.Estimate { return c.CostOfPrivacy }),
			panel("Against the detour", "Median path overhead (%)", func(c *study.SurfaceCell) study.Estimate { return c.MedianOverhead }),
		},
	}
}
