package report

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

	HandoverSpreadKm float64 // every flight's hand-over distance lies within this of HandoverKm, km

	Delta     float64 // delta of the guarantee; 0 leaves it out of the subtitle
	RadiusKm  float64 // the observer's radius; 0 leaves it out of the subtitle
	Published *Series // mean distance over epsilon to compare with, or nil
	Note      string  // below the figure
	Cause     string  // what hides the destination; empty for noise
	Turns     bool    // the direct flight turns from its first heading, see DirectName
}

// StudyFigure shows a study in two panels over epsilon: the mean detection distance with its confidence band and
// the range of 80 % of the flights, and the whole distribution, because a mean may hide two modes.
func StudyFigure(r StudyResult) (*Figure, error) {
	cells, err := r.cells()
	if err != nil {
		return nil, fmt.Errorf("report: study: %w", err)
	}
	epsilons := make([]float64, len(cells))
	for i, c := range cells {
		epsilons[i] = c.Epsilon
	}
	across := Axis{Label: "Privacy parameter ε  (stronger privacy to the left)", Scale: ScaleFor(epsilons)}
	up := Axis{Label: "Distance to target at detection (km)", FromZero: true}
	every := &distribution{title: "Every flight", x: across, y: up,
		values: func(i int) study.Sample { return cells[i].distances }}
	for _, c := range cells {
		every.at, every.means = append(every.at, c.Epsilon), append(every.means, c.MeanKm)
	}
	if h, ok := r.handover(); ok {
		h.Label = "hand-over"
		every.references = []Reference{h}
	}
	return &Figure{
		Title:    r.finding(cells),
		Subtitle: r.settings(cells),
		Note:     r.Note,
		SharedX:  true,
		Panels:   []Panel{r.meanPanel(cells, across, up), every},
	}, nil
}

// studyCell is one epsilon of a study.
type studyCell struct {
	study.Summary
	distances study.Sample
}

