package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// Smallest window, points.
const (
	MinWidth  = 1024
	MinHeight = 640
)

// Gap between panels, and inside them from edge to content, points.
const (
	gap = 8
	pad = 10
)

// touchTarget is the least height of what a finger is to hit, points.
const touchTarget = 44

// touchable returns a height, or what a finger needs where fingers are likely.
func (s *Screen) touchable(height float64) float64 {
	if s.UI.Input.Touch {
		return math.Max(height, touchTarget)
	}
	return height
}

// Layout is where everything is, in points.
type Layout struct {
	Window, Bar                   draw.Rect
	Headline, Map                 draw.Rect
	Dock, Transport, Strips       draw.Rect
	Side, Controls                draw.Rect
	Error, Distribution, Survey   draw.Rect
	Altitude, Acceleration, Scrub draw.Rect
}

// NewLayout lays a window out.
func NewLayout(width, height float64) Layout {
	l := Layout{Window: draw.Rect{W: math.Max(width, MinWidth), H: math.Max(height, MinHeight)}}
	rest := l.Window
	l.Bar, rest = rest.CutTop(38)
	rest = rest.Trim(gap, 0, gap, gap)
	sideWidth := math.Max(330, math.Min(620, 0.29*l.Window.W))
	l.Side, rest = rest.CutRight(sideWidth)
	rest = rest.Trim(0, 0, gap, 0)
	dockHeight := math.Max(148, math.Min(300, 0.22*l.Window.H))
	l.Dock, rest = rest.CutBottom(dockHeight)
	rest = rest.Trim(0, 0, 0, gap)
	l.Headline, l.Map = rest.CutTop(52)
	l.dock()
	l.side()
	return l
}

func (l *Layout) dock() {
	inner := l.Dock.Trim(pad, 6, pad, 4)
	l.Transport, inner = inner.CutTop(30)
	l.Strips = inner.Trim(58, 6, 8, 0)
	l.Scrub, inner = l.Strips.CutBottom(26)
	inner = inner.Trim(0, 0, 0, 4)
	half := math.Floor((inner.H - 8) / 2)
	l.Altitude, inner = inner.CutTop(half)
	l.Acceleration = inner.Trim(0, 8, 0, 0)
}

// controlsHeight holds four sliders and two rows of buttons.
const controlsHeight = 4*25 + 3*32 + 12

func (l *Layout) side() {
	rest := l.Side
	l.Controls, rest = rest.CutTop(controlsHeight)
	third := math.Floor((rest.H - 3*gap) / 3)
	take := func() (r draw.Rect) {
		rest = rest.Trim(0, gap, 0, 0)
		r, rest = rest.CutTop(third)
		return r
	}
	l.Error, l.Distribution, l.Survey = take(), take(), take()
}
