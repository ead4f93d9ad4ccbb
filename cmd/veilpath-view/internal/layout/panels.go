package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// Panel is a panel of a wide layout, which can be folded away.
type Panel int

// The panels of a wide layout, in the order in which they get their places. The first ones are on show at first.
const (
	PanelAxis Panel = iota // epsilon and the distance along it
	PanelFlights
	PanelSettings
	PanelGuess
	PanelBelief // of a large layout; in others it has the place of the guess
	PanelResults
	panelTime // the strips over the line of time
	PanelLens // the cards on the map: what is near the target, and the numbers of the moment
	PanelReadings
)

// UsuallyFolded are the panels that are away at first.
const UsuallyFolded Panels = 1<<PanelSettings | 1<<PanelGuess | 1<<PanelResults | 1<<panelTime |
	1<<PanelLens | 1<<PanelReadings

// PanelNames are the panels as links call them, by Panel.
var PanelNames = []string{"axis", "flights", "settings", "guess", "belief", "results", "time", "lens", "readings"}

// PanelTitles are the panels as lists call them, by Panel.
var PanelTitles = []string{"Privacy, along ε", "Where the flights are recognised (distribution)", "Settings",
	"How far off the guess is", "What observers know of the goal", "Results",
	"Altitude, turn and line of sight over time", "The guess near the target", "The numbers of the moment"}

// Panels is a set of panels.
type Panels uint

// none is what String calls a set without panels.
const none = "none"

// Has reports whether a panel is in the set.
func (p Panels) Has(panel Panel) bool { return p>>panel&1 == 1 }

// String names the panels of the set, with commas in between, or says that there are none.
func (p Panels) String() string {
	if p == 0 {
		return none
	}
	var names []string
	for i, name := range PanelNames {
		if p.Has(Panel(i)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParsePanels reads what String writes.
func ParsePanels(text string) (Panels, error) {
	var p Panels
	if text == "" || text == none {
		return 0, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		at := slices.Index(PanelNames, name)
		if at < 0 {
			return 0, fmt.Errorf("there is no panel %q; there are %s", name, strings.Join(PanelNames, ", "))
		}
		p |= 1 << at
	}
	return p, nil
}

// Shape is what a layout has to show.
type Shape struct {
	Tab    Tab    // that is open where there is room for one
	Folded Panels // away where there is room for all
	Belief bool   // what observers of the goal know is shown
	Saved  bool   // as a picture: what is flown, without what sets it
	Touch  bool   // fingers are to hit what there is
}

// Smallest windows, points, of layouts that show more panels at once: in two columns, and in three.
const (
	LargeWidth, LargeHeight = 1900, 1100
	hugeWidth, hugeHeight   = 2900, 1500
)

// Beside returns the panels beside the map of a wide window that are not folded away.
func (shape *Shape) Beside(width, height float64) []Panel {
	if shape.Saved {
		return []Panel{PanelAxis, PanelGuess, PanelFlights}
	}
	large := width >= LargeWidth && height >= LargeHeight
	var there []Panel
	for p := PanelAxis; p <= PanelResults; p++ {
		if shape.Folded.Has(p) || p == PanelBelief && !(large && shape.Belief) {
			continue
		}
		there = append(there, p)
	}
	return there
}

// Least heights of the panels, points. Where they have no room, the last ones are left out.
const (
	LeastPanel = 92
	leastAxis  = 128
	mostAxis   = 440
)

// least is the least height of a panel; that of the guess may have what observers of the goal believe.
func (p Panel) least(belief bool) float64 {
	switch p {
	case PanelSettings:
		return controlsHeight
	case PanelAxis:
		return leastAxis
	case PanelGuess, PanelBelief:
		if belief {
			return beliefHeight(LeastBeliefRow)
		}
	}
	return LeastPanel
}

// weight is how much of what is left a panel has: the settings are as high as they are, and results are many.
func (p Panel) weight() int {
	switch p {
	case PanelSettings:
		return 0
	case PanelResults:
		return 3
	}
	return 1
}

// columns gives the panels their places at the right of an area, and returns the rest of it.
func (l *Layout) columns(area draw.Rect, shape Shape) draw.Rect {
	there := shape.Beside(l.Window.W, l.Window.H)
	n := 1
	if l.Window.W >= LargeWidth && l.Window.H >= LargeHeight && len(there) > 3 {
		n = either(l.Window.W >= hugeWidth && l.Window.H >= hugeHeight && len(there) > 5, 3, 2)
	}
	width := math.Max(330, math.Min(620, 0.29*l.Window.W))
	if n > 1 {
		width = math.Max(420, math.Min(560, 0.36*l.Window.W/float64(n)))
	}
	each := (len(there) + n - 1) / n
	columns := slices.Collect(slices.Chunk(there, max(1, each)))
	if last := len(there) - 1; n == 3 && there[last] == PanelResults { // which are many
		columns = append(slices.Collect(slices.Chunk(there[:last], (last+1)/2)), there[last:])
	}
	for _, column := range slices.Backward(columns) {
		var r draw.Rect
		r, area = area.CutRight(width)
		area = area.Trim(0, 0, Gap, 0)
		if l.Side.Empty() {
			l.Side = r
		}
		l.Side = l.Side.Around(r)
		l.column(r, column, shape)
	}
	return area
}

// Place is the area of a panel that can be folded away, nil for another.
func (l *Layout) Place(p Panel) *draw.Rect {
	return [...]*draw.Rect{PanelAxis: &l.Along, PanelFlights: &l.Distribution, PanelSettings: &l.Controls,
		PanelGuess: &l.Error, PanelBelief: &l.Belief, PanelResults: &l.Results, panelTime: nil, PanelLens: nil, PanelReadings: nil}[p]
}

// column stacks panels: the settings as high as they are, and what is left shared out to the others.
func (l *Layout) column(rest draw.Rect, panels []Panel, shape Shape) {
	spare := func(rest draw.Rect, panels []Panel) float64 {
		room, n := rest.H+Gap, 0
		for _, p := range panels {
			room -= p.least(shape.Belief) + Gap
			n += p.weight()
		}
		return math.Floor(room / float64(max(1, n)))
	}
	for len(panels) > 2 && spare(rest, panels) < 0 {
		panels = panels[:len(panels)-1]
	}
	for i, p := range panels {
		height := p.least(shape.Belief)
		if more := spare(rest, panels[i:]); p != PanelSettings {
			height += more * float64(p.weight())
		}
		if p == PanelAxis && i+1 < len(panels) {
			height = math.Min(mostAxis, height)
		}
		*l.Place(p), rest = rest.CutTop(height)
		rest = rest.Trim(0, Gap, 0, 0)
	}
}

// FoldWidth is the room of a button that folds a panel away, points.
const FoldWidth = 24

// EverythingFolded is all panels away.
const EverythingFolded Panels = 1<<(PanelReadings+1) - 1

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}