// cells returns the epsilons in ascending order, checked.
func (r *StudyResult) cells() ([]studyCell, error) {
	if len(r.Summaries) == 0 {
		return nil, errors.New("no epsilons to draw")
	}
	if r.DetectionKm == nil {
		return nil, errors.New("no detection distances to draw")
	}
	var cells []studyCell
	for i, summary := range r.Summaries {
		if math.IsNaN(summary.MeanKm) || summary.Runs == 0 {
			return nil, fmt.Errorf("epsilon %v has no flights to draw", summary.Epsilon)
		}
		if summary.Epsilon != study.None() {
			cells = append(cells, studyCell{summary, r.DetectionKm(i)})
		}
	}
	if len(cells) == 0 {
		return nil, errors.New("no epsilon with noise to draw")
	}
	slices.SortStableFunc(cells, func(a, b studyCell) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	for i, c := range cells[1:] {
		if c.Epsilon == cells[i].Epsilon {
			return nil, fmt.Errorf("epsilon %v occurs twice", c.Epsilon)
		}
	}
	return cells, nil
}

// runsForQuantiles is the smallest number of flights for which the 10 and 90 % quantiles lie inside the data.
const runsForQuantiles = 12

func fewestRuns(cells []studyCell) int {
	least := cells[0].Runs
	for _, c := range cells {
		least = min(least, c.Runs)
	}
	return least
}

func (r *StudyResult) meanPanel(cells []studyCell, across, up Axis) *Chart {
	mean := Series{Label: "mean", Mark: Computed}
	spread := Series{Label: "80 % of flights (10\nto 90 % quantile),\nat the listed ε", Mark: Range}
	for _, c := range cells {
		mean.AddInterval(c.Epsilon, c.MeanKm, c.CILowKm, c.CIHighKm)
		spread.X = append(spread.X, c.Epsilon)
		spread.Low, spread.High = append(spread.Low, c.P10Km), append(spread.High, c.P90Km)
	}
	chart := &Chart{Title: "Mean over the flights", X: across, Y: up}
	runs := fewestRuns(cells)
	if runs >= 2 {
		mean.Label = "mean, and its\n95 % interval"
	} else {
		mean.Low, mean.High = nil, nil
	}
	if c := r.Curve; c != nil {
		mean = Series{Label: "mean at every ε", Mark: Computed, X: c.Epsilons, Y: c.Mean, Low: c.Low, High: c.High}
		if c.Low != nil {
			mean.Label = "mean at every ε,\nand a 95 % band\nfor all ε at once"
		}
	}
	if runs >= runsForQuantiles {
		chart.Series = append(chart.Series, spread)
	}
	chart.Series = append(chart.Series, mean)
	if r.Published != nil {
		chart.Series = append(chart.Series, *r.Published)
	}
	if direct := cells[0].DirectKm; direct > 0 {
		chart.References = append(chart.References, Reference{Label: DirectLabel(r.Turns) + ": " + KmText(direct),
			At: direct, Strong: true, Dotted: true})
	}
	if planned := cells[0].PlannedKm; planned > 0 {
		chart.References = append(chart.References, Reference{Label: "planned, without\nnoise: " + KmText(planned),
			At: planned, Strong: true})
	}
	if h, ok := r.handover(); ok {
		chart.References = append(chart.References, h)
	}
	return chart
}

func (r *StudyResult) handover() (Reference, bool) {
	at := fmt.Sprintf("%.4g", r.HandoverKm)
	if s := r.HandoverSpreadKm; s > 0 {
		at = fmt.Sprintf("%.4g–%.4g", r.HandoverKm-s, r.HandoverKm+s)
	}
	return Reference{Label: fmt.Sprintf("hand-over: %s km,\nprivacy ends", at), At: r.HandoverKm}, r.HandoverKm > 0
}

// finding returns the title: the means with noise, and the distances of the flights without it.
func (r *StudyResult) finding(cells []studyCell) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		low, high = min(low, c.MeanKm), max(high, c.MeanKm)
	}
	where := ""
	switch c := r.Curve; {
	case c != nil:
		low, high = min(low, slices.Min(c.Mean)), max(high, slices.Max(c.Mean))
		where = fmt.Sprintf("At ε from %.4g to %.4g ", slices.Min(c.Epsilons), slices.Max(c.Epsilons))
	case len(cells) == 1:
		where = fmt.Sprintf("At ε = %.4g ", cells[0].Epsilon)
	}
	planned, direct := cells[0].PlannedKm, cells[0].DirectKm
	write := func(km float64) string { return fmt.Sprintf("%.*f", decimalsFor(3, low, high, planned, direct), km) }
	noisy := write(low)
	if write(low) != write(high) {
		noisy += "–" + write(high)
	}
	cause := cmp.Or(r.Cause, "noise")
	text := "recognised " + noisy + " km from the target with " + cause
	if high == 0 {
		text = "never recognised with " + cause
	}
	text += "; without noise " + kmOrNever(planned, write)
	if !math.IsNaN(direct) {
		text += ", direct flight " + kmOrNever(direct, write)
	}
	return Sentence(where + text)
}

// kmOrNever formats a detection distance with write. 0 means never.
func kmOrNever(km float64, write func(float64) string) string {
	if km == 0 {
		return "never"
	}
	return write(km) + " km"
}

// settings returns the subtitle: what was measured, with which settings.
func (r *StudyResult) settings(cells []studyCell) string {
	least, most := fewestRuns(cells), 0
	for _, c := range cells {
		most = max(most, c.Runs)
	}
	runs := axis.Thousands(fmt.Sprint(least))
	if least != most {
		runs += " to " + axis.Thousands(fmt.Sprint(most))
	}
	runs += " flight"
	if most > 1 {
		runs += "s"
	}
	parts := []string{"Mean distance to the target at which the observer names it; " + runs + " for each ε"}
	if r.Delta > 0 {
		parts = append(parts, fmt.Sprintf("δ = %.4g", r.Delta))
	}
	if r.RadiusKm > 0 {
		parts = append(parts, fmt.Sprintf("observer's radius %.4g km", r.RadiusKm))
	}
	settings := strings.Join(parts, ", ")
	for _, c := range cells {
		if slices.Contains(c.distances.Values, 0) {
			return settings + "; a flight never recognised counts as 0 km"
		}
	}
	return settings
}
