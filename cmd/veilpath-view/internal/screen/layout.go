package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Smallest windows, points: of the wide layout, which shows all panels at once, and of the compact one.
const (
	MinWidth, MinHeight         = 1024, 640
	MinCompactWidth, MinCompact = 320, 320
)

// Gap between panels, and inside them from edge to content, points.
const (
	gap = 8
	pad = 10
)

// buttonAir is what a row of buttons is higher than they are, points.
const buttonAir = 6

// touchTarget is the least height and width of what a finger is to hit, points.
const touchTarget = 44

// Tab is the panel that a compact layout shows.
type Tab int

// The panels of a compact layout.
const (
	TabSettings Tab = iota
	TabKey
	TabGuess
	TabFlights
	TabMap
	TabWhy
	TabStory // opened by telling it
	TabNone  // the map has the room
)

// Layout is where everything is, in points. What is not shown has no area.
type Layout struct {
	Compact                       bool
	Window, Bar                   draw.Rect
	Headline, Map                 draw.Rect
	Kept                          draw.Rect // the map of settings that are compared with, if it has one
	Dock, Transport, Strips       draw.Rect
	Side, Controls, Key, Readings draw.Rect
	Error, Distribution, Survey   draw.Rect
	Axis                          draw.Rect // along the slider of epsilon
	Altitude, Acceleration, Off   draw.Rect // strips over time; off the line of sight
	Scrub, Why                    draw.Rect
	Story                         draw.Rect // of a compact layout
	Tabs                          draw.Rect // of a compact layout
}

// NewLayout lays a window out. One that is too small for all panels shows the one of the tab.
func NewLayout(width, height float64, tab Tab) Layout {
	if width < MinWidth || height < MinHeight {
		return compactLayout(math.Max(width, MinCompactWidth), math.Max(height, MinCompact), tab)
	}
	l := Layout{Window: draw.Rect{W: width, H: height}}
	rest := l.Window
	l.Bar, rest = rest.CutTop(38)
	rest = rest.Trim(gap, 0, gap, gap)
	sideWidth := math.Max(330, math.Min(620, 0.29*l.Window.W))
	l.Side, rest = rest.CutRight(sideWidth)
	rest = rest.Trim(0, 0, gap, 0)
	dockHeight := math.Max(178, math.Min(340, 0.25*l.Window.H))
	l.Dock, rest = rest.CutBottom(dockHeight)
	rest = rest.Trim(0, 0, 0, gap)
	l.Headline, l.Map = rest.CutTop(either(tab == TabStory, storyHeight, 86.))
	l.dock()
	l.side()
	return l
}

func (l *Layout) dock() {
	inner := l.Dock.Trim(pad, 6, pad, 4)
	l.Transport, inner = inner.CutTop(30)
	l.Strips = inner.Trim(58, 6, 8, 0)
	l.Scrub, inner = l.Strips.CutBottom(26)
	l.strips(inner.Trim(0, 0, 0, 4))
}

// strips shares an area out to the altitude, the turn command and the angle off the line of sight.
func (l *Layout) strips(area draw.Rect) {
	third := math.Floor((area.H - 16) / 3)
	l.Altitude, area = area.CutTop(third)
	l.Acceleration, area = area.Trim(0, 8, 0, 0).CutTop(third)
	l.Off = area.Trim(0, 8, 0, 0)
}

// Sizes of the controls of a wide layout, points. controlsHeight holds four sliders and three rows of buttons.
const (
	controlsTop    = 8
	sliderHeight   = 25
	controlsHeight = 4*sliderHeight + 3*(26+buttonAir) + 12
	axisAir        = 8 // above and below the chart along epsilon, together
)

func (l *Layout) side() {
	rest := l.Side
	height := float64(controlsHeight)
	if l.Window.H >= roomyHeightForAxis {
		height += axisHeight + axisAir
		l.Axis = ui.Track(draw.Rect{X: rest.X + pad, Y: rest.Y + controlsTop + sliderHeight + axisAir/2, W: rest.W - 2*pad, H: axisHeight})
	}
	l.Controls, rest = rest.CutTop(height)
	third := math.Floor((rest.H - 3*gap) / 3)
	take := func() (r draw.Rect) {
		rest = rest.Trim(0, gap, 0, 0)
		r, rest = rest.CutTop(third)
		return r
	}
	l.Error, l.Distribution, l.Survey = take(), take(), take()
}

// storyHeight is the height of a step of the story in a wide layout, points.
const storyHeight = 122

// Heights of the rows of a compact layout, points.
const (
	compactGap      = 6
	compactBar      = 48
	compactHeadline = 60
	compactDock     = 2*touchTarget + 2
	compactWhy      = 5*16 + 6
	compactPanel    = 5*touchTarget + buttonAir + 12 // four sliders and the run
)

// compactLayout stacks everything in one column, or in a window that is wider than high in two.
func compactLayout(width, height float64, tab Tab) Layout {
	l := Layout{Compact: true, Window: draw.Rect{W: width, H: height}}
	rest := l.Window
	l.Bar, rest = rest.CutTop(compactBar)
	rest = rest.Trim(compactGap, 0, compactGap, compactGap)
	column := &rest
	if width > height {
		var right draw.Rect
		right, rest = rest.CutRight(math.Floor(0.47 * rest.W))
		rest = rest.Trim(0, 0, compactGap, 0)
		column = &right
	}
	l.Tabs, *column = column.CutBottom(touchTarget)
	if column == &rest {
		*column = column.Trim(0, 0, 0, compactGap)
		l.Dock, rest = rest.CutBottom(compactDock)
		rest = rest.Trim(0, 0, 0, compactGap)
	}
	if tab != TabNone || column != &rest {
		panel := column.H
		if column == &rest {
			panel = math.Max(compactPanel, math.Floor(0.36*height))
		}
		l.Side, *column = column.CutBottom(panel)
		*column = column.Trim(0, 0, 0, compactGap)
	}
	if column != &rest {
		l.Side = l.Side.Trim(0, 0, 0, compactGap)
		l.Dock, rest = rest.CutBottom(compactDock)
		rest = rest.Trim(0, 0, 0, compactGap)
	}
	l.Headline, l.Map = rest.CutTop(compactHeadline)
	l.Transport, l.Scrub = l.Dock.CutTop(touchTarget)
	l.Scrub = l.Scrub.Trim(20, 2, 20, 0)
	l.Strips = l.Scrub
	l.panel(tab)
	return l
}

// panel gives the side to the panel of a tab.
func (l *Layout) panel(tab Tab) {
	switch tab {
	case TabSettings:
		l.Controls = l.Side
	case TabKey:
		l.Key = l.Side
	case TabGuess:
		l.Error = l.Side
	case TabFlights:
		l.Distribution = l.Side
	case TabMap:
		l.Survey = l.Side
	case TabStory:
		l.Story = l.Side
	case TabWhy:
		why, rest := l.Side.CutTop(compactWhy)
		l.Why = why.Trim(pad, 6, pad, 0)
		l.Readings, rest = rest.CutTop(readingsHeight(2))
		l.strips(rest.Trim(46, 8, pad, pad))
	}
}

// touchable returns a height, or what a finger needs where the layout is made for fingers.
func (s *Screen) touchable(height float64) float64 {
	if s.layout.Compact {
		return math.Max(height, touchTarget)
	}
	return height
}
