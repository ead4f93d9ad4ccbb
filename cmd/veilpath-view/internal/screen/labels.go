package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// labels places texts beside marks so that none covers another.
type labels struct {
	screen *Screen
	list   *draw.List
	bounds draw.Rect
	taken  []draw.Rect
}

// put draws a text beside a point, at the first of the places around it that is free; none is free: nothing is
// drawn, the mark speaks for itself.
func (b *labels) put(at draw.Point, clear float64, ink colour, text string) {
	t := b.screen.theme()
	w, h := b.list.Width(t.Small, text)+8, 16.0
	for _, r := range []draw.Rect{
		{X: at.X - w/2, Y: at.Y - clear - h, W: w, H: h},
		{X: at.X - w/2, Y: at.Y + clear, W: w, H: h},
		{X: at.X + clear, Y: at.Y - h/2, W: w, H: h},
		{X: at.X - clear - w, Y: at.Y - h/2, W: w, H: h},
		{X: at.X + clear, Y: at.Y - clear - h, W: w, H: h},
		{X: at.X - clear - w, Y: at.Y + clear, W: w, H: h},
		{X: at.X + clear, Y: at.Y + clear, W: w, H: h},
	} {
		if !b.free(r) {
			continue
		}
		b.taken = append(b.taken, r)
		b.list.RoundRect(r, 4, ui.Faded(t.Background, 0.82))
		b.list.TextIn(t.Small, r.Trim(4, 0, 4, 0), draw.Left, ink, text)
		return
	}
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
