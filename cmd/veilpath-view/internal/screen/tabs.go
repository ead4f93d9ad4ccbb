package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// tabNames are the panels as their buttons call them, by Tab.
var tabNames = []string{"Setup", "Key", "Guess", "Flights", "Along ε", "Why", "Story"}

// tabs chooses the panel of a compact layout; the one that is open folds away when the map can use its room. The story
// has one while it is told.
func (s *Screen) tabs() {
	r := s.Layout.Tabs
	if r.W == 0 {
		return
	}
	names := tabNames[:either(s.told > 0, layout.TabStory+1, layout.TabStory)]
	if r.W < layout.NarrowWindow {
		names = slices.Clone(names)
		names[layout.TabMap] = "ε"
	}
	x := r.X
	for i, w := range s.tabWidths(names, r.W) {
		part := draw.Rect{X: x, Y: r.Y, W: math.Max(w-2, math.Min(w, layout.TouchTarget)), H: r.H}
		x += w
		if !s.UI.Button("tab."+layout.TabIDs[i], part, names[i], "", s.Tab == layout.Tab(i)) {
			continue
		}
		upright := s.Layout.Window.H >= s.Layout.Window.W
		if s.Tab == layout.Tab(i) && upright {
			s.Tab = layout.TabNone
		} else {
			s.Tab = layout.Tab(i)
		}
	}
}

// tabWidths shares a width out to tabs: evenly where that has room for their names, and otherwise what a finger needs
// first.
func (s *Screen) tabWidths(names []string, width float64) []float64 {
	even := math.Floor(width / float64(len(names)))
	least := math.Min(layout.TouchTarget, even)
	const air = 8 // beside a name, points
	widths, wanted, longest := make([]float64, len(names)), 0.0, 0.0
	for i, name := range names {
		needs := s.UI.List.Width(s.Theme().Body, name) + air
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
