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
	return []*bool{&s.ShowLibrary, &s.ShowPoints, &s.ShowExport, &s.ShowObservers, &s.ShowMissions, &s.ShowPanels,
		&s.ShowCommands}
}

// offer is a list by its title.
type offer struct {
	title string
	shown *bool
	items []item
}

// offers returns what there is to choose from in lists.
func (s *Screen) offers() []offer {
	offers := []offer{{"Who watches", &s.ShowObservers, s.watcherItems()}, {"Save", &s.ShowExport, s.exports()}}
	if !s.layout.Compact {
		offers = append(offers, offer{"Panels", &s.ShowPanels, s.panelItems()})
	}
	offers = append(offers, offer{"Mission and mechanism", &s.ShowMissions, s.missionItems()})
	if len(s.Library) > 1 {
		offers = append(offers, offer{"Recordings", &s.ShowLibrary, s.recordItems()})
	}
	if points := s.pointItems(); len(points) > 1 {
		offers = append(offers, offer{"Points of the sweep", &s.ShowPoints, points})
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
	head := either(s.layout.Compact || s.UI.Input.Touch, touchTarget+float64(pad), listTitle)
	rows, box := s.placeList(l, items, head)
	whole := rows[len(items)].Y
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	top, view := box.Inset(pad).CutTop(head - pad)
	s.listHead(l, top, title, shown)
	s.walkList(items, view, rows, shown)
	s.scrollList(view, whole)
	l.Clip(view)
	for i, it := range items {
		r := draw.Rect{X: view.X, Y: view.Y + rows[i].Y - s.listAt, W: rows[i].W, H: rows[i].H}
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if s.listItem(l, it, r, view) {
			it.take(shown)
		}
		if i == s.listOn {
			l.Line([]draw.Point{{X: r.X, Y: r.Y}, {X: r.Right(), Y: r.Y}, {X: r.Right(), Y: r.Bottom()}, {X: r.X, Y: r.Bottom()},
				{X: r.X, Y: r.Y}}, 2, t.Accent)
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

// listAir is between the entries of a list, points.
const listAir = 4

// placeList returns where the entries of a list are, from its top on, with where the next would be, and the list's
// frame. Entries are as high as their lines.
func (s *Screen) placeList(l *draw.List, items []item, head float64) (rows []draw.Rect, box draw.Rect) {
	t, w := s.theme(), s.layout.Window
	widest := float64(listWidth)
	for _, it := range items {
		widest = math.Max(widest, math.Min(widestList, l.Width(t.Body, it.said())+60))
	}
	box = draw.Rect{W: math.Min(widest, w.W-2*gap)}
	least := either(s.layout.Compact || s.UI.Input.Touch, touchTarget, 30.)
	row := draw.Rect{W: box.W - 2*pad - 10}
	for _, it := range items {
		lines := float64(len(s.listLines(l, it, row.W)))
		row.H = math.Max(least, lines*ui.LineHeight+2*listAir)
		rows = append(rows, row)
		row.Y += row.H + listAir
	}
	box.H = math.Min(row.Y+head+2*pad, w.H-2*gap-44)
	box.X, box.Y = w.Center().X-box.W/2, math.Min(60, (w.H-box.H)/2)
	return append(rows, row), box
}

// listLines breaks an entry into lines.
func (s *Screen) listLines(l *draw.List, it item, width float64) []string {
	return l.Wrap(s.theme().Body, it.said(), width-2*pad)
}

// listHead draws the title of a list, and what closes it.
func (s *Screen) listHead(l *draw.List, r draw.Rect, title string, shown *bool) {
	side := math.Min(touchTarget, r.H)
	end := draw.Rect{X: r.Right() - side, Y: r.Y, W: side, H: side}
	l.TextIn(s.theme().Title, r.Trim(0, 0, side, 0), draw.Left, s.theme().Ink, title)
	if s.UI.IconButton("list.close", end, "Close (Esc)", false, closeIcon) {
		*shown = false
	}
}

func closeIcon(l *draw.List, r draw.Rect, ink colour) { cross(l, r.Center(), r.W*0.4, 2, ink) }

// said is what a list says of an entry.
func (it *item) said() string { return it.text + either(it.problem == "", "", ": "+it.problem) }

// listItem draws an entry of a list, and reports whether it is chosen.
func (s *Screen) listItem(l *draw.List, it item, r, view draw.Rect) bool {
	seen, lines := r.Within(view), s.listLines(l, it, r.W)
	if it.problem != "" {
		over, _, _ := s.UI.Area(it.id, seen)
		s.UI.Hint(over, seen, it.problem)
		s.UI.Lines(r, lines, s.theme().Muted)
		return false
	}
	return s.UI.ClippedButton(it.id, r, seen, lines, it.on)
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
func (s *Screen) walkList(items []item, view draw.Rect, rows []draw.Rect, shown *bool) {
	last := len(items) - 1
	s.listOn = min(s.listOn, last) // a list may have become shorter
	for _, k := range s.UI.Input.Keys {
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
		if s.listOn >= 0 {
			r := rows[s.listOn]
			s.listAt = clampTo(s.listAt, r.Bottom()+listAir-view.H, r.Y)
		}
	}
}

// scrollList moves the list under the view, no farther than its ends.
func (s *Screen) scrollList(view draw.Rect, whole float64) {
	in := s.UI.Input
	if view.Contains(in.Pointer) {
		const step = 68 // points a notch of the wheel
		s.listAt -= in.Wheel * step
	}
	s.listAt -= s.UI.Dragged(view).Y
	s.listAt = clampTo(s.listAt, 0, math.Max(0, whole-view.H))
}
