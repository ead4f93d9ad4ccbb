package draw

import "veilpath/internal/plot"

// What charts are described with is what lists are drawn with: a list is a canvas of package plot.
type (
	Point = plot.Point
	Rect  = plot.Rect
	Style = plot.Style
	Align = plot.Align
)

// The three ways to align.
const (
	Left   = plot.Left
	Center = plot.Center
	Right  = plot.Right
)

var _ plot.Canvas = (*List)(nil)
