package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"veilpath/internal/pool"
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
	shown := compared
	if len(shown) > hues {
		shown = nil
		for i := range hues {
			shown = append(shown, compared[i*(len(compared)-1)/(hues-1)])
		}
	}
	for _, panel := range comparedPanels {
		chart := &Chart{Title: panel.title, Y: Axis{Label: panel.label},
			References: []Reference{{Label: "no difference", At: 0}}}
		var epsilons []float64
		for hue, c := range shown {
			if s := c.series(panel.name, panel.factor, hue); len(s.X) > 0 {
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
	order := slices.Collect(pool.Numbers(0, len(c.Epsilons)))
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(c.Epsilons[i], c.Epsilons[k]) })
	for _, i := range order {
		if c.Epsilons[i] == study.None() {
			continue // no place on the axis
		}
		k := slices.IndexFunc(c.Contrasts[i], func(of study.Contrast) bool { return of.Name == name })
		if k < 0 {
			continue
		}
		d := c.Contrasts[i][k]
		s.AddInterval(c.Epsilons[i], factor*d.Difference, factor*d.Low, factor*d.High)
	}
	return s
}
