package panel

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Surface is a value over two axes in equal ratios, a cell for every pair of their values.
type Surface struct {
	Area draw.Rect // of the cells, points
	X, Y []float64 // ascending
	// Value returns the value at a place of each axis and how many flights it is of; 0 for none.
	Value func(x, y int) (value float64, flights int)
	Most  float64              // that the strongest colour stands for
	Text  func(float64) string // a value of an axis
}

// Cell returns where a pair of values lies.
func (s *Surface) Cell(x, y int) draw.Rect {
	w, h := s.Area.W/float64(len(s.X)), s.Area.H/float64(len(s.Y))
	return draw.Rect{X: s.Area.X + w*float64(x), Y: s.Area.Bottom() - h*float64(y+1), W: w, H: h}
}

// At returns the cell at a point, or the nearest to it.
func (s *Surface) At(p draw.Point) (x, y int) {
	at := func(share float64, n int) int { return max(0, min(n-1, int(share*float64(n)))) }
	return at((p.X-s.Area.X)/s.Area.W, len(s.X)), at((s.Area.Bottom()-p.Y)/s.Area.H, len(s.Y))
}

// Draw draws the cells, with their values where they are large enough, and the axes.
func (s *Surface) Draw(l *draw.List, t *ui.Theme) {
	const leastWidth, leastHeight = 22, 14 // of a cell with its value
	numbers := s.Cell(0, 0).W >= leastWidth && s.Cell(0, 0).H >= leastHeight
	for i := range s.X {
		for j := range s.Y {
			value, n := s.Value(i, j)
			cell := s.Cell(i, j)
			if n == 0 {
				l.Rect(cell, t.Background)
				continue
			}
			l.Rect(cell, t.Shade(value/s.Most))
			if numbers {
				l.TextIn(t.Small, cell, draw.Center, either(value > 0.55*s.Most, t.Background, t.Ink), chart.Fixed(value, 0))
			}
		}
	}
	for i, v := range s.X {
		if labelled(s.X, i) {
			l.TextIn(t.Small, draw.Rect{X: s.Cell(i, 0).Center().X - 20, Y: s.Area.Bottom() + 2, W: 40, H: 14}, draw.Center,
				t.Muted, s.Text(v))
		}
	}
	for j, v := range s.Y {
		if labelled(s.Y, j) {
			l.TextIn(t.Small, draw.Rect{X: s.Area.X - 46, Y: s.Cell(0, j).Center().Y - 7, W: 40, H: 14}, draw.Right, t.Muted,
				s.Text(v))
		}
	}
}

// labelled reports whether a value of an axis gets its number: round ones, or where there are none, some.
func labelled(values []float64, i int) bool {
	round := []float64{0.1, 0.3, 1, 3, 10}
	if slices.ContainsFunc(values, func(v float64) bool { return slices.Contains(round[:2], v) }) {
		return slices.Contains(round, values[i])
	}
	const most = 5
	return i%max(1, (len(values)+most-1)/most) == 0
}

// DrawScale draws what the colours stand for, at the right of an area.
func (s *Surface) DrawScale(l *draw.List, t *ui.Theme, r draw.Rect) {
	const steps = 40
	end := l.TextIn(t.Small, r, draw.Right, t.Muted, chart.Number(s.Most))
	bar(l, draw.Rect{X: r.Right() - end - 4 - steps, Y: r.Y + 5, W: steps, H: 7}, steps, t.Shade)
	l.TextIn(t.Small, r.Trim(0, 0, end+steps+8, 0), draw.Right, t.Muted, "0")
}

// DrawNow marks a pair of values: by a ring, or where they lie off the cells by an arrow at the edge.
func (s *Surface) DrawNow(l *draw.List, t *ui.Theme, x, y float64) {
	to := draw.Point{X: s.Area.X + share(s.X, x)*s.Area.W, Y: s.Area.Bottom() - share(s.Y, y)*s.Area.H}
	inner := s.Area.Inset(7)
	at := draw.Point{X: math.Max(inner.X, math.Min(inner.Right(), to.X)),
		Y: math.Max(inner.Y, math.Min(inner.Bottom(), to.Y))}
	if dx, dy := to.X-at.X, to.Y-at.Y; math.Hypot(dx, dy) > 8 {
		arrowhead(l, at, dx, dy, 7, t.Background, t.CaughtInk())
		return
	}
	l.Ring(at, 6.5, 3.5, t.Background)
	l.Ring(at, 6.5, 1.8, t.CaughtInk())
}

// share places a value between the middles of the cells around it, as a share of the axis.
func share(values []float64, v float64) float64 {
	for i := 1; i < len(values); i++ {
		if v <= values[i] || i == len(values)-1 {
			part := math.Log(v/values[i-1]) / math.Log(values[i]/values[i-1])
			return (float64(i) - 0.5 + part) / float64(len(values))
		}
	}
	return 0.5
}
