package report

import (
	"fmt"
	"math"
	"slices"

	"veilpath/sim/cost"
)

// CostFigure shows the cost of privacy over epsilon for every mechanism, with its interval. summaries are ordered by
// mechanism and then by ascending epsilon. curves are the costs over a range of epsilon, if there is one. Mechanisms
// with the same costs share a line.
func CostFigure(title, problem string, summaries []cost.Summary, curves []cost.Curve) *Figure {
	c := &Chart{X: Axis{Label: "Privacy parameter ε"}, Y: Axis{Label: "Value lost (%)", FromZero: true}}
	var epsilons []float64
	for first, hue := 0, 0; first < len(summaries); hue = (hue + 1) % hues {
		mean := Series{Label: summaries[first].Mechanism, Mark: Computed, Hue: hue}
		for ; first < len(summaries) && summaries[first].Mechanism == mean.Label; first++ {
			s := &summaries[first]
			epsilons = append(epsilons, s.Epsilon)
			mean.AddInterval(s.Epsilon, 100*s.Mean, 100*s.Low, 100*s.High)
		}
		c.Series = joined(c.Series, mean, ", ")
	}
	var along []Series
	for i := range curves {
		along = joined(along, curveOf(&curves[i], i%hues), ", ")
	}
	for _, s := range along {
		if s.Mark == Exact {
			s.Label += ",\nthese runs at every ε"
		} else {
			s.Label += ",\nbounds of these runs\nat every ε"
		}
		c.Series = append(c.Series, s)
	}
	c.X.Scale = ScaleFor(epsilons)
	return &Figure{Title: title, Panels: []Panel{c},
		Subtitle: fmt.Sprintf("%s; %d runs of every epsilon and mechanism; bands: 95 %% intervals of the mean", problem,
			summaries[0].Runs)}
}

// joined appends a series. If a series that is drawn has the same data except for rounding, it appends only the name,
// after a separator, because one line would hide the other.
func joined(all []Series, s Series, between string) []Series {
	const rounding = 1e-9 // relative, of values above 1
	same := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool {
			return x == y || math.Abs(x-y) <= rounding*max(1, math.Abs(x)) || math.IsNaN(x) && math.IsNaN(y)
		})
	}
	for i := range all {
		if o := &all[i]; s.drawn() && same(o.X, s.X) && same(o.Y, s.Y) && same(o.Low, s.Low) && same(o.High, s.High) {
			o.Label += between + s.Label
			return all
		}
	}
	return append(all, s)
}

// curveOf returns the cost of a mechanism over a range of epsilon: the mean, or its bounds if it is not exact.
func curveOf(c *cost.Curve, hue int) Series {
	least, most := make([]float64, len(c.Least)), make([]float64, len(c.Most))
	for i := range least {
		least[i], most[i] = 100*c.Least[i], 100*c.Most[i]
	}
	if c.Exact() {
		return Series{Label: c.Mechanism, Mark: Exact, Hue: hue, X: c.Epsilons, Y: least}
	}
	return Series{Label: c.Mechanism, Mark: Range, Hue: hue, X: c.Epsilons, Low: least, High: most}
}
