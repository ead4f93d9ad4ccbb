package report

import (
	"fmt"
	"math"
	"slices"

	"veilpath/sim/cost"
)

// CostFigure shows the cost of privacy over epsilon for every mechanism with its interval, and below it the bounds
// of the theorems: on the cost, by Theorem 3, and on the additional sweeps, by Theorem 6. summaries are ordered by
// mechanism and then by ascending epsilon. curves are the costs over a range of epsilon, if there is one. ceiling
// is the largest possible cost of any policy. Mechanisms with the same costs, such as both mechanisms for a single
// agent, share a line.
func CostFigure(title, problem string, summaries []cost.Summary, curves []cost.Curve, ceiling float64) *Figure {
	measured := &Chart{Title: "Measured cost of privacy", Y: Axis{Label: "Cost of privacy (%)", FromZero: true}}
	allowed := &Chart{Title: "Bound on the cost by Theorem 3 and Corollary 1",
		Y: Axis{Label: "Cost of privacy (%), log scale", Scale: Log}}
	sweeps := &Chart{Title: "Bound on the additional sweeps of value iteration by Theorem 6",
		Y: Axis{Label: "Sweeps", FromZero: true}}
	var epsilons []float64
	for first, hue := 0, 0; first < len(summaries); hue = (hue + 1) % hues {
		end := first
		for end < len(summaries) && summaries[end].Mechanism == summaries[first].Mechanism {
			end++
		}
		own := summaries[first:end]
		name := own[0].Mechanism
		mean := Series{Label: name, Mark: Computed, Hue: hue}
		bound := Series{Label: name, Mark: Bound, Hue: hue}
		more := Series{Label: name, Mark: Bound, Hue: hue}
		for _, s := range own {
			epsilons = append(epsilons, s.Epsilon)
			mean.AddInterval(s.Epsilon, 100*s.Mean, 100*s.Low, 100*s.High)
			bound.Add(s.Epsilon, 100*finite(s.CostBound))
			more.Add(s.Epsilon, finite(s.ExtraSweepsBound))
		}
		measured.Series, allowed.Series, sweeps.Series = joined(measured.Series, mean, ", "),
			joined(allowed.Series, bound, ", "), joined(sweeps.Series, more, ", ")
		first = end
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
		measured.Series = append(measured.Series, s)
	}
	measured.drawCeiling(ceiling)
	var panels []Panel
	for _, c := range []*Chart{measured, allowed, sweeps} {
		if !slices.ContainsFunc(c.Series, func(s Series) bool { return s.drawn() }) {
			continue // nothing is known, because the optimal value is 0 and the cost is relative to it
		}
		c.X.Scale = ScaleFor(epsilons)
		panels = append(panels, c)
	}
	panels[len(panels)-1].(*Chart).X.Label = "Privacy parameter ε"
	return &Figure{Title: title, Panels: panels, SharedX: true, HeightInches: 10,
		Subtitle: fmt.Sprintf("%s; %d runs of every epsilon and mechanism; bands: 95 %% intervals of the mean", problem,
			summaries[0].Runs)}
}

// drawCeiling draws the largest possible cost of any policy, if the costs are not flat beside it.
func (c *Chart) drawCeiling(ceiling float64) {
	const flat = 4 // times the highest cost
	xs, ys := emptySpan(Linear), emptySpan(Linear)
	for i := range c.Series {
		c.Series[i].include(&xs, &ys)
	}
	if 100*ceiling <= flat*ys.high {
		c.References = append(c.References, Reference{Label: fmt.Sprintf("largest possible\ncost: %.3g %%", 100*ceiling),
			At: 100 * ceiling})
	}
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

// finite returns NaN for an infinite bound.
func finite(bound float64) float64 {
	if math.IsInf(bound, 0) {
		return math.NaN()
	}
	return bound
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
