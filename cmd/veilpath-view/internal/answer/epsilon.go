package answer

import (
	"fmt"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

// AxisFar returns a round distance that is no less than any that the chart along epsilon shows, km.
func (a *Answers) AxisFar(mean study.Curve, treads []model.Tread) float64 {
	far := 0.0
	for _, b := range a.Baselines() {
		far = math.Max(far, b.Km)
	}
	if sum := a.Model.Ensemble.Summary(); sum.Runs > 0 {
		far = math.Max(far, sum.MeanKm)
	}
	if !a.Model.ShowsBaseline() {
		far = math.Max(far, a.Model.Private.Run.DetectionKm)
		for _, tread := range treads {
			far = math.Max(far, tread.DetectionKm)
		}
	}
	for _, km := range slices.Concat(mean.Mean, mean.High) {
		far = math.Max(far, km)
	}
	const step = 20 // km
	return step * math.Ceil(far/step)
}

// Breaks returns the epsilons at which the flight on show changes.
func (a *Answers) Breaks() []float64 {
	if a.Model.ShowsBaseline() {
		return nil
	}
	key := [2]uint64{a.Model.Axis.Version, uint64(a.Model.RunNumber)}
	return a.epsilonBreaks.Get(key, func() (at []float64) {
		for i, tread := range a.Model.Axis.Treads(a.Model.RunNumber, a.Model.Config.Adversary.RadiusKm) {
			if i > 0 {
				at = append(at, tread.Low)
			}
		}
		return at
	})
}

// PlaceAlong returns which of some ascending epsilons is the nearest, by ratio.
func PlaceAlong(epsilons []float64, epsilon float64) int {
	low, high := epsilons[0], epsilons[len(epsilons)-1]
	share := ui.Scale{Low: low, High: high, Log: true}.Share(epsilon)
	return int(math.Round(max(0, min(1, share)) * float64(len(epsilons)-1)))
}

// AxisText says what an epsilon comes to.
func (a *Answers) AxisText(epsilon float64) string {
	m := a.Model
	text := fmt.Sprintf("ε %s", chart.Number(epsilon))
	if c := m.MeanAlong(true); c.Runs > 0 && epsilon >= c.Epsilons[0] &&
		epsilon <= c.Epsilons[len(c.Epsilons)-1] {
		i := PlaceAlong(c.Epsilons, epsilon)
		text += fmt.Sprintf(": mean %s km of %d flights", chart.Fixed(c.Mean[i], 1), c.Runs)
		if c.Low != nil {
			text += fmt.Sprintf(" (%s to %s along the whole axis, 95 %%)", chart.Fixed(c.Low[i], 1), chart.Fixed(c.High[i], 1))
		}
	}
	for _, b := range a.Baselines() {
		text += fmt.Sprintf("; %s %s km", b.Word, chart.Fixed(b.Km, 1))
	}
	if m.ShowsBaseline() {
		return text
	}
	treads := m.Axis.Treads(m.RunNumber, m.Config.Adversary.RadiusKm)
	for _, tread := range slices.Backward(treads) {
		if epsilon >= tread.Low && epsilon <= tread.High {
			return text + fmt.Sprintf("; run %d %s, the same flight from ε %s to %s", m.RunNumber,
				either(tread.Detected, chart.Fixed(tread.DetectionKm, 1)+" km", "never"),
				chart.Number(model.Rounded(tread.Low)), chart.Number(model.Rounded(tread.High)))
		}
	}
	return text
}

// Short writes a value of an axis in three digits.
func Short(v float64) string { return chart.Number(model.Rounded(v)) }
