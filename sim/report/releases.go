package report

import (
	"cmp"
	"fmt"
	"slices"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// ReleasesFigure shows what is left to learn about one goal against the number of flights to it, above the epsilon
// that the exact composed guarantee has come to.
func ReleasesFigure(rows []leak.ReleasesRow, priorBits float64) *Figure {
	bits := &Chart{Title: "Left to learn before the hand-over", Y: Axis{Label: "Bits", FromZero: true},
		References: []Reference{{Label: fmt.Sprintf("before any flight:\n%.2f bits", priorBits), At: priorBits, Strong: true}}}
	budget := &Chart{Title: "Guarantee for one entry of all releases together", X: Axis{Label: "Flights to one goal", FromZero: true}, Y: Axis{Label: "ε at the same δ", FromZero: true}}
	for _, r := range rows {
		name := r.Observer + ", " + atEpsilon(r.Epsilon)
		point(bits, name+", fresh", float64(r.Flights), r.Fresh.SampleMean)
		point(bits, name+", one release", float64(r.Flights), r.Reused.SampleMean)
		if r.Observer == rows[0].Observer && r.ComposedEpsilon == r.ComposedEpsilon {
			point(budget, atEpsilon(r.Epsilon), float64(r.Flights), privacy.SampleMean{Mean: r.ComposedEpsilon})
		}
	}
	f := &Figure{Title: "Several flights to one goal", Subtitle: "bands are two standard errors of the mean", SharedX: true, Panels: []Panel{bits, budget}, HeightInches: 7.5}
	return f
}

// point adds a point to the series of a name.
func point(c *Chart, name string, x float64, y privacy.SampleMean) {
	i := slices.IndexFunc(c.Series, func(s Series) bool { return s.Label == name })
	if i < 0 {
		i, c.Series = len(c.Series), append(c.Series, Series{Label: name, Mark: Computed, Hue: len(c.Series) % hues})
	}
	s := &c.Series[i]
	s.X, s.Y = append(s.X, x), append(s.Y, y.Mean)
	s.Low, s.High = append(s.Low, max(0, y.Mean-2*y.StandardError)), append(s.High, y.Mean+2*y.StandardError)
}

// TrialsFigure shows what epsilons that were tried come to against a demand. finding is its title.
func TrialsFigure(trials []leak.Trial, d leak.Demand, finding string) *Figure {
	c := &Chart{Title: sentence(d.Quantity()), X: Axis{Label: "ε", Scale: Log}, Y: Axis{Label: d.Quantity()},
		References: []Reference{{Label: fmt.Sprintf("demanded: %g", d.Limit()), At: d.Limit(), Strong: true}}}
	ascending := slices.Clone(trials)
	slices.SortFunc(ascending, func(a, b leak.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	for _, t := range ascending {
		point(c, "mean", t.Epsilon, t.SampleMean)
	}
	return &Figure{Title: sentence(finding), Subtitle: "bands are two standard errors of the mean", Panels: []Panel{c}}
}
