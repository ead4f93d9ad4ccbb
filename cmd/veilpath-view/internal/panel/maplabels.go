package panel

import (
	"image/color"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// name is a text beside a mark.
type name struct {
	area draw.Rect
	ink  color.NRGBA
	text string
}

// labels places names beside marks so that none covers another.
type labels struct {
	theme  *ui.Theme
	list   *draw.List
	bounds draw.Rect
	taken  []draw.Rect
	signs  []draw.Point   // of marks, whose names are better not nearer to another's
	lines  [][]draw.Point // better not covered
	names  []name         // that have a place
}

// put places a text beside a point, at the first of the places around it that is free, is clearly nearer to it than to
// any other sign and covers no line, or else that does one of these, or none; none is free: it is left out, the mark is
// understood without.
func (b *labels) put(at draw.Point, gap float64, ink color.NRGBA, text string) {
	if !b.bounds.Inset(-gap).Contains(at) {
		return // the mark is off the map
	}
	t := b.theme
	w, h := b.list.Width(t.Small, text)+8, 16.0
	away := h + 2 // beyond another name
	best, least := draw.Rect{}, 4
	for _, r := range []draw.Rect{
		{X: at.X - w/2, Y: at.Y - gap - h, W: w, H: h},
		{X: at.X - w/2, Y: at.Y + gap, W: w, H: h},
		{X: at.X + gap, Y: at.Y - h/2, W: w, H: h},
		{X: at.X - gap - w, Y: at.Y - h/2, W: w, H: h},
		{X: at.X + gap, Y: at.Y - gap - h, W: w, H: h},
		{X: at.X - gap - w, Y: at.Y - gap - h, W: w, H: h},
		{X: at.X - gap - w, Y: at.Y + gap, W: w, H: h},
		{X: at.X + gap, Y: at.Y + gap, W: w, H: h},
		{X: at.X - w/2, Y: at.Y + gap + away, W: w, H: h},
		{X: at.X - w/2, Y: at.Y - gap - away - h, W: w, H: h},
		{X: at.X + gap, Y: at.Y + gap + away, W: w, H: h},
		{X: at.X - gap - w, Y: at.Y + gap + away, W: w, H: h},
	} {
		r.X = math.Max(b.bounds.X, math.Min(r.X, b.bounds.Right()-w))
		if r.Contains(at) || !b.free(r) {
			continue
		}
		flaws := 0
		if b.onLine(r) {
			flaws = 1
		}
		if slices.ContainsFunc(b.signs, func(sign draw.Point) bool { return b.confuses(r, at, sign) }) {
			flaws += 2
		}
		if flaws < least {
			best, least = r, flaws
		}
	}
	if best.Empty() {
		return
	}
	b.taken = append(b.taken, best)
	b.names = append(b.names, name{best, ink, text})
}

// confuses reports whether a name at a place may be taken for that of another sign.
func (b *labels) confuses(r draw.Rect, at, sign draw.Point) bool {
	const apart, clearly = 8, 6 // points, of signs that are two to the eye, and by which a name is nearer to one
	return math.Hypot(sign.X-at.X, sign.Y-at.Y) > apart && r.Away(sign) < r.Away(at)+clearly
}

// DrawNames writes the names of the marks, over all that moves on the map.
func (m *Map) DrawNames(l *draw.List) { m.namesBeside(l, draw.Point{X: math.Inf(1)}) }

// namesBeside writes the names of the marks, one that a place lies on beside that.
func (m *Map) namesBeside(l *draw.List, at draw.Point) {
	t := m.Theme
	for _, n := range m.cards.names {
		if r := m.cards.beside(n, at); !r.Empty() {
			l.RoundRect(r, 4, ui.Faded(t.Background, 0.95))
			l.TextIn(t.Small, r.Trim(4, 0, 4, 0), draw.Left, n.ink, n.text)
		}
	}
}

// beside is where a name stands while something is at a place: where it was put, but above or below a place that it
// would lie on, and nowhere where it would cover another name or a sign there.
func (c *cards) beside(n name, at draw.Point) draw.Rect {
	const apart = 7 // points
	r := n.area
	if !r.Inset(-apart).Contains(at) {
		return r
	}
	places := []float64{at.Y - apart - r.H, at.Y + apart}
	if at.Y < r.Center().Y {
		slices.Reverse(places)
	}
	for _, r.Y = range places {
		if !slices.ContainsFunc(c.names, func(o name) bool { return o != n && o.area.Overlaps(r) }) &&
			!slices.ContainsFunc(c.signs, r.Overlaps) {
			return r
		}
	}
	return draw.Rect{}
}

// Named returns where the names of marks are written.
func (m *Map) Named() map[string]draw.Rect {
	named := map[string]draw.Rect{}
	for _, n := range m.cards.names {
		named[n.text] = n.area
	}
	return named
}

// Signs returns where the signs of marks lie.
func (m *Map) Signs() (signs []draw.Rect) {
	for _, p := range m.places() {
		if p.radius > 0 {
			signs = append(signs, p.area())
		}
	}
	return signs
}

// onLine reports whether a rectangle covers a line.
func (b *labels) onLine(r draw.Rect) bool {
	for _, line := range b.lines {
		for i, p := range line {
			if r.Contains(p) || (i > 0 && r.Meets(line[i-1], p)) {
				return true
			}
		}
	}
	return false
}

func (b *labels) free(r draw.Rect) bool {
	return r.X >= b.bounds.X && r.Right() <= b.bounds.Right() && r.Y >= b.bounds.Y && r.Bottom() <= b.bounds.Bottom() &&
		!slices.ContainsFunc(b.taken, r.Overlaps)
}
