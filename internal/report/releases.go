package report

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// ReleasesFigure shows the bits left to learn about one goal over the number of flights to it, in a panel for
// every observer, and below them the epsilon of the composed guarantee. An epsilon has the same colour in all
// panels. If there are more epsilons than colours, only the first are drawn. Lines that coincide are drawn once
// with all their names.
func ReleasesFigure(rows []leak.ReleasesRow, priorBits float64) *Figure {
	f := &Figure{Title: "Several flights to one goal", Subtitle: "Bands are two standard errors of the mean",
		SharedX: true}
	budget := &Chart{Title: "Guarantee for one entry of all releases together",
		Y: Axis{Label: "ε at the same δ", FromZero: true}}
	var observers []string
	var epsilons []float64
	for _, r := range rows {
		if !slices.Contains(observers, r.Observer) {
			observers = append(observers, r.Observer)
		}
		if !slices.Contains(epsilons, r.Epsilon) {
			epsilons = append(epsilons, r.Epsilon)
		}
	}
	if len(epsilons) > hues {
		f.Subtitle += fmt.Sprintf("; %d of %d epsilons", hues, len(epsilons))
		epsilons = epsilons[:hues]
	}
	for _, observer := range observers {
		bits := &Chart{Title: "Left to learn before the hand-over, observer " + observer,
			Y: Axis{Label: "Bits", FromZero: true},
			References: []Reference{{Label: fmt.Sprintf("before any flight:\n%.2f bits", priorBits), At: priorBits,
				Strong: true}}}
		for hue, epsilon := range epsilons {
			fresh := Series{Label: "new noise, " + atEpsilon(epsilon), Mark: Computed, Hue: hue}
			reused := Series{Label: "one release, " + atEpsilon(epsilon), Mark: Bound, Hue: hue}
			composed := Series{Label: atEpsilon(epsilon), Mark: Computed, Hue: hue}
			for _, r := range rows {
				if r.Observer != observer || r.Epsilon != epsilon {
					continue
				}
				flights := float64(r.Flights)
				fresh.add(flights, r.Fresh.SampleMean)
				reused.add(flights, r.Reused.SampleMean)
				if !math.IsNaN(r.ComposedEpsilon) {
					composed.Add(flights, r.ComposedEpsilon)
				}
			}
			bits.Series = joined(joined(bits.Series, fresh, ",\n"), reused, ",\n")
			if observer == observers[0] && len(composed.X) > 0 {
				budget.Series = append(budget.Series, composed)
			}
		}
		f.Panels = append(f.Panels, bits)
	}
	if len(budget.Series) > 0 {
		f.Panels = append(f.Panels, budget)
	}
	f.Panels[len(f.Panels)-1].(*Chart).X = Axis{Label: "Flights to one goal", FromZero: true}
	f.HeightInches = 2.5 + 2.5*float64(len(f.Panels))
	return f
}

// add appends a mean with two standard errors.
func (s *Series) add(x float64, y privacy.SampleMean) {
	s.AddInterval(x, y.Mean, max(0, y.Mean-2*y.StandardError), y.Mean+2*y.StandardError)
}

// TrialsFigure shows the results at the epsilons that were tried, in ascending order, and the demand. finding is the
// title.
func TrialsFigure(trials []leak.Trial, d leak.Demand, finding string) *Figure {
	c := &Chart{Title: Sentence(d.Quantity()), X: Axis{Label: "ε", Scale: Log},
		Y:          Axis{Label: Sentence(d.Quantity()), FromZero: true},
		References: []Reference{{Label: fmt.Sprintf("demand: %g", d.Limit()), At: d.Limit(), Strong: true}}}
	mean := Series{Label: "mean"}
	for _, t := range trials {
		mean.add(t.Epsilon, t.SampleMean)
	}
	c.Series = []Series{mean}
	f := &Figure{Title: Sentence(finding), Subtitle: "Bands are two standard errors of the mean", Panels: []Panel{c}}
	if utf8.RuneCountInString(finding) > longestTitle {
		f.Title, f.Subtitle = "Which privacy meets the demand", Sentence(finding)+". "+f.Subtitle+"."
	}
	return f
}
