package report

import (
	"cmp"
	"errors"
	"fmt"
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
	f.HeightInches = 1.8 + 3.2*float64(len(f.Panels))

	strongest := slices.Min(all)
	at := func(o Attributed) float64 {
		k := slices.IndexFunc(o.Summaries, func(s study.Summary) bool { return s.Epsilon == strongest })
		return o.Summaries[k].MeanKm
	}
	byDistance := func(a, b Attributed) int { return cmp.Compare(at(a), at(b)) }
	far, near := slices.MaxFunc(observers, byDistance), slices.MinFunc(observers, byDistance)
	decimals := decimalsFor(2, at(far), at(near))
	f.Title = fmt.Sprintf("At ε = %.4g the destination is recognised %.*f km from the target on average", strongest,
		decimals, at(far))
	if at(far) != at(near) {
		f.Title += fmt.Sprintf(" by the observer %q, %.*f km by %q", far.Name, decimals, at(near), near.Name)
	}
	return f, nil
}
