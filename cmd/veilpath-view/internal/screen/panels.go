package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// widePanel is a panel of a wide layout, which can be folded away.
type widePanel int

// The panels of a wide layout, in the order in which they get their places. The first ones are on show at first.
const (
	panelAxis widePanel = iota // epsilon and the distance along it
	panelFlights
	panelSettings
	panelGuess
	panelBelief // of a large layout; in others it has the place of the guess
	panelSurface
	panelResults
	panelTime // the strips over the line of time
	panelLens // the cards on the map: what is near the target, and the numbers of the moment
	panelReadings
)

// usuallyFolded are the panels that are away at first.
const usuallyFolded panelSet = 1<<panelSettings | 1<<panelGuess | 1<<panelSurface | 1<<panelResults | 1<<panelTime |
	1<<panelLens | 1<<panelReadings

// panelNames are the panels as links call them, by widePanel.
var panelNames = []string{"axis", "flights", "settings", "guess", "belief", "surface", "results", "time", "lens",
	"readings"}

// panelTitles are the panels as lists call them, by widePanel.
var panelTitles = []string{"Privacy, along ε", "Where the flights are recognised (distribution)", "Settings",
	"How far off the guess is", "What observers know of the goal", "Mean distance by ε and ρ", "Results",
	"Altitude, turn and line of sight over time", "The guess near the target", "The numbers of the moment"}

// panelSet is a set of panels.
type panelSet uint

// has reports whether a panel is in the set.
func (p panelSet) has(panel widePanel) bool { return p>>panel&1 == 1 }

