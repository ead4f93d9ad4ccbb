package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/sim/study"
)

// ObserversFigure shows where several observers recognise the destination of the same flights: a line over epsilon for
// every observer, with its intervals, and dashed in its colour the flight without noise. Study.None() is not drawn. A
// panel has as many observers as there are colours.
func ObserversFigure(observers []Attributed, subtitle string) (*Figure, error) {
	f := &Figure{Subtitle: subtitle + "; bands are 95 % intervals of means, dashed: without noise", SharedX: true}
	var all []float64
	for i, o := range observers {
		noisy := noisyOf(o.Summaries)
		if len(noisy) == 0 {
			return nil, errors.New("report: observers: no epsilon with noise to draw")
		}
		slices.SortFunc(noisy, func(a, b study.Summary) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
		if i%hues == 0 {
			f.Panels = append(f.Panels, &Chart{Y: Axis{Label: "Mean distance at detection (km)", FromZero: true}})
		}
		chart := f.Panels[len(f.Panels)-1].(*Chart)
		mean := Series{Label: o.Name, Hue: i % hues}
		planned := Series{Mark: Bound, Hue: i % hues}
		for _, s := range noisy {
			mean.AddInterval(s.Epsilon, s.MeanKm, s.CILowKm, s.CIHighKm)
			planned.Add(s.Epsilon, s.PlannedKm)
		}
		all = append(all, mean.X...)
		chart.Series = append(chart.Series, mean, planned)
	}
	for _, p := range f.Panels {
		p.(*Chart).X.Scale = ScaleFor(all)
	}
	f.Panels[len(f.Panels)-1].(*Chart).X.Label = "Privacy parameter ε  (stronger privacy to the left)"
	f.Title, f.HeightInches = observersTitle(observers), 1.8+3.2*float64(len(f.Panels))
	return f, nil
}

// observersTitle says which observers recognise the destination farthest from the target and nearest to it at the
// smallest epsilon.
func observersTitle(observers []Attributed) string {
	strongest := math.Inf(1)
	for _, s := range observers[0].Summaries {
		strongest = min(strongest, s.Epsilon)
	}
	at := func(o Attributed) float64 {
		k := slices.IndexFunc(o.Summaries, func(s study.Summary) bool { return s.Epsilon == strongest })
		return o.Summaries[k].MeanKm
	}
	byDistance := func(a, b Attributed) int { return cmp.Compare(at(a), at(b)) }
	far, near := slices.MaxFunc(observers, byDistance), slices.MinFunc(observers, byDistance)
	decimals := decimalsFor(2, at(far), at(near))
	if len(observers) == 1 || at(far) == at(near) {
		return fmt.Sprintf("At ε = %.4g all observers recognise the destination on average %.*f km from the target",
			strongest, decimals, at(far))
	}
	return fmt.Sprintf("At ε = %.4g the observer %s recognises the destination on average %.*f km from the target, "+
		"%s %.*f km", strongest, far.Name, decimals, at(far), near.Name, decimals, at(near))
}
