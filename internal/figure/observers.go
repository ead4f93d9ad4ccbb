package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

// ObserversFigure shows where several observers recognise the destination of the same flights: a line over epsilon for
// every observer, with its intervals, and dashed in its colour the flight without noise. Study.None() is not drawn. A
// panel has as many observers as there are colours.
func ObserversFigure(observers []Attributed, subtitle string) (*Figure, error) {
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

// Attributed is a study in an attribution: its summaries and its name in the figure.
type Attributed struct {
	Name      string // title of the panel; empty for a single study
	Summaries []study.Summary
	Turns     bool // the direct flight turns from its first heading, see DirectName
}

// mostNoisy is the largest number of epsilons in a panel of an attribution.
const mostNoisy = 4

// AttributionFigure shows, in a panel for each study, where the destination is recognised on the direct flight,
// then with the hand-over, then along the waypoints, and then with the noise of some epsilons.
func AttributionFigure(studies []Attributed) (*Figure, error) {
	f := &Figure{Title: "What moves recognition", SharedX: true, HeightInches: 1.6 + 2.6*float64(len(studies)),
		Subtitle: "Where the destination is recognised as one cause after the other is added; in brackets the change; bars " +
			"are 95 % intervals of means"}
	farthest := 0.0 // km
	for _, s := range studies {
		if len(s.Summaries) == 0 {
			return nil, errors.New("figure: attribution: no epsilons to draw")
		}
		panel := attributionPanel(s)
		for _, bar := range panel.Series {
			farthest = max(farthest, slices.Max(bar.X))
		}
		f.Panels = append(f.Panels, panel)
	}
	const labels = 1.25 // leaves room for the label of the farthest bar
	for _, panel := range f.Panels {
		panel.(*Chart).X.Range[1] = labels * farthest
	}
	return f, nil
}

// attributionPanel returns a panel with the steps from top to bottom.
func attributionPanel(a Attributed) *Chart {
	chart := &Chart{Title: a.Name, X: Axis{Label: "Distance to target at detection (km)"}}
	points, before, first := Series{Mark: Points}, math.NaN(), &a.Summaries[0]
	digits := decimals(first.DirectKm, first.HandoverOnlyKm, first.PlannedKm)
	add := func(name string, km, low, high float64) {
		if math.IsNaN(km) {
			return // it is not known
		}
		label := "never"
		if km > 0 {
			label = phrase.Fixed(km, digits) + " km"
		}
		if !math.IsNaN(before) {
			label += " (" + signed(km-before, digits) + ")"
		}
		if math.IsNaN(low) {
			low, high = km, km
		}
		y := -float64(len(points.X)) // from top to bottom
		points.Add(km, y)
		chart.Y.Names = append(chart.Y.Names, name)
		chart.Series = append(chart.Series, Series{Mark: Exact, X: []float64{low, high}, Y: []float64{y, y},
			Names: []string{"", label}})
	}
	for _, step := range []struct {
		name string
		km   float64
	}{{DirectName(a.Turns), first.DirectKm}, {"with the hand-over", first.HandoverOnlyKm},
		{"along the waypoints", first.PlannedKm}} {
		add(step.name, step.km, math.NaN(), math.NaN())
		if !math.IsNaN(step.km) {
			before = step.km // every epsilon is compared with the planned flight
		}
	}
	for _, s := range slices.Backward(someNoisy(a.Summaries)) { // the weakest noise first
		add(fmt.Sprintf("with noise, ε = %.4g", s.Epsilon), s.MeanKm, s.CILowKm, s.CIHighKm)
	}
	chart.Series = append(chart.Series, points)
	for _, s := range chart.Series {
		for i := range s.Y {
			s.Y[i] += float64(len(points.X)) // the lowest is the first of the names
		}
	}
	slices.Reverse(chart.Y.Names)
	return chart
}

// signed writes a change with its sign, unless it rounds to 0.
func signed(km float64, digits int) string {
	text := phrase.Fixed(km, digits)
	if text[0] == '-' || text == phrase.Fixed(0, digits) {
		return text
	}
	return "+" + text
}

// someNoisy returns the summaries with noise that a panel shows: some at epsilons of about equal ratios.
func someNoisy(all []study.Summary) []study.Summary {
	noisy := noisyOf(all)
	if len(noisy) <= mostNoisy {
		return noisy
	}
	var some []study.Summary
	low, ratio := noisy[0].Epsilon, noisy[len(noisy)-1].Epsilon/noisy[0].Epsilon
	for i := range mostNoisy {
		wanted := low * math.Pow(ratio, float64(i)/(mostNoisy-1)) * (1 - 1e-9) // rounding must not pass one
		k := slices.IndexFunc(noisy, func(s study.Summary) bool { return s.Epsilon >= wanted })
		if len(some) == 0 || noisy[k].Epsilon > some[len(some)-1].Epsilon {
			some = append(some, noisy[k])
		}
	}
	return some
}

// noisyOf returns the summaries with noise, in ascending order of epsilon.
func noisyOf(all []study.Summary) []study.Summary {
	noisy := slices.DeleteFunc(slices.Clone(all), func(s study.Summary) bool { return s.Epsilon == study.None() })
	slices.SortFunc(noisy, func(a, b study.Summary) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	return noisy
}
