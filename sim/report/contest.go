package report

import (
	"fmt"
	"slices"
	"strconv"

	"veilpath/sim/leak"
)

// ContestFigure shows ways of hiding the goal: what an observer who knows the way learns against what it costs, and
// against how much longer the flights are. A curve is one mechanism, its points the epsilons.
func ContestFigure(c *leak.Contest, outcomes []leak.Outcome) *Figure {
	var names []string
	for _, o := range outcomes {
		if !slices.Contains(names, o.Mechanism) {
			names = append(names, o.Mechanism)
		}
	}
	panel := func(title, label string, x func(leak.Outcome) float64) *Chart {
		chart := &Chart{Title: title, X: Axis{Label: label, FromZero: true}, Y: Axis{Label: "Bits learned", FromZero: true}}
		for i, name := range names {
			s := Series{Label: name, Mark: Points, Hue: i % hues}
			for _, o := range outcomes {
				if o.Mechanism != name {
					continue
				}
				s.X, s.Y = append(s.X, 100*x(o)), append(s.Y, o.Learned.Mean)
				s.Low, s.High = append(s.Low, o.Learned.Mean-2*o.Learned.StandardError), append(s.High, o.Learned.Mean+2*o.Learned.StandardError)
				s.Names = append(s.Names, "ε "+strconv.FormatFloat(o.Epsilon, 'g', -1, 64))
			}
			chart.Series = append(chart.Series, s)
		}
		return chart
	}
	return &Figure{
		Title: fmt.Sprintf("What hiding the goal leaks after %g km, and what it costs", c.FlownKm),
		Subtitle: fmt.Sprintf("%d flights of every mechanism to the same goals, of which there are %.2f bits; bars are two standard errors",
			c.Flights, c.World.PriorBits()),
		Panels: []Panel{
			panel("Against the cost of privacy", "Value lost at the start (%)", func(o leak.Outcome) float64 { return o.Cost.Mean }),
			panel("Against the detour", "Flight time over the direct flight's, less 1 (%)", func(o leak.Outcome) float64 { return o.Detour.Mean }),
		},
		Note: "Every observer knows the mechanism it watches. Epsilons of different mechanisms promise different things.",
	}
}
