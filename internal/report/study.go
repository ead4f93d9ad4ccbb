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
	Tied      bool    // the plan without noise is one of several, so no effect of noise is shown
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
	return &Figure{
		Title:    r.finding(cells),
		Subtitle: r.settings(cells),
		Note:     r.Note,
		SharedX:  true,
		Panels:   []Panel{r.meanPanel(cells, across, up), r.distributionPanel(cells, across, up)},
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

func (r *StudyResult) distributionPanel(cells []studyCell, across, up Axis) *Distribution {
	d := &Distribution{
		Title: "Every flight", X: across, Y: up,
		Values:    func(i int) study.Sample { return cells[i].distances },
		ZeroLabel: "never", What: "flights", Unit: "km",
		CentreName: "mean",
	}
	for _, c := range cells {
		d.At, d.Centre = append(d.At, c.Epsilon), append(d.Centre, c.MeanKm)
	}
	if h, ok := r.handover(); ok {
		h.Label = "hand-over"
		d.References = []Reference{h}
	}
	if m, ok := twoModes(cells); ok {
		d.Title = fmt.Sprintf("Every flight: %sone mean stands for two outcomes, detection %s km and %s km from the "+
			"target", m.at(len(cells)), m.where(m.far), m.where(m.near))
		d.Notes = []Note{
			{Label: m.share(cells, m.far), At: m.far.median},
			{Label: m.share(cells, m.near), At: m.near.median},
		}
	}
	return d
}

// finding returns the title: the result of the study in one sentence.
func (r *StudyResult) finding(cells []studyCell) string {
	low, high, shown := math.Inf(1), math.Inf(-1), noiseEffect(cells)
	for _, c := range cells {
		low, high = min(low, c.MeanKm), max(high, c.MeanKm)
	}
	if r.Curve != nil {
		low, high = min(low, slices.Min(r.Curve.Mean)), max(high, slices.Max(r.Curve.Mean))
		if !r.listedAll(cells) && !r.bandBeside(cells[0].PlannedKm, shown) {
			shown = 0 // not shown at every epsilon that is drawn
		}
	}
	if r.Tied {
		shown = 0
	}
	planned := cells[0].PlannedKm
	decimals := titleDecimals(low, high, planned)
	write := func(km float64) string { return fmt.Sprintf("%.*f", decimals, km) }
	if low != high || low != planned {
		if write(low) == write(planned) || write(high) == write(planned) {
			decimals++ // to show the difference
		}
	}
	noisy := write(low) + " km"
	if write(low) != write(high) {
		noisy = write(low) + "–" + write(high) + " km"
	}
	cause := cmp.Or(r.Cause, "noise")
	sentence := "recognised " + noisy + " from the target with " + cause
	switch {
	case shown == 0 && high == 0:
		sentence = "never recognised with " + cause
	case shown < 0:
		sentence = cause + " hides the destination until " + noisy + " from the target"
	case shown > 0:
		sentence = cause + " gives the destination away " + noisy + " from the target"
	}
	without := "; without noise " + kmOrNever(planned, write)
	if shown == 0 && high > 0 && write(low) == write(high) && write(high) == write(planned) {
		sentence, without = "recognised "+noisy+" from the target with and without "+cause, ""
	}
	switch c := r.Curve; {
	case c != nil:
		sentence = fmt.Sprintf("At ε from %.4g to %.4g ", slices.Min(c.Epsilons), slices.Max(c.Epsilons)) + sentence
	case len(cells) == 1:
		sentence = fmt.Sprintf("At ε = %.4g ", cells[0].Epsilon) + sentence
	}
	sentence += without
	if direct := cells[0].DirectKm; !math.IsNaN(direct) {
		decimals = titleDecimals(direct)
		sentence += ", " + directWay(r.Turns) + " " + kmOrNever(direct, write)
	}
	return Sentence(sentence)
}

// listedAll reports whether the whole curve lies between listed epsilons.
func (r *StudyResult) listedAll(cells []studyCell) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		least, most = min(least, c.Epsilon), max(most, c.Epsilon)
	}
	return least <= slices.Min(r.Curve.Epsilons) && most >= slices.Max(r.Curve.Epsilons)
}

// bandBeside reports whether the whole band of the curve is below a distance (sign -1) or above it (sign 1).
func (r *StudyResult) bandBeside(km float64, sign int) bool {
	if r.Curve.Low == nil {
		return false
	}
	return sign < 0 && slices.Max(r.Curve.High) < km || sign > 0 && slices.Min(r.Curve.Low) > km
}

// kmOrNever formats a detection distance with write. 0 means never.
func kmOrNever(km float64, write func(float64) string) string {
	if km == 0 {
		return "never"
	}
	return write(km) + " km"
}

// noiseEffect returns -1 if the intervals show that noise hides the destination at every epsilon, 1 if they show
// that it reveals the destination at every epsilon, and otherwise 0, also if the flights that a limit ended decide the
// sign.
func noiseEffect(cells []studyCell) int {
	hides, reveals := 0, 0
	for _, c := range cells {
		switch {
		case c.NoiseTurns() != 0:
			return 0
		case c.NoiseHighKm < 0:
			hides++
		case c.NoiseLowKm > 0:
			reveals++
		}
	}
	switch len(cells) {
	case hides:
		return -1
	case reveals:
		return 1
	}
	return 0
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
