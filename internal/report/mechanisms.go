package report

import (
	"fmt"
	"slices"
	"strconv"

	"veilpath/planner/deception"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// MechanismsFigure compares mechanisms that hide the goal. It shows the bits that an observer who knows the
// mechanism has learned after some km flown, over the cost of privacy and over the detour. Each mechanism is a
// series whose points are epsilons.
func MechanismsFigure(r *leak.Result, flownKm float64) *Figure {
	learned, outcomes := learnedAfter(r, flownKm), r.Outcomes()
	panel := func(title, label string, x func(leak.Outcome) float64) *Chart {
		chart := &Chart{Title: title, X: Axis{Label: label, FromZero: true}, Y: Axis{Label: "Bits learned", FromZero: true}}
		for k, o := range outcomes {
			i := slices.IndexFunc(chart.Series, func(s Series) bool { return s.Label == o.Way })
			if i < 0 {
				i, chart.Series = len(chart.Series), append(chart.Series,
					Series{Label: o.Way, Mark: Points, Hue: len(chart.Series) % hues, Shape: len(chart.Series) / hues % shapes})
			}
			s, bits := &chart.Series[i], learned[k]
			s.AddInterval(100*x(o), bits.Mean, bits.Mean-2*bits.StandardError, bits.Mean+2*bits.StandardError)
			name := o.Way
			if _, found := deception.Find(o.Way); !found { // it depends on epsilon
				name += ", ε " + strconv.FormatFloat(o.Epsilon, 'g', -1, 64)
			}
			s.Names = append(s.Names, name)
		}
		return chart
	}
	return &Figure{
		Title: fmt.Sprintf("Bits about the goal learned after %g km, and the cost of hiding it", flownKm),
		Subtitle: fmt.Sprintf("%d flights of every mechanism to the same goals; %.2f bits in all; bars are two standard "+
			"errors", r.Study.Flights, r.PriorBits()),
		Panels: []Panel{
			panel("Against the cost of privacy", "Value lost at the start (%)",
				func(o leak.Outcome) float64 { return o.Cost.Mean }),
			panel("Against the detour", "Mean flight time over the planned flight's, less 1 (%)",
				func(o leak.Outcome) float64 { return o.Detour.Mean }),
		},
		Note: "Every observer knows the mechanism it watches. Epsilons of different mechanisms are different guarantees.",
	}
}

// learnedAfter returns the bits that the best observer has learned in every way after some km flown.
func learnedAfter(r *leak.Result, flownKm float64) []privacy.SampleMean {
	var all []privacy.SampleMean
	for _, row := range r.Rows() {
		if row.Observer == Best(r) && row.FlownKm == flownKm {
			all = append(all, privacy.SampleMean{Mean: r.PriorBits() - row.BitsLeft, StandardError: row.StandardError})
		}
	}
	return all
}
