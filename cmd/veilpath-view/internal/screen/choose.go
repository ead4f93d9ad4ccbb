package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// item is an entry of a list to choose from.
type item struct {
	id, text string
	problem  string // why it cannot be chosen; empty when it can
	on       bool   // chosen now
	choose   func()
}

// Size of a list to choose from, points.
const (
	listWidth  = 480 // at least
	widestList = 960
	listTitle  = 38
)

// list draws a list to choose from, over everything else, while it is shown. It scrolls by the wheel, by dragging and
// by the arrow keys.
func (s *Screen) list(l *draw.List, title string, items []item, shown *bool) {
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.6))
	row := either(s.layout.Compact || s.UI.Input.Touch, touchTarget, 30.) + 4
	whole := row * float64(len(items))
	widest := float64(listWidth)
	for _, it := range items {
		widest = math.Max(widest, math.Min(widestList, l.Width(t.Body, it.text)+60))
	}
	box := draw.Rect{W: math.Min(widest, w.W-2*gap), H: math.Min(whole+listTitle+2*pad, w.H-2*gap-44)}
	box.X, box.Y = w.Center().X-box.W/2, math.Min(60, (w.H-box.H)/2)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	head, view := box.Inset(pad).CutTop(listTitle - pad)
	l.TextIn(t.Title, head, draw.Left, t.Ink, title)
	s.scrollList(view, whole, row)
	l.Clip(view)
	for i, it := range items {
		r := draw.Rect{X: view.X, Y: view.Y + row*float64(i) - s.listAt, W: view.W - 10, H: row - 4}
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if s.listItem(l, it, r, view) {
			it.choose()
			*shown = false
		}
	}
	l.Unclip()
	if whole > view.H {
		share := view.H / whole
		bar := draw.Rect{X: view.Right() - 5, Y: view.Y + s.listAt*share, W: 4, H: view.H * share}
		l.RoundRect(bar, 2, t.Muted)
	}
	over, _, clicked := s.UI.Area("list", w)
	if over && clicked && !box.Contains(s.UI.Input.Pointer) {
		*shown = false
	}
}

// listItem draws an entry of a list, and reports whether it is chosen.
func (s *Screen) listItem(l *draw.List, it item, r, view draw.Rect) bool {
	t := s.theme()
	seen := r.Within(view)
	if it.problem != "" {
		over, _, _ := s.UI.Area(it.id, seen)
		s.UI.Hint(over, seen, it.problem)
		l.TextIn(t.Body, r.Trim(pad, 0, pad, 0), draw.Left, t.Muted, it.text+": "+it.problem)
		return false
	}
	return s.UI.ClippedButton(it.id, r, seen, it.text, it.on)
}

// scrollList moves the list under the view, no farther than its ends.
func (s *Screen) scrollList(view draw.Rect, whole, row float64) {
	in := s.UI.Input
	if view.Contains(in.Pointer) {
		s.listAt -= in.Wheel * 2 * row
	}
	for _, k := range in.Keys {
		switch k {
		case ui.ArrowDown:
			s.listAt += row
		case ui.ArrowUp:
			s.listAt -= row
		case ui.End:
			s.listAt = whole
		case ui.Home:
			s.listAt = 0
		}
	}
	s.listAt -= s.UI.Dragged(view).Y
	s.listAt = clampTo(s.listAt, 0, math.Max(0, whole-view.H))
}
