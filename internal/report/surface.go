package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"veilpath/internal/plot"
)

// surface is a panel that shows a quantity over two parameters as a heat map with contours.
type surface struct {
	X, Y   Axis
	Xs, Ys []float64   // coordinates of Z: ascending, at least two each
	Z      [][]float64 // Z[i][j] at Xs[i], Ys[j]; NaN is unknown and stays blank
	ZLabel string      // the quantity with its unit, in lines
	Strong float64     // level whose contour is drawn thick, beside those of round levels; NaN for none
	Points []Series    // drawn on top, such as a chosen point
	Sides  bool        // the sides of the strong level are named: met where Z is at most that, and not met
}

func (p *surface) chart() (*plot.Chart, error) {
	xe, ye := cellEdges(p.Xs, p.X.Scale), cellEdges(p.Ys, p.Y.Scale)
	across, up := p.X, p.Y
	across.Range, up.Range = [2]float64{xe[0], xe[len(xe)-1]}, [2]float64{ye[0], ye[len(ye)-1]} // cells fill the panel
	c, err := newChart("", across, up, span{}, span{})
	if err != nil {
		return nil, err
	}
	zs := spanOf(slices.Concat(p.Z...)...)
	if zs.sole() {
		zs = zs.around(Linear)
	}
	z := plot.Scale{Low: zs.low, High: zs.high}
	for j := range p.Ys {
		for i, k := 0, 0; i < len(p.Xs); i = k {
			ink := shadeAt(z, p.Z[i][j])
			for k = i + 1; k < len(p.Xs) && shadeAt(z, p.Z[k][j]) == ink; k++ { // neighbours of a colour are one cell
			}
			c.Cells = append(c.Cells, plot.Cell{X0: xe[i], X1: xe[k], Y0: ye[j], Y1: ye[j+1], Ink: ink})
		}
	}
	p.addContours(c, z)
	for i := range p.Points {
		addSeries(c, &p.Points[i])
		c.Series[len(c.Series)-1].Name = ""
	}
	slices.Reverse(c.Labels) // contours are named last, where there is room
	c.Key = &plot.Key{Text: p.ZLabel, Inks: ramp(0)}
	for _, v := range plot.Ticks(z, 5) {
		c.Key.Ticks = append(c.Key.Ticks, plot.KeyTick{Share: z.Share(v), Text: fmt.Sprintf("%g", v)})
	}
	return c, nil
}

func shadeAt(z plot.Scale, value float64) color.NRGBA {
	if math.IsNaN(value) {
		return light.Background
	}
	return shade(light, z.Share(value))
}

// cellEdges returns the edges of cells around ascending centres: half-way between centres on the scale of the
// axis. The outer cells are symmetric.
func cellEdges(centres []float64, scale Scale) []float64 {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if scale == Log {
		to, from = math.Log, math.Exp
	}
	n := len(centres)
	edges := make([]float64, n+1)
	for i := 1; i < n; i++ {
		edges[i] = from((to(centres[i-1]) + to(centres[i])) / 2)
	}
	edges[0] = from(to(centres[0])*1.5 - to(centres[1])/2)
	edges[n] = from(to(centres[n-1])*1.5 - to(centres[n-2])/2)
	return edges
}

// addContours adds lines of round levels and of the strong one, with their levels, and the names of its sides.
func (p *surface) addContours(c *plot.Chart, z plot.Scale) {
	xs, ys := make([]float64, len(p.Xs)), make([]float64, len(p.Ys)) // as shares of the panel
	for i, x := range p.Xs {
		xs[i] = c.X.Share(x)
	}
	for j, y := range p.Ys {
		ys[j] = c.Y.Share(y)
	}
	var named []plot.Point
	for _, level := range append([]float64{p.Strong}, plot.Ticks(z, 9)...) {
		strong := level == p.Strong
		if len(named) > 0 && strong || math.IsNaN(level) {
			continue
		}
		var longest []plot.Point
		for _, line := range contour(xs, ys, p.Z, level) {
			s := plot.Series{N: len(line), Width: 1, Deaf: true, Ink: readable(shadeAt(z, level)),
				At: func(i int) (x, y float64) { return c.X.Value(line[i].X), c.Y.Value(line[i].Y) }}
			if strong {
				s.Width, s.Ink = 2.6*curveWidth, light.Background // a rim
				c.Series = append(c.Series, s)
				s.Width, s.Ink, s.Deaf = 1.6*curveWidth, light.Series[1], false
			}
			c.Series = append(c.Series, s)
			if len(line) > len(longest) {
				longest = line
			}
		}
		if shortest := min(8, len(ys)); len(longest) < shortest { // points
			continue
		}
		at := longest[len(longest)/2]
		const apart = 0.06 // shares of the panel
		if !slices.ContainsFunc(named, func(o plot.Point) bool { return math.Hypot(o.X-at.X, o.Y-at.Y) < apart }) {
			named = append(named, at)
			c.Labels = append(c.Labels, label(c, at.X, at.Y, fmt.Sprintf("%.4g", level)))
		}
	}
	// The quantity grows to the right and upwards.
	if last, top := p.Z[len(xs)-1], len(ys)-1; p.Sides && p.Z[0][0] <= p.Strong && last[top] > p.Strong {
		c.Labels = append(c.Labels, label(c, 0.12, 0.12, "met"), label(c, 0.88, 0.88, "not met"))
	}
}

// label returns a text at shares of a panel.
func label(c *plot.Chart, x, y float64, text string) plot.Label {
	return plot.Label{X: c.X.Value(x), Y: c.Y.Value(y), Text: text, Ink: light.Ink}
}

// readable returns ink or background, whichever has more contrast with a ground.
func readable(ground color.NRGBA) color.NRGBA {
	bright := func(c color.NRGBA) float64 { return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) }
	if math.Abs(bright(light.Ink)-bright(ground)) >= math.Abs(bright(light.Background)-bright(ground)) {
		return light.Ink
	}
	return light.Background
}
