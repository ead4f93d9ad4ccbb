package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// tabNames are the panels as their buttons call them, by Tab.
var tabNames = []string{"Setup", "Key", "Guess", "Flights", "ε × ρ", "Why", "Story"}

// tabIDs name the buttons, by Tab.
var tabIDs = []string{"settings", "key", "guess", "flights", "map", "why", "story"}

// TabIDs returns what links call the panels of a compact layout that always have a button, by Tab.
func TabIDs() []string { return slices.Clone(tabIDs[:TabStory]) }

// tabs chooses the panel of a compact layout; the one that is open folds away when the map can use its room. The story
// has one while it is told.
func (s *Screen) tabs() {
	r := s.layout.Tabs
	if r.W == 0 {
		return
	}
	names := tabNames[:either(s.told > 0, TabStory+1, TabStory)]
	x := r.X
	for i, w := range s.tabWidths(names, r.W) {
		part := draw.Rect{X: x, Y: r.Y, W: math.Max(w-2, math.Min(w, touchTarget)), H: r.H}
		x += w
		if !s.UI.Toggle("tab."+tabIDs[i], part, names[i], "", s.Tab == Tab(i)) {
			continue
		}
		upright := s.layout.Window.H >= s.layout.Window.W
		if s.Tab == Tab(i) && upright {
			s.Tab = TabNone
		} else {
			s.Tab = Tab(i)
		}
	}
}

// tabWidths shares a width out to tabs: evenly where that has room for their names, and otherwise what a finger needs
// first.
func (s *Screen) tabWidths(names []string, width float64) []float64 {
	even := math.Floor(width / float64(len(names)))
	least := math.Min(touchTarget, even)
	const air = 8 // beside a name, points
	widths, wanted, longest := make([]float64, len(names)), 0.0, 0.0
	for i, name := range names {
		needs := s.UI.List.Width(s.theme().Body, name) + air
		widths[i] = math.Max(0, needs-least)
		wanted, longest = wanted+widths[i], math.Max(longest, needs)
	}
	spare := width - least*float64(len(names))
	for i, more := range widths {
		if longest <= even {
			widths[i] = even
		} else {
			widths[i] = least + more*math.Min(1, spare/wanted) + math.Max(0, spare-wanted)/float64(len(names))
		}
	}
	return widths
}

// menuRow is the height of a row of the menu, points.
const menuRow = touchTarget + 4

// menu is what the bar of a compact layout has no room for, as a list over everything else.
func (s *Screen) menu(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.6))
	buttons := append(s.barButtons(),
		barButton{id: "undo", name: "Undo", do: func() { s.undo(-1) }},
		barButton{id: "redo", name: "Do again", do: func() { s.undo(1) }},
		barButton{id: "loop", name: either(s.looping, "Loop: to here",
			either(s.Model.Clock.Looping(), "End the loop", "Loop: from here")), on: s.looping || s.Model.Clock.Looping(),
			do: s.loop},
		barButton{id: "tilt", name: "Tilt the map", on: s.camera.Tilted, do: func() { s.camera.Tilted = !s.camera.Tilted }},
		barButton{id: "brush", name: "Select an area", on: s.brushing, do: func() { s.brushing = !s.brushing }},
		barButton{id: "keepout", name: "Keep out of cells", on: s.keepingOut, do: func() { s.keepingOut = !s.keepingOut }})
	const width = 260
	columns := math.Max(1, math.Ceil(float64(len(buttons))*menuRow/(w.H-compactBar-2*pad)))
	rows := math.Ceil(float64(len(buttons)) / columns)
	box := draw.Rect{W: math.Min(width*columns, w.W-2*gap), H: rows*menuRow + 2*pad}
	box.X, box.Y = w.Right()-box.W-gap, compactBar
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(pad)
	for i, b := range buttons {
		column, row := math.Floor(float64(i)/rows), math.Mod(float64(i), rows)
		r := draw.Rect{X: inner.X + column*inner.W/columns, Y: inner.Y + row*menuRow, W: inner.W/columns - 4, H: touchTarget}
		if s.UI.Toggle("bar."+b.id, r, b.name, "", b.on) {
			s.ShowMenu = false
			b.do()
		}
	}
	if over, _, clicked := s.UI.Area("menu", w); over && clicked && !box.Contains(s.UI.Input.Pointer) {
		s.ShowMenu = false
	}
}