// String names the panels of the set, with commas in between, or says that there are none.
func (p panelSet) String() string {
	if p == 0 {
		return noFolds
	}
	var names []string
	for i, name := range panelNames {
		if p.has(widePanel(i)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// parsePanels reads what String writes.
func parsePanels(text string) (panelSet, error) {
	var p panelSet
	if text == "" || text == noFolds {
		return 0, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		at := slices.Index(panelNames, name)
		if at < 0 {
			return 0, refuse(linkFolded, name, "some of "+strings.Join(panelNames, ","))
		}
		p |= 1 << at
	}
	return p, nil
}

// Shape is what a layout has to show.
type Shape struct {
	Tab    Tab      // that is open where there is room for one
	Folded panelSet // away where there is room for all
	Belief bool     // what observers of the goal know is shown
	Saved  bool     // as a picture: what is flown, without what sets it
	Touch  bool     // fingers are to hit what there is
}

// Smallest windows, points, of layouts that show more panels at once: in two columns, and in three.
const (
	largeWidth, largeHeight = 1900, 1100
	hugeWidth, hugeHeight   = 2900, 1500
)

// beside returns the panels beside the map of a wide window that are not folded away.
func (shape *Shape) beside(width, height float64) []widePanel {
	if shape.Saved {
		return []widePanel{panelAxis, panelGuess, panelFlights, panelSurface}
	}
	large := width >= largeWidth && height >= largeHeight
	var there []widePanel
	for p := panelAxis; p <= panelResults; p++ {
		if shape.Folded.has(p) || p == panelBelief && !(large && shape.Belief) {
			continue
		}
		there = append(there, p)
	}
	return there
}

// Least heights of the panels, points. Where they have no room, the last ones are left out.
const (
	leastPanel = 92
	leastAxis  = 128
	mostAxis   = 440
)

// least is the least height of a panel; that of the guess may have what observers of the goal believe.
func (p widePanel) least(belief bool) float64 {
	switch p {
	case panelSettings:
		return controlsHeight
	case panelAxis:
		return leastAxis
	case panelGuess, panelBelief:
		if belief {
			return beliefHeight(leastBeliefRow)
		}
	}
	return leastPanel
}

// weight is how much of what is left a panel has: the settings are as high as they are, and results are many.
func (p widePanel) weight() int {
	switch p {
	case panelSettings:
		return 0
	case panelResults:
		return 3
	}
	return 1
}

// columns gives the panels their places at the right of an area, and returns the rest of it.
func (l *Layout) columns(area draw.Rect, shape Shape) draw.Rect {
	there := shape.beside(l.Window.W, l.Window.H)
	n := 1
	if l.Window.W >= largeWidth && l.Window.H >= largeHeight && len(there) > 3 {
		n = either(l.Window.W >= hugeWidth && l.Window.H >= hugeHeight && len(there) > 5, 3, 2)
	}
	width := math.Max(330, math.Min(620, 0.29*l.Window.W))
	if n > 1 {
		width = math.Max(420, math.Min(560, 0.36*l.Window.W/float64(n)))
	}
	each := (len(there) + n - 1) / n
	columns := slices.Collect(slices.Chunk(there, max(1, each)))
	if last := len(there) - 1; n == 3 && there[last] == panelResults { // which are many
		columns = append(slices.Collect(slices.Chunk(there[:last], (last+1)/2)), there[last:])
	}
	for _, column := range slices.Backward(columns) {
		var r draw.Rect
		r, area = area.CutRight(width)
		area = area.Trim(0, 0, gap, 0)
		if l.Side.Empty() {
			l.Side = r
		}
		l.Side = l.Side.Around(r)
		l.column(r, column, shape)
	}
	return area
}

// place is the area of a panel that can be folded away, nil for another.
func (l *Layout) place(p widePanel) *draw.Rect {
	return [...]*draw.Rect{panelAxis: &l.Along, panelFlights: &l.Distribution, panelSettings: &l.Controls,
		panelGuess: &l.Error, panelBelief: &l.Belief, panelSurface: &l.Survey,
		panelResults: &l.Results, panelTime: nil, panelLens: nil, panelReadings: nil}[p]
}

// column stacks panels: the settings as high as they are, and what is left shared out to the others.
func (l *Layout) column(rest draw.Rect, panels []widePanel, shape Shape) {
	spare := func(rest draw.Rect, panels []widePanel) float64 {
		room, n := rest.H+gap, 0
		for _, p := range panels {
			room -= p.least(shape.Belief) + gap
			n += p.weight()
		}
		return math.Floor(room / float64(max(1, n)))
	}
	for len(panels) > 2 && spare(rest, panels) < 0 {
		panels = panels[:len(panels)-1]
	}
	for i, p := range panels {
		height := p.least(shape.Belief)
		if more := spare(rest, panels[i:]); p != panelSettings {
			height += more * float64(p.weight())
		}
		if p == panelAxis && i+1 < len(panels) {
			height = math.Min(mostAxis, height)
		}
		*l.place(p), rest = rest.CutTop(height)
		rest = rest.Trim(0, gap, 0, 0)
	}
}

// foldWidth is the room of a button that folds a panel away, points.
const foldWidth = 24

// foldButtons fold the panels of a wide layout away.
func (s *Screen) foldButtons() {
	a, t := &s.layout, s.theme()
	if a.Compact {
		return
	}
	for p := panelAxis; p <= panelResults; p++ {
		area := a.place(p)
		if area.Empty() {
			continue
		}
		r := draw.Rect{X: area.Right() - foldWidth - 2, Y: area.Y + 2, W: foldWidth, H: 18}
		over, clicked := s.UI.Spot("fold."+panelNames[p], r, "Fold this panel away; Find everything (/) brings it back")
		c, ink := r.Center(), either(over, t.Ink, t.Muted)
		s.UI.List.Line([]draw.Point{{X: c.X - 5, Y: c.Y - 2}, {X: c.X, Y: c.Y + 3}, {X: c.X + 5, Y: c.Y - 2}}, 1.6, ink)
		if clicked {
			s.fold(p, true)
		}
	}
}

// fold folds a panel away, or shows it. Where a window has no room for it, others fold away, the last first.
func (s *Screen) fold(p widePanel, away bool) {
	s.Folded &^= 1 << p
	if away {
		s.Folded |= 1 << p
	}
	for other := panelResults; !away && other > panelFlights; other-- {
		area := s.layout.place(p)
		if area == nil || !s.fullLayout().place(p).Empty() {
			break
		}
		if other != p {
			s.Folded |= 1 << other
		}
	}
	s.shell.Remember(linkFolded, s.Folded.String())
}

// fullLayout is that of the window as it is now.
func (s *Screen) fullLayout() *Layout {
	l := s.newLayout(s.layout.Window.W, s.layout.Window.H)
	return &l
}

// Recall shows the panels that were on show when the viewer was last used.
func (s *Screen) Recall() {
	if folded, err := parsePanels(s.shell.Recall(linkFolded)); err == nil && s.shell.Recall(linkFolded) != "" {
		s.Folded = folded
	}
}

// togglePrivacy shows the settings of privacy, or folds them away.
func (s *Screen) togglePrivacy() {
	if s.layout.Compact {
		s.Tab = either(s.Tab == TabSettings, TabNone, TabSettings)
		return
	}
	s.fold(panelSettings, !s.Folded.has(panelSettings))
}

// privacyShown reports whether they are on show.
func (s *Screen) privacyShown() bool { return !s.layout.Controls.Empty() }

func (s *Screen) panelItems() []panel.Item {
	items := []panel.Item{{ID: "panel.all", Text: "The map alone, or as at first",
		Choose: func() { s.Folded = either(s.Folded == everythingFolded, usuallyFolded, everythingFolded) }}}
	width, height := s.layout.Window.W, s.layout.Window.H
	for i, title := range panelTitles {
		p := widePanel(i)
		if s.layout.place(p) != nil && !slices.Contains((&Shape{Belief: s.inferring()}).beside(width, height), p) {
			continue
		}
		items = append(items, panel.Item{ID: "panel." + panelNames[i], Text: title, On: !s.Folded.has(p),
			Choose: func() { s.fold(p, !s.Folded.has(p)) }})
	}
	return items
}

// everythingFolded is all panels away.
const everythingFolded panelSet = 1<<(panelReadings+1) - 1

// stillResults draws the panel of the results.
func (s *Screen) stillResults(l *draw.List) { s.panel(l, s.layout.Results, "Results") }

// Around the rows of the results, points.
const resultsTop, resultsBottom = 28, 4

// resultsHeight is how high the panel of the results is at a width, with all of them.
func (s *Screen) resultsHeight(w float64) float64 {
	return resultsTop + resultsBottom + panel.Table(s.outlineResults()).Height(draw.NewList(s.Atlas()), s.theme(), w-2*pad)
}

// movingResults writes the table of the results, and how many rows there is no room for.
func (s *Screen) movingResults(l *draw.List) {
	if left := len(s.outlineResults()) - s.writeResults(l); left > 0 {
		l.TextIn(s.theme().Small, headOf(s.layout.Results), draw.Right, s.theme().Muted,
			fmt.Sprintf("%d more in the saved table", left))
	}
}

// writeResults writes the table of the results, as many rows as there is room for, and returns how many.
func (s *Screen) writeResults(l *draw.List) int {
	area := s.layout.Results.Trim(pad, resultsTop, pad, resultsBottom)
	return panel.Table(s.outlineResults()).Draw(l, s.theme(), area)
}

// headOf is the place at the right of a panel's title, beside what folds it away.
func headOf(panel draw.Rect) draw.Rect { return panel.Trim(pad, 7, foldWidth+6, panel.H-23) }
