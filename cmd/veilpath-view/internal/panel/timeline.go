package panel

import (
	"image/color"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Timeline is a line of time with marks of what happens on it, and strips of curves over it that share its axis.
type Timeline struct {
	Line, All draw.Rect // the line of time, and all that the pointer seeks on, points
	Fingers   bool      // are to hit it
	Times     ui.Scale  // s
	Marks     []Mark
	Strips    []Strip // from the top

	room draw.Thinned
}

// Mark is a moment at which something happens.
type Mark struct {
	TimeS float64
	Sign  Sign
	Ink   color.NRGBA
	// Through carries the mark through the strips.
	Through bool
}

// Sign is how a mark looks.
type Sign int

// The signs of marks: strokes above and below the line, discs and crosses on it, and nothing.
const (
	Above Sign = iota
	Below
	Disc
	Cross
	NoSign // for one that only goes through the strips, or has an explanation
)

// Strip is a chart over time, with its name.
type Strip struct {
	Name   string
	Area   draw.Rect
	Values ui.Scale
	Curves []Curve
	Now    float64 // the value at the moment; NaN for none
	Ink    color.NRGBA
}

// Curve is a line of n points.
type Curve struct {
	N     int
	At    func(i int) (timeS, value float64)
	Width float64
	Ink   color.NRGBA
}

// plot is the chart of a strip.
func (t *Timeline) plot(s *Strip) chart.Plot { return chart.New(s.Area, t.Times, s.Values) }

// axis is the line of time as a chart.
func (t *Timeline) axis() chart.Plot { return chart.New(t.Line, t.Times, ui.Scale{High: 1}) }

// Y is the height of the line, points.
func (t *Timeline) Y() float64 {
	if t.Fingers {
		return t.Line.Y + 14
	}
	return t.Line.Y + 6
}

// X returns where a moment lies on the line, points.
func (t *Timeline) X(timeS float64) float64 {
	p := t.axis()
	return p.PX(timeS)
}

// timeAt returns the moment at a place across, points; it undoes X.
func (t *Timeline) timeAt(right float64) float64 {
	p := t.axis()
	return p.XAt(right)
}

// mostValues is how many values are written beside a strip at most, but for that of its foot.
const mostValues = 2

// nameArea is where the name of a strip covers the least of its curves.
func (t *Timeline) nameArea(s *Strip, width float64) draw.Rect {
	const most = 400                 // places of a curve
	height := math.Min(15, s.Area.H) // points
	var points []draw.Point
	p := t.plot(s)
	for _, c := range s.Curves {
		for i := 0; i < c.N; i += 1 + c.N/most {
			points = append(points, p.At(c.At(i)))
		}
	}
	var boxes []draw.Rect
	for _, x := range []float64{s.Area.Right() - width, s.Area.X, s.Area.Center().X - width/2} {
		for _, y := range []float64{s.Area.Y, s.Area.Bottom() - height} {
			boxes = append(boxes, draw.Rect{X: x, Y: y, W: width, H: height})
		}
	}
	return p.Clearest(points, boxes...)
}

// DrawStrips draws the strips, of which there are some, without the moment.
func (t *Timeline) DrawStrips(l *draw.List, theme *ui.Theme) {
	var all draw.Rect
	for i := range t.Strips {
		p, lowest := t.plot(&t.Strips[i]), math.Inf(1)
		if i+1 < len(t.Strips) {
			const apart = 13 // values of two strips, points
			next := t.plot(&t.Strips[i+1])
			highest := slices.Max(chart.Ticks(next.Y, mostValues))
			lowest = next.PY(highest) - apart
		}
		p.GridYAbove(l, theme, mostValues, lowest)
		if all = all.Around(p.Area); i == 0 {
			all = p.Area
		}
	}
	l.Clip(all)
	first := t.plot(&t.Strips[0])
	for _, m := range t.Marks {
		if x := first.PX(m.TimeS); m.Through {
			l.Dashed([]draw.Point{{X: x, Y: all.Y}, {X: x, Y: all.Bottom()}}, 1, 2, 3, m.Ink)
		}
	}
	for i := range t.Strips {
		p := t.plot(&t.Strips[i])
		for _, c := range t.Strips[i].Curves {
			p.Curve(l, &t.room, c.N, c.At, c.Width, c.Ink)
		}
	}
	l.Unclip()
	for i := range t.Strips {
		s := &t.Strips[i]
		box := t.nameArea(s, l.Width(theme.Small, s.Name)+8)
		l.RoundRect(box, 3, ui.Faded(theme.Panel, 0.8))
		l.TextIn(theme.Small, box, draw.Center, theme.Muted, s.Name)
	}
}

// DrawLine draws the line of time up to its end with the marks, without the moment.
func (t *Timeline) DrawLine(l *draw.List, theme *ui.Theme, endS float64) {
	y := t.Y()
	l.RoundRect(draw.Rect{X: t.Line.X, Y: y - 2, W: t.X(endS) - t.Line.X, H: 4}, 2, theme.Hover)
	for _, v := range chart.Ticks(t.Times, 8) {
		l.TextIn(theme.Small, draw.Rect{X: t.X(v) - 24, Y: y + 7, W: 48, H: 12}, draw.Center, theme.Muted,
			chart.Number(v)+" s")
	}
	for _, m := range t.Marks {
		x := t.X(m.TimeS)
		switch m.Sign {
		case Above:
			l.Rect(draw.Rect{X: x - 1, Y: y - 6, W: 2, H: 5}, m.Ink)
		case Below:
			l.Rect(draw.Rect{X: x - 1, Y: y + 2, W: 2, H: 5}, m.Ink)
		case Cross:
			l.Cross(draw.Point{X: x, Y: y - 5}, 3, 1.5, m.Ink)
		case Disc:
			l.Disc(draw.Point{X: x, Y: y}, 5, theme.Panel)
			l.Disc(draw.Point{X: x, Y: y}, 3.5, m.Ink)
		}
	}
}

// DrawNow draws the moment.
func (t *Timeline) DrawNow(l *draw.List, theme *ui.Theme, nowS float64) {
	x, y := t.X(nowS), t.Y()
	if len(t.Strips) > 0 {
		bottom := t.Line.Y + 4
		if t.Fingers { // the strips lie elsewhere
			bottom = t.Strips[len(t.Strips)-1].Area.Bottom()
		}
		first := t.plot(&t.Strips[0])
		l.Rect(draw.Rect{X: first.PX(nowS) - 0.5, Y: first.Area.Y, W: 1, H: bottom - first.Area.Y}, theme.Muted)
	}
	for i := range t.Strips {
		if s := &t.Strips[i]; !math.IsNaN(s.Now) {
			p := t.plot(s)
			l.Disc(p.At(nowS, s.Now), 3.5, s.Ink)
		}
	}
	l.RoundRect(draw.Rect{X: t.Line.X, Y: y - 2, W: math.Max(4, x-t.Line.X), H: 4}, 2, theme.Accent)
	l.Disc(draw.Point{X: x, Y: y}, 8, theme.Panel)
	l.Disc(draw.Point{X: x, Y: y}, 6.5, theme.Accent)
}

// Operate reports whether the pointer is over the timeline, and whether it goes to the moment where it is.
func (t *Timeline) Operate(c *ui.Context) (over, sets bool, timeS float64) {
	reach := 6.
	if t.Fingers {
		reach = 18
	}
	over, _, _ = c.Area("scrubber", t.All.Trim(-reach, 0, -reach, 0))
	if over {
		c.SetCursor(ui.ResizeX)
	}
	return over, c.Sets("scrubber"), t.timeAt(c.Input.Pointer.X)
}

// MarkAt returns the mark under a point on the line of time, -1 for none: of two at one place the later in the order of
// the marks, which is the weightier. onLine reports whether the point is on the line.
func (t *Timeline) MarkAt(at draw.Point) (mark int, onLine bool) {
	best := 6.
	if t.Fingers {
		best = 14
	}
	if math.Abs(at.Y-t.Y()) > best+6 {
		return -1, false
	}
	mark = -1
	for i, m := range t.Marks {
		if away := math.Abs(t.X(m.TimeS) - at.X); away < best || away == best && mark >= 0 {
			best, mark = away, i
		}
	}
	return mark, true
}
