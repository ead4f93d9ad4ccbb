package chart

import (
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/axis"
)

// Plot is a chart's frame: an area with an axis each way.
type Plot struct {
	Area draw.Rect
	X, Y ui.Scale
}

// New returns a plot of an area.
func New(area draw.Rect, x, y ui.Scale) Plot { return Plot{Area: area, X: x, Y: y} }

// At returns the place of a value.
func (p *Plot) At(x, y float64) draw.Point { return draw.Point{X: p.PX(x), Y: p.PY(y)} }

// PX returns how far to the right a value lies, points.
func (p *Plot) PX(x float64) float64 { return p.Area.X + p.Area.W*p.X.Share(x) }

// PY returns how far down a value lies, points.
func (p *Plot) PY(y float64) float64 { return p.Area.Bottom() - p.Area.H*p.Y.Share(y) }

// XAt returns the value of the horizontal axis at a place, points: it undoes PX.
func (p *Plot) XAt(right float64) float64 { return p.X.Value((right - p.Area.X) / p.Area.W) }

// YAt returns the value of the vertical axis at a place, points: it undoes PY.
func (p *Plot) YAt(down float64) float64 { return p.Y.Value((p.Area.Bottom() - down) / p.Area.H) }

// Clearest returns the first of some boxes, no higher or lower than the area, that covers the fewest points.
func (p *Plot) Clearest(points []draw.Point, boxes ...draw.Rect) (best draw.Rect) {
	least := len(points) + 1
	for _, box := range boxes {
		covered := 0
		for _, at := range points {
			if box.Contains(at) {
				covered++
			}
		}
		if box.Y >= p.Area.Y && box.Bottom() <= p.Area.Bottom() && covered < least {
			best, least = box, covered
		}
	}
	return best
}

// Ticks returns round values on a scale, at most so many.
func Ticks(s ui.Scale, most int) []float64 {
	low, high := math.Min(s.Low, s.High), math.Max(s.Low, s.High)
	if s.Log {
		return powerTicks(low, high, most)
	}
	values, _ := axis.Steps(low, high, most)
	return values
}

// powerTicks returns powers of ten, every one or, when there are too many, every second or third.
func powerTicks(low, high float64, most int) []float64 {
	first, last := math.Ceil(math.Log10(low)-1e-9), math.Floor(math.Log10(high)+1e-9)
	every := math.Max(1, math.Ceil((last-first+1)/float64(most)))
	var values []float64
	for e := last; e >= first; e -= every {
		values = append(values, math.Pow(10, e))
	}
	return values
}

// GridY draws horizontal grid lines, at most about so many, with their values left of the plot.
func (p *Plot) GridY(l *draw.List, t *ui.Theme, most int) { p.GridYAbove(l, t, most, math.Inf(1)) }

// GridYAbove is GridY with no values on lines that lie lower than so far down, points.
func (p *Plot) GridYAbove(l *draw.List, t *ui.Theme, most int, lowest float64) {
	for _, v := range Ticks(p.Y, most) {
		y := p.PY(v)
		l.Rect(draw.Rect{X: p.Area.X, Y: y - 0.5, W: p.Area.W, H: 1}, t.Grid)
		if y <= lowest {
			l.TextIn(t.Small, draw.Rect{X: p.Area.X - 50, Y: y - 7, W: 44, H: 14}, draw.Right, t.Muted, Number(v))
		}
	}
}

// GridX draws vertical grid lines, at most about so many, with their values below the plot.
func (p *Plot) GridX(l *draw.List, t *ui.Theme, most int) {
	for _, v := range Ticks(p.X, most) {
		x := p.PX(v)
		l.Rect(draw.Rect{X: x - 0.5, Y: p.Area.Y, W: 1, H: p.Area.H}, t.Grid)
		l.TextIn(t.Small, draw.Rect{X: x - 24, Y: p.Area.Bottom() + 2, W: 48, H: 14}, draw.Center, t.Muted, Number(v))
	}
}

// How far from a curve its thinned pieces may lie, and how many of its values a pixel's width is drawn from at most.
const (
	curveOff   = 0.08 // pixels
	mostAPixel = 4
)

// Curve draws y over x, with a gap where y is infinite. line is room.
func (p *Plot) Curve(l *draw.List, line *draw.Thinned, n int, at func(i int) (x, y float64), width float64,
	c color.NRGBA) {
	low := lowest(p.Y)
	line.Off = curveOff / l.Scale()
	line.Begin()
	add := func(i int) {
		x, y := at(i)
		if math.IsInf(y, 0) {
			l.Line(line.End(), width, c)
			line.Begin()
			return
		}
		line.Add(p.At(x, math.Max(y, low)))
	}
	every := max(1, n/int(mostAPixel*p.Area.W*l.Scale()+1))
	for i := 0; i < n-1; i += every {
		add(i)
	}
	if n > 0 {
		add(n - 1)
	}
	l.Line(line.End(), width, c)
}

// lowest keeps zero off a logarithmic axis: a value below the axis lies just below its area.
func lowest(scale ui.Scale) float64 {
	if scale.Log {
		return math.Min(scale.Low, scale.High) / 2
	}
	return math.Inf(-1)
}
