package reproduce

import (
	"math"
	"strings"

	"veilpath/internal/report"
)

// publishedCurve returns the series of published numbers.
func publishedCurve(label string, hue int, numbers []Number) report.Series {
	s := report.Series{Label: label, Mark: report.Published, Hue: hue}
	for _, n := range numbers {
		s.Add(n.X, n.Published)
	}
	return s
}

// computedCurve returns the series of a reading's values at the same places, with two standard errors on either
// side.
func computedCurve(label string, mark report.Mark, hue int, numbers []Number, values []Value) report.Series {
	const errors = 2 // a 95 % interval
	s := report.Series{Label: label, Mark: mark, Hue: hue}
	sampled := false
	for i, n := range numbers {
		v := values[i]
		s.AddInterval(n.X, v.Mean, v.Mean-errors*v.SE, v.Mean+errors*v.SE)
		sampled = sampled || v.SE > 0
	}
	if !sampled {
		s.Low, s.High = nil, nil
	}
	return s
}

// positive removes what a logarithmic axis cannot show: values at or below 0, and intervals that reach 0.
func positive(s report.Series) report.Series {
	for i := range s.Y {
		if s.Low != nil && s.Low[i] <= 0 {
			s.Low[i], s.High[i] = math.NaN(), math.NaN()
		}
		if s.Y[i] <= 0 {
			s.Y[i] = math.NaN()
		}
	}
	return s
}

// figureWidth and figureHeight are the size of figures with one panel, in inches.
const figureWidth, figureHeight = 9, 4.6

func newFigure(name, title, subtitle string, panels ...report.Panel) Figure {
	return Figure{Name: name, Draw: &report.Figure{
		Title: title, Subtitle: subtitle, Panels: panels, WidthInches: figureWidth, HeightInches: figureHeight,
	}}
}

// cutLabel splits a label such as "input, R_max = 5, ε = 1" before its last part.
func cutLabel(label string) (before, after string, found bool) {
	i := strings.LastIndex(label, ", ")
	if i < 0 {
		return label, "", false
	}
	return label[:i], label[i+2:], true
}
