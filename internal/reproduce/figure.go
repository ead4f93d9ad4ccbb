package reproduce

import (
	"math"
	"strings"

	"veilpath/internal/figure"
)

// figureWidth and figureHeight are the size of figures, in inches.
const figureWidth, figureHeight = 9, 4.6

// Figure returns the published curves of an item with the computed ones over them; nil for an item without curves.
// Bars reach two standard errors to either side.
func (r *Result) Figure() *figure.Figure {
	if r.Item.along == "" {
		return nil
	}
	chart := &figure.Chart{X: figure.Axis{Label: r.Item.along}}
	at := map[string]int{} // where the two series of a curve begin
	var xs, ys []float64
	for _, j := range r.Judgements {
		for i, n := range j.Numbers {
			name := j.Name
			if last := strings.LastIndex(n.Label, ", "); last >= 0 { // several curves in one quantity
				name = n.Label[:last]
			}
			if _, known := at[name]; !known {
				at[name] = len(chart.Series)
				hue := len(chart.Series) / 2
				chart.Series = append(chart.Series,
					figure.Series{Label: name + ", published", Mark: figure.Published, Hue: hue},
					figure.Series{Label: name + ", computed", Mark: figure.Computed, Hue: hue})
			}
			v := j.Reading().Values[i]
			chart.Series[at[name]].Add(n.X, n.Published)
			chart.Series[at[name]+1].AddInterval(n.X, v.Mean, v.Mean-2*v.SE, v.Mean+2*v.SE)
			xs, ys = append(xs, n.X), append(ys, n.Published, v.Mean-2*v.SE)
		}
	}
	chart.X.Scale, chart.Y.Scale = scaleOf(xs), scaleOf(ys)
	return &figure.Figure{Title: r.Item.Title, Subtitle: r.Item.Where + "; rings: published, lines: computed",
		Panels: []figure.Panel{chart}, WidthInches: figureWidth, HeightInches: figureHeight}
}

// scaleOf returns a logarithmic scale for positive values that differ by more than a factor of 20.
func scaleOf(values []float64) figure.Scale {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	if least > 0 && most > 20*least {
		return figure.Log
	}
	return figure.Linear
}
