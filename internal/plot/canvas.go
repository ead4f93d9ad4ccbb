// Package plot has charts that are described as data: scales, lines with bands, references that can be dragged, dots,
// cells, labels and zones. A chart is drawn on any Canvas, such as a window's draw list or the writer of a file, and
// says what of it lies at a place, so that a pointer can work it.
package plot

import "image/color"

// Style is a font and its size in points.
type Style struct {
	Bold bool
	Size float64
}

// Align says where in its rectangle a text stands.
type Align int

// The three ways to align.
const (
	Left Align = iota
	Center
	Right
)

// Canvas is what charts are drawn on. Places and sizes are points, y downwards.
type Canvas interface {
	Rect(r Rect, c color.NRGBA)
	RoundRect(r Rect, radius float64, c color.NRGBA)
	Triangle(a, b, c Point, ink color.NRGBA)
	// Band fills the area between two lines with the same number of points.
	Band(low, high []Point, c color.NRGBA)
	Disc(center Point, radius float64, c color.NRGBA)
	Ring(center Point, radius, width float64, c color.NRGBA)
	Line(points []Point, width float64, c color.NRGBA)
	Dashed(points []Point, width, dash, gap float64, c color.NRGBA)
	// TextIn writes a text on one line, shortened where it does not fit, and returns its width.
	TextIn(s Style, r Rect, align Align, c color.NRGBA, text string) float64
	Width(s Style, text string) float64
	// Clip restricts drawing to a rectangle until Unclip.
	Clip(r Rect)
	Unclip()
}

// Look is the colours and the type of charts.
type Look struct {
	Panel, Ink, Muted, Grid color.NRGBA
	Strong, Small           Style
	Corner                  float64 // radius of a panel's corners
	Hair                    float64 // width of grid lines, points; 0 for 1
}
