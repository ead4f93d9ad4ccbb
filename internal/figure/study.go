package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/internal/axis"
	"veilpath/sim/study"
)

// StudyResult holds the data for StudyFigure. The summaries contain the baselines.
type StudyResult struct {
	Summaries   []study.Summary                // one per epsilon, in any order; study.None() is not drawn
	DetectionKm func(epsilon int) study.Sample // the distances behind each summary, km; Tally.DetectionKm
	Curve       *study.Curve                   // the mean over a range of epsilon; nil to draw that of the summaries
	HandoverKm  float64                        // distance at which privacy is disabled, km; 0 for no line

	HandoverVaries bool // the hand-over distance is drawn for every run, and HandoverKm that of the settings

	Delta     float64 // delta of the guarantee; 0 leaves it out of the subtitle
	RadiusKm  float64 // the observer's radius; 0 leaves it out of the subtitle
	Published *Series // mean distance over epsilon to compare with, or nil
	Note      string  // below the figure
	Cause     string  // what hides the destination; empty for noise
	Turns     bool    // the direct flight turns from its first heading
}

// StudyFigure shows a study in two panels over epsilon: the mean detection distance with its confidence band and
// the range of 80 % of the flights, and the whole distribution, because a mean may hide two modes.
func StudyFigure(r StudyResult) (*Figure, error) {
	every := &distribution{title: "Every flight", y: Axis{Label: "Distance to target at detection (km)", FromZero: true}}
	var cells []study.Summary
	for i, summary := range r.Summaries {
		if summary.Epsilon != study.None() && summary.Runs > 0 {
			cells = append(cells, summary)
			every.columns = append(every.columns, column{summary.Epsilon, summary.MeanKm, r.DetectionKm(i)})
		}
	}
	if len(cells) == 0 {
		return nil, errors.New("figure: study: no flights with noise to draw")
	}
	slices.SortFunc(cells, func(a, b study.Summary) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	slices.SortFunc(every.columns, func(a, b column) int { return cmp.Compare(a.epsilon, b.epsilon) })
	every.x = Axis{Label: "Privacy parameter ε  (stronger privacy to the left)",
		Scale: ScaleFor([]float64{cells[0].Epsilon, cells[len(cells)-1].Epsilon})}
	mean := r.meanPanel(cells)
	mean.X, mean.Y = every.x, every.y
	if r.HandoverKm > 0 {
		at := fmt.Sprintf("%.4g", r.HandoverKm)
		if r.HandoverVaries {
			at = "around " + at
		}
		mean.References = append(mean.References, Reference{Label: "hand-over: " + at + " km,\nprivacy ends",
			At: r.HandoverKm})
		every.references = []Reference{{Label: "hand-over", At: r.HandoverKm}}
	}
	return &Figure{Title: r.finding(cells), Subtitle: r.settings(every.columns), Note: r.Note, SharedX: true,
		Panels: []Panel{mean, every}}, nil
}

// runsForQuantiles is the smallest number of flights for which the 10 and 90 % quantiles lie inside the data.
const runsForQuantiles = 12

func (r *StudyResult) meanPanel(cells []study.Summary) *Chart {
	mean := Series{Label: "mean, and its\n95 % interval", Mark: Computed}
	spread := Series{Label: "80 % of flights (10\nto 90 % quantile),\nat the listed ε", Mark: Range}
	fewest := cells[0].Runs
	for _, c := range cells {
		mean.AddInterval(c.Epsilon, c.MeanKm, c.CILowKm, c.CIHighKm)
		spread.X = append(spread.X, c.Epsilon)
		spread.Low, spread.High = append(spread.Low, c.P10Km), append(spread.High, c.P90Km)
		fewest = min(fewest, c.Runs)
	}
	if fewest < 2 {
		mean.Label, mean.Low, mean.High = "mean", nil, nil
	}
	if c := r.Curve; c != nil {
		mean = Series{Label: "mean at every ε", Mark: Computed, X: c.Epsilons, Y: c.Mean, Low: c.Low, High: c.High}
		if c.Low != nil {
			mean.Label = "mean at every ε,\nand a 95 % band\nfor all ε at once"
		}
	}
	chart := &Chart{Title: "Mean over the flights"}
	if fewest >= runsForQuantiles {
		chart.Series = append(chart.Series, spread)
	}
	chart.Series = append(chart.Series, mean)
	if r.Published != nil {
		chart.Series = append(chart.Series, *r.Published)
	}
	direct := Reference{Label: DirectLabel(r.Turns) + ": ", At: cells[0].DirectKm, Strong: true, Dotted: true}
	planned := Reference{Label: "planned, without\nnoise: ", At: cells[0].PlannedKm, Strong: true}
	for _, line := range []Reference{direct, planned} {
		if line.At > 0 {
			line.Label += KmText(line.At)
			chart.References = append(chart.References, line)
		}
	}
	return chart
}

// finding returns the title: the means with noise, and the distances of the flights without it.
func (r *StudyResult) finding(cells []study.Summary) string {
	means := spanOf()
	for _, c := range cells {
		means.include(c.MeanKm)
	}
	if r.Curve != nil {
		means.include(r.Curve.Mean...)
	}
	planned, direct := cells[0].PlannedKm, cells[0].DirectKm
	write := func(from, to float64) string {
		if to == 0 {
			return "never"
		}
		digits := decimals(means.high, planned, direct)
		low, high := fmt.Sprintf("%.*f", digits, from), fmt.Sprintf("%.*f km", digits, to)
		if strings.HasPrefix(high, low) {
			return high
		}
		return low + "–" + high
	}
	text := fmt.Sprintf("Recognised %s from the target with %s; without noise %s", write(means.low, means.high),
		cmp.Or(r.Cause, "noise"), write(planned, planned))
	if !math.IsNaN(direct) {
		text += ", direct flight " + write(direct, direct)
	}
	return strings.Replace(text, "never from the target", "never", 1)
}

// settings returns the subtitle: what was measured, with which settings.
func (r *StudyResult) settings(columns []column) string {
	runs := spanOf()
	zero := ""
	for _, c := range columns {
		runs.include(float64(c.distances.Len()))
		if slices.Contains(c.distances.Values, 0) {
			zero = "; a flight never recognised counts as 0 km"
		}
	}
	text := "Mean distance to the target at which the observer names it; " + axis.Thousands(fmt.Sprint(runs.low))
	if runs.low != runs.high {
		text += " to " + axis.Thousands(fmt.Sprint(runs.high))
	}
	text += " flights for each ε"
	if r.Delta > 0 {
		text += fmt.Sprintf(", δ = %.4g", r.Delta)
	}
	if r.RadiusKm > 0 {
		text += fmt.Sprintf(", observer's radius %.4g km", r.RadiusKm)
	}
	return strings.Replace(text, "; 1 flights", "; 1 flight", 1) + zero
}
