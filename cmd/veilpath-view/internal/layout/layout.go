package layout

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// Smallest windows, points: of the wide layout, which shows all panels at once, and of the compact one.
const (
	minWidth, minHeight         = 1024, 640
	MinCompactWidth, MinCompact = 320, 320
)

// Gap between panels, and inside them from edge to content, points.
const (
	Gap = 8
	Pad = 10
)

// ButtonAir is what a row of buttons is higher than they are, points.
const ButtonAir = 6

// TouchTarget is the least height and width of what a finger is to hit, points.
const TouchTarget = 44

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
	TabStory // while one is told
	TabNone  // the map has the room
)

// TabIDs name the buttons, by Tab.
var TabIDs = []string{"settings", "key", "guess", "flights", "map", "why", "story"}

// Layout is where everything is, in points. What is not shown has no area.
type Layout struct {
	Compact                       bool
	Window, Bar                   draw.Rect
	Headline, Map                 draw.Rect
	Dock, Transport, Strips       draw.Rect
	Side, Controls, Key, Readings draw.Rect
	Error, Distribution           draw.Rect
	Belief, Along                 draw.Rect // of a large layout: panels that share a place in others
	Results                       draw.Rect
	Slider                        draw.Rect // of epsilon, over the chart along it
	Altitude, Acceleration, Off   draw.Rect // strips over time; off the line of sight
	Scrub, Why                    draw.Rect
	Pane, Story                   draw.Rect // of a compact layout: the open panel
	Tabs                          draw.Rect // of a compact layout
}

// New lays a window out. A window that is too small for all panels, for fingers sooner than for a mouse, shows the one
// of the tab.
func New(width, height float64, shape Shape) Layout {
	if width < minWidth || height < minHeight || shape.Touch && (width < LargeWidth || height < LargeHeight) {
		return compactLayout(math.Max(width, MinCompactWidth), math.Max(height, MinCompact), shape)
	}
	l := Layout{Window: draw.Rect{W: width, H: height}}
	rest := l.Window
	l.Bar, rest = rest.CutTop(38)
	rest = l.columns(rest.Trim(Gap, 0, Gap, Gap), shape)
	l.slider(SliderHeight)
	dockHeight := math.Max(178, math.Min(340, 0.25*l.Window.H))
	if shape.Folded.Has(panelTime) {
		dockHeight = foldedDock
	}
	l.Dock, rest = rest.CutBottom(dockHeight)
	rest = rest.Trim(0, 0, 0, Gap)
	l.Headline, l.Map = rest.CutTop(l.headlineHeight(shape))
	l.dock(shape)
	return l
}

// headlineHeight is that of the lines above the map, with the sentence of why, or of the story.
func (l *Layout) headlineHeight(shape Shape) float64 {
	rows := 3. // of the sentence of why
	switch {
	case shape.Tab == TabStory:
		return storyHeight
	case l.Window.W < threeLines:
		rows = 4
	case l.Window.W >= LargeWidth:
		rows = 2
	}
	return l.WhyAt() + rows*WhyRow + 6
}

// WhyAt is where the sentence of why begins in a headline: below the question, its answer and the flight on show.
func (l *Layout) WhyAt() float64 { return either(l.Window.W < threeLines, 103., 83.) }

// threeLines is the width of a window below which the answer may take two lines and the sentence of why four, points.
const threeLines = 1200

// foldedDock is the height of the transport and the line of time alone, points.
const foldedDock = 78

func (l *Layout) dock(shape Shape) {
	inner := l.Dock.Trim(Pad, 6, Pad, 4)
	if !shape.Saved {
		l.Transport, inner = inner.CutTop(32)
	}
	l.Strips = inner.Trim(58, 6, 8, 0)
	l.Scrub, inner = l.Strips.CutBottom(26)
	if !shape.Folded.Has(panelTime) {
		l.strips(inner.Trim(0, 0, 0, 4))
	}
}

// strips shares an area out to the altitude, the turn command and the angle off the line of sight.
func (l *Layout) strips(area draw.Rect) {
	third := math.Floor((area.H - 16) / 3)
	l.Altitude, area = area.CutTop(third)
	l.Acceleration, area = area.Trim(0, 8, 0, 0).CutTop(third)
	l.Off = area.Trim(0, 8, 0, 0)
}

