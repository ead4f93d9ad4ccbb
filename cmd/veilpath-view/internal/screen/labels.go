package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// name is a text beside a mark.
type name struct {
	area draw.Rect
	ink  colour
	text string
}

// labels places names beside marks so that none covers another.
type labels struct {
	screen *Screen
	list   *draw.List
	bounds draw.Rect
	taken  []draw.Rect
	lines  [][]draw.Point // better not covered
	names  []name         // that have a place
}

// put places a text beside a point, at the first of the places around it that is free and covers no line, or else
// at the first that is free; none is free: it is left out, the mark is understood without.
func (b *labels) put(at draw.Point, gap float64, ink colour, text string) {
	t := b.screen.theme()
	w, h := b.list.Width(t.Small, text)+8, 16.0
	away := h + 2 // beyond another name
	best := draw.Rect{}
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
		if !b.free(r) {
			continue
		}
		if best.Empty() {
			best = r
		}
		if !b.onLine(r) {
			best = r
			break
		}
	}
	if best.Empty() {
		return
	}
	b.taken = append(b.taken, best)
	b.names = append(b.names, name{best, ink, text})
}

// names writes the names of the marks, over all that moves on the map.
func (s *Screen) names(l *draw.List) {
	t := s.theme()
	for _, n := range s.cards.names {
		l.RoundRect(n.area, 4, ui.Faded(t.Background, 0.95))
		l.TextIn(t.Small, n.area.Trim(4, 0, 4, 0), draw.Left, n.ink, n.text)
	}
}

// onLine reports whether a rectangle covers a line.
func (b *labels) onLine(r draw.Rect) bool {
	for _, line := range b.lines {
		for i, p := range line {
			if r.Contains(p) || (i > 0 && meets(line[i-1], p, r)) {
				return true
			}
		}
	}
	return false
}

func (b *labels) free(r draw.Rect) bool {
	if r.X < b.bounds.X || r.Right() > b.bounds.Right() || r.Y < b.bounds.Y || r.Bottom() > b.bounds.Bottom() {
		return false
	}
	for _, t := range b.taken {
		if r.Overlaps(t) {
			return false
		}
	}
	return true
}
