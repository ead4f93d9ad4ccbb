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
			s.Names = append(s.Names, pointName(o))
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

// pointName returns the way of a point, with its epsilon unless it does not depend on one.
func pointName(o leak.Outcome) string {
	if _, found := deception.Find(o.Way); found {
		return o.Way
	}
	return o.Way + ", ε " + strconv.FormatFloat(o.Epsilon, 'g', -1, 64)
}

// MechanismsWords says, for the mechanisms that leak most and least after some km flown, what an observer who
// knows them has learned, and what they cost.
func MechanismsWords(r *leak.Result, flownKm float64) string {
	learned, outcomes := learnedAfter(r, flownKm), r.Outcomes()
	most, least := 0, 0
	for k, bits := range learned {
		if bits.Mean > learned[most].Mean {
			most = k
		}
		if bits.Mean < learned[least].Mean {
			least = k
		}
	}
	way := func(k int) string {
		bits, o := learned[k], outcomes[k]
		return fmt.Sprintf("%.1f %s with %s at epsilon %g%s, at a cost of %.3g %%", bits.Mean, Interval95(bits), o.Way,
			o.Epsilon, atDelta(r, o.Way, o.Epsilon), 100*o.Cost.Mean)
	}
	text := fmt.Sprintf("of %.2f bits about the goal, an observer who knows the mechanism has learned after %g km: %s",
		r.PriorBits(), flownKm, way(most))
	if most != least {
		text += ", and " + way(least)
	}
	return text
}

// deviations95 is half of a 95 % interval, in standard errors.
const deviations95 = 1.96

// Interval95 writes the 95 % interval of a mean of bits in brackets.
func Interval95(m privacy.SampleMean) string {
	return fmt.Sprintf("(%.1f .. %.1f)", m.Mean-deviations95*m.StandardError, m.Mean+deviations95*m.StandardError)
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
