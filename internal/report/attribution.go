package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/sim/study"
)

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
	if len(studies) == 0 {
		return nil, errors.New("report: attribution: no studies to draw")
	}
	f := &Figure{
		Title: attributionTitle(studies),
		Subtitle: "Where the destination is recognised as the hand-over, the waypoints and noise are added to the direct " +
			"flight; bars are 95 % intervals of means",
	}
	for _, s := range studies {
		if len(s.Summaries) == 0 {
			return nil, fmt.Errorf("report: attribution: panel %q has no epsilons", s.Name)
		}
		f.Panels = append(f.Panels, attributionPanel(s))
	}
	f.HeightInches = 1.6 + 2.6*float64(len(f.Panels))
	return f, nil
}

// attributionPanel returns a panel with the steps from top to bottom.
func attributionPanel(a Attributed) *Chart {
	steps := attributionSteps(a)
	chart := &Chart{Title: a.Name, X: Axis{Label: "Distance to target at detection (km)", FromZero: true}}
	points, before, decimals := Series{Mark: Points}, math.NaN(), attributionDecimals(a.Summaries)
	for i, s := range steps {
		y := float64(len(steps) - i)
		label := fmt.Sprintf("%.*f km", decimals, s.km)
		if s.km == 0 {
			label = "never"
		}
		if !math.IsNaN(before) {
			label += " (" + signedKm(s.km-before, decimals) + ")"
		}
		points.Add(s.km, y)
		chart.Series = append(chart.Series, Series{Mark: Exact, X: []float64{s.low, s.high}, Y: []float64{y, y},
			Names: []string{"", label}})
		chart.Y.Names = append(chart.Y.Names, s.name)
		if !s.noisy { // every epsilon is compared with the planned flight
			before = s.km
		}
	}
	slices.Reverse(chart.Y.Names)
	chart.Series = append(chart.Series, points)
	return chart
}

// attributionStep is a distance at which the destination is recognised, with its interval, and the name of what
// was added last.
type attributionStep struct {
	name          string
	km, low, high float64
	noisy         bool
}

// attributionSteps returns the known baselines and the means with the noise of some epsilons.
func attributionSteps(a Attributed) (steps []attributionStep) {
	first := &a.Summaries[0]
	for _, s := range []attributionStep{
		{name: DirectName(a.Turns), km: first.DirectKm},
		{name: "with the hand-over", km: first.HandoverOnlyKm},
		{name: "along the waypoints", km: first.PlannedKm},
	} {
		if !math.IsNaN(s.km) {
			s.low, s.high = s.km, s.km
			steps = append(steps, s)
		}
	}
	for _, s := range weakestFirst(a.Summaries) {
		low, high := s.CILowKm, s.CIHighKm
		if s.Runs == 1 { // without an interval
			low, high = s.MeanKm, s.MeanKm
		}
		steps = append(steps, attributionStep{fmt.Sprintf("with noise, ε = %.4g", s.Epsilon), s.MeanKm, low, high, true})
	}
	return steps
}

// attributionTitle says how much each step changes in a single study.
func attributionTitle(studies []Attributed) string {
	first, decimals := &studies[0].Summaries[0], attributionDecimals(studies[0].Summaries)
	if len(studies) > 1 {
		return "What moves recognition, for every observer or setting"
	}
	var parts []string
	if by := first.HandoverOnlyKm - first.DirectKm; !math.IsNaN(by) {
		parts = append(parts, fmt.Sprintf("hand-over %s km, waypoints %s km", signedKm(by, decimals),
			signedKm(first.PlannedKm-first.HandoverOnlyKm, decimals)))
	}
	var noise []string // smallest and largest effect of all epsilons
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range noisyOf(studies[0].Summaries) {
		low, high = min(low, s.NoiseKm), max(high, s.NoiseKm)
	}
	for _, km := range []float64{low, high} {
		if text := signedKm(km, decimals); !math.IsInf(km, 0) && !slices.Contains(noise, text) {
			noise = append(noise, text)
		}
	}
	if len(noise) > 0 {
		parts = append(parts, "noise "+strings.Join(noise, " to ")+" km")
	}
	if len(parts) == 0 {
		return "Where the destination is recognised"
	}
	return "What moves recognition: " + strings.Join(parts, ", ")
}

// attributionDecimals returns the number of decimals of all distances and changes of a study.
func attributionDecimals(summaries []study.Summary) int {
	var all []float64
	for _, s := range summaries {
		all = append(all, s.DirectKm, s.HandoverOnlyKm, s.PlannedKm, s.MeanKm)
	}
	return labelDecimals(all...)
}

// signedKm writes a change in km with its sign, unless it rounds to 0.
func signedKm(km float64, decimals int) string {
	if nothing := fmt.Sprintf("%.*f", decimals, 0.); fmt.Sprintf("%.*f", decimals, math.Abs(km)) == nothing {
		return nothing
	}
	return fmt.Sprintf("%+.*f", decimals, km)
}

// noisyOf returns the summaries with noise.
func noisyOf(all []study.Summary) []study.Summary {
	return slices.DeleteFunc(slices.Clone(all), func(s study.Summary) bool { return s.Epsilon == study.None() })
}

// weakestFirst returns the summaries with noise that a panel shows, the weakest noise first.
func weakestFirst(all []study.Summary) []study.Summary {
	noisy := noisyOf(all)
	slices.SortFunc(noisy, func(a, b study.Summary) int { return cmp.Compare(b.Epsilon, a.Epsilon) })
	if len(noisy) <= mostNoisy {
		return noisy
	}
	some := noisy[:1:1]
	low, high := math.Log(noisy[len(noisy)-1].Epsilon), math.Log(noisy[0].Epsilon)
	for i := 1; i < mostNoisy; i++ {
		wanted := math.Exp(high + (low-high)*float64(i)/(mostNoisy-1)) // epsilons of equal ratio
		next := slices.IndexFunc(noisy, func(s study.Summary) bool { return s.Epsilon <= wanted*(1+1e-9) })
		if next >= 0 && noisy[next].Epsilon < some[len(some)-1].Epsilon {
			some = append(some, noisy[next])
		}
	}
	return some
}
