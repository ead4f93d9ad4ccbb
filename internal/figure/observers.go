package figure

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

// ObserversFigure shows where several observers recognise the destination of the same flights: a line over epsilon for
// every observer, with its intervals, and dashed in its colour the flight without noise. Study.None() is not drawn. A
// panel has as many observers as there are colours.
func ObserversFigure(observers []Observed, subtitle string) (*Figure, error) {
	f := &Figure{Subtitle: subtitle + "; bands are 95 % intervals of means, dashed: without noise", SharedX: true}
	var strongest []*study.Summary // of every observer, at the smallest epsilon
	for i, o := range observers {
		noisy := noisyOf(o.Summaries)
		if len(noisy) == 0 {
			return nil, errors.New("figure: observers: no epsilon with noise to draw")
		}
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
		chart.Series = append(chart.Series, mean, planned)
		chart.X = Axis{Label: "Privacy parameter ε  (stronger privacy to the left)", Scale: ScaleFor(mean.X)}
		strongest = append(strongest, &noisy[0])
	}
	f.HeightInches = 1.8 + 3.2*float64(len(f.Panels))
	far, near := 0, 0
	for i, s := range strongest {
		if s.MeanKm > strongest[far].MeanKm {
			far = i
		}
		if s.MeanKm < strongest[near].MeanKm {
			near = i
		}
	}
	text := func(i int) string {
		s := strongest[i]
		return fmt.Sprintf("%s by %q", phrase.Km(s.MeanKm, s.CILowKm, s.CIHighKm), observers[i].Name)
	}
	f.Title = fmt.Sprintf("At ε = %.4g recognised on average %s", strongest[0].Epsilon, text(far))
	if near != far {
		f.Title += ", " + text(near)
	}
	return f, nil
}

// Observed is what an observer made of a study's flights.
type Observed struct {
	Name      string
	Summaries []study.Summary
}

// noisyOf returns the summaries with noise, in ascending order of epsilon.
func noisyOf(all []study.Summary) []study.Summary {
	noisy := slices.DeleteFunc(slices.Clone(all), func(s study.Summary) bool { return s.Epsilon == study.None() })
	slices.SortFunc(noisy, func(a, b study.Summary) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	return noisy
}