// Sizes of the settings of a wide layout, points. controlsHeight holds a title, three sliders and four rows of buttons.
const (
	ControlsTop    = 28
	SliderHeight   = 25
	controlsHeight = ControlsTop + 3*SliderHeight + 4*(26+ButtonAir) + 4
)

// storyHeight is the height of a step of the story in a wide layout, points.
const storyHeight = 122

// Heights of the rows of a compact layout, points.
const (
	CompactGap      = 6
	compactBar      = 48
	CompactHeadline = 74
	lowWindow       = 600 // below which the headline has two lines less
	NarrowWindow    = 340 // below which tabs reach to its edges
	compactDock     = 2*TouchTarget + 2
	compactWhy      = 6*16 + 6
	compactPanel    = 5*TouchTarget + ButtonAir + 12 // four sliders and the run
)

// compactLayout stacks everything in one column, or in a window that is wider than high in two.
func compactLayout(width, height float64, shape Shape) Layout {
	tab := shape.Tab
	l := Layout{Compact: true, Window: draw.Rect{W: width, H: height}}
	rest := l.Window
	l.Bar, rest = rest.CutTop(compactBar)
	rest = rest.Trim(CompactGap, 0, CompactGap, CompactGap)
	lying := width > height
	if lying {
		l.Side, rest = rest.CutRight(math.Floor(0.47 * rest.W))
		rest = rest.Trim(0, 0, CompactGap, 0)
		l.Tabs, l.Side = l.Side.CutBottom(TouchTarget)
		l.Side = l.Side.Trim(0, 0, 0, CompactGap)
	} else {
		l.Tabs, rest = rest.CutBottom(TouchTarget)
		rest = rest.Trim(0, 0, 0, CompactGap)
	}
	if width < NarrowWindow {
		l.Tabs = l.Tabs.Trim(2-CompactGap, 0, 2-CompactGap, 0)
	}
	l.Dock, rest = rest.CutBottom(compactDock)
	rest = rest.Trim(0, 0, 0, CompactGap)
	if !lying && tab != TabNone {
		l.Side, rest = rest.CutBottom(math.Max(compactPanel, math.Floor(0.36*height)))
		rest = rest.Trim(0, 0, 0, CompactGap)
	}
	l.Headline, l.Map = rest.CutTop(either(height < lowWindow, CompactHeadline-32., CompactHeadline))
	l.Transport, l.Scrub = l.Dock.CutTop(TouchTarget)
	l.Scrub = l.Scrub.Trim(20, 2, 20, 0)
	l.Strips = l.Scrub
	besides := either(tab == TabSettings, TabFlights, tab)
	switch pane := l.Side; {
	case !lying && tab != TabNone && width >= tabletWidth:
		l.Controls, pane = pane.CutLeft(math.Floor((pane.W - CompactGap) / 2))
		l.panel(besides, pane.Trim(CompactGap, 0, 0, 0))
	case lying && height >= tabletHeight:
		l.Controls, pane = pane.CutTop(compactPanel)
		l.panel(either(besides == TabNone, TabFlights, besides), pane.Trim(0, CompactGap, 0, 0))
	default:
		l.panel(tab, pane)
	}
	return l
}

// From these sizes, points, the settings of a compact layout stay with the open panel: beside it where the window is
// upright, and above it where it lies.
const tabletWidth, tabletHeight = 700, 560

// panel gives an area to the panel of a tab.
func (l *Layout) panel(tab Tab, area draw.Rect) {
	l.Pane = area
	switch tab {
	case TabSettings:
		l.Controls = area
	case TabKey:
		l.Key = area
	case TabGuess:
		l.Error = area
	case TabFlights:
		l.Distribution = area
	case TabMap:
		l.Along = area
		l.slider(TouchTarget)
	case TabStory:
		l.Story = area
	case TabWhy:
		why, rest := area.CutTop(compactWhy)
		l.Why = why.Trim(Pad, 6, Pad, 0)
		l.Readings, rest = rest.CutTop(ReadingsHeight(2))
		l.strips(rest.Trim(46, 8, Pad, Pad))
	}
}

// AlongTop is the height of the title of the chart along epsilon, points.
const AlongTop = 26

// slider places the slider of epsilon over the chart along it, if there is one.
func (l *Layout) slider(height float64) {
	if !l.Along.Empty() {
		const grip = TouchTarget + 4 // of the demand, beside the chart
		l.Slider, _ = l.Along.Trim(46, AlongTop, either(l.Compact, grip, 20.), 0).CutTop(height)
	}
}
