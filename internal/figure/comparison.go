package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"veilpath/internal/table"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// Contrasted holds the differences of two sides over epsilon, for one setting, mechanism or radius.
type Contrasted struct {
	Label     string // the setting, mechanism or radius; empty if there is only one
	Epsilons  []float64
	Contrasts [][]study.Contrast // by epsilon
}

// comparedPanels are the quantities that a comparison's figure shows if they exist. The factor converts them to
// the label's unit.
var comparedPanels = []struct {
	name, title, label string
	factor             float64
}{
	{"mean_km", "Mean detection distance: below 0, B is recognised nearer to the target", "B less A (km)", 1},
	{"cost_of_privacy", "Value lost", "B less A (points of %)", 100},
	{"path_overhead", "Detour", "B less A (points of %)", 100},
}

// moved reports whether any difference is not 0.
func moved(all []Series) bool {
	return slices.ContainsFunc(all, func(s Series) bool {
		return slices.ContainsFunc(s.Y, func(y float64) bool { return y != 0 })
	})
}

// ComparisonFigure shows differences with their intervals over epsilon, in a panel for each main quantity that
// differs. It draws at most five of the compared settings, spread evenly.
func ComparisonFigure(title, subtitle string, compared []Contrasted) *Figure {
	f := &Figure{Title: title, Subtitle: subtitle, SharedX: true,
		Note: "Bands and bars: 95 % intervals of the difference, at each epsilon by itself."}
	shown := table.Spread(len(compared), hues)
	for _, panel := range comparedPanels {
		chart := &Chart{Title: panel.title, Y: Axis{Label: panel.label},
			References: []Reference{{Label: "no difference", At: 0}}}
		var epsilons []float64
		for hue, i := range shown {
			if s := compared[i].series(panel.name, panel.factor, hue); len(s.X) > 0 {
				chart.Series = append(chart.Series, s)
				epsilons = append(epsilons, s.X...)
			}
		}
		if moved(chart.Series) || len(chart.Series) > 0 && len(f.Panels) == 0 {
			chart.X = Axis{Label: "Privacy parameter ε", Scale: ScaleFor(epsilons)}
			f.Panels = append(f.Panels, chart)
		}
	}
	f.HeightInches = 1.8 + 2.4*float64(len(f.Panels))
	if len(compared) > len(shown) {
		f.Note += fmt.Sprintf(" %d of %d are drawn.", len(shown), len(compared))
	}
	return f
}

// series returns the differences of a quantity, times a factor, in the order of epsilon.
func (c *Contrasted) series(name string, factor float64, hue int) Series {
	s := Series{Label: strings.ReplaceAll(c.Label, ", ", "\n"), Mark: Computed, Hue: hue}
	at := map[float64]study.Contrast{}
	for i, contrasts := range c.Contrasts {
		k := slices.IndexFunc(contrasts, func(of study.Contrast) bool { return of.Name == name })
		if k >= 0 && c.Epsilons[i] != study.None() { // which has no place on the axis
			at[c.Epsilons[i]] = contrasts[k]
		}
	}
	for _, epsilon := range slices.Sorted(maps.Keys(at)) {
		d := at[epsilon]
		s.AddInterval(epsilon, factor*d.Difference, factor*d.Low, factor*d.High)
	}
	return s
}

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
