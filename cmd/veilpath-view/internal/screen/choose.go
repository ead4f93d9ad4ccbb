package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// item is an entry of a list to choose from.
type item struct {
	id, text string
	problem  string // why it cannot be chosen; empty when it can
	on       bool   // chosen now
	choose   func()
	turn     func(steps int) // for what is set and not chosen, instead: so many steps up, or down where negative
}

// lists are what lie over the view to choose from.
func (s *Screen) lists() []*bool {
	return []*bool{&s.ShowLibrary, &s.ShowPoints, &s.ShowExport, &s.ShowObservers, &s.ShowPanels, &s.ShowCommands}
}

// offer is a list by its title.
type offer struct {
	title string
	items []item
}

// offers returns what there is to choose from in lists.
func (s *Screen) offers() []offer {
	offers := []offer{{"Who watches", s.watcherItems()}, {"Save", s.exports()}}
	if !s.layout.Compact {
		offers = append(offers, offer{"Panels", s.panelItems()})
	}
	if len(s.Library) > 1 {
		offers = append(offers, offer{"Recordings", s.recordItems()})
	}
	if points := s.pointItems(); len(points) > 1 {
		offers = append(offers, offer{"Points of the sweep", points})
	}
	return offers
}

// listed reports whether a list is open.
func (s *Screen) listed() bool {
	return slices.ContainsFunc(s.lists(), func(shown *bool) bool { return *shown })
}

// toggleList opens a list at its beginning, or closes it.
func (s *Screen) toggleList(shown *bool) {
	open := !*shown
	s.closeLists()
	*shown, s.listAt, s.listOn = open, 0, -1
}

func (s *Screen) closeLists() {
	for _, shown := range s.lists() {
		*shown = false
	}
}

// Size of a list to choose from, points.
const (
	listWidth  = 480 // at least
	widestList = 960
	listTitle  = 38
)

// list draws a list to choose from, over everything else, while it is shown. It scrolls by the wheel and by dragging;
// arrow keys go from entry to entry and turn what is set, Enter chooses.
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
	s.walkList(items, view, row, shown)
	s.scrollList(view, whole, row)
	l.Clip(view)
	for i, it := range items {
		r := draw.Rect{X: view.X, Y: view.Y + row*float64(i) - s.listAt, W: view.W - 10, H: row - 4}
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if s.listItem(l, it, r, view) {
			it.take(shown)
		}
		if i == s.listOn {
			l.Line([]draw.Point{{X: r.X, Y: r.Y}, {X: r.Right(), Y: r.Y}, {X: r.Right(), Y: r.Bottom()}, {X: r.X, Y: r.Bottom()}, {X: r.X, Y: r.Y}}, 2, t.Accent)
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

// take chooses an entry, which closes the list, or turns it by a step.
func (it *item) take(shown *bool) {
	switch {
	case it.problem != "":
	case it.turn != nil:
		it.turn(1)
	default:
		*shown = false
		it.choose()
	}
}

// walkList follows the keys through the list, and keeps the entry that they have come to in view.
func (s *Screen) walkList(items []item, view draw.Rect, row float64, shown *bool) {
	for _, k := range s.UI.Input.Keys {
		last := len(items) - 1
		switch k {
		case ui.ArrowDown:
			s.listOn = min(s.listOn+1, last)
		case ui.ArrowUp:
			s.listOn = max(s.listOn-1, 0)
		case ui.End:
			s.listOn = last
		case ui.Home:
			s.listOn = 0
		case ui.ArrowLeft, ui.ArrowRight:
			if s.listOn >= 0 && items[s.listOn].turn != nil {
				items[s.listOn].turn(either(k == ui.ArrowRight, 1, -1))
			}
		case ui.Enter:
			if s.listOn >= 0 {
				items[s.listOn].take(shown)
			}
		default:
			continue
		}
		if y := row * float64(s.listOn); s.listOn >= 0 {
			s.listAt = clampTo(s.listAt, y+row-view.H, y)
		}
	}
}

// scrollList moves the list under the view, no farther than its ends.
func (s *Screen) scrollList(view draw.Rect, whole, row float64) {
	in := s.UI.Input
	if view.Contains(in.Pointer) {
		s.listAt -= in.Wheel * 2 * row
	}
	s.listAt -= s.UI.Dragged(view).Y
	s.listAt = clampTo(s.listAt, 0, math.Max(0, whole-view.H))
}
