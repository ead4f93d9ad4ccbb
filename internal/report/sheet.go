package report

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"veilpath/assets"
)

// sheet is a canvas with lettering and colours.
type sheet struct {
	*lettering
	canvas  canvas
	palette assets.Palette
}

// canvas draws shapes in an image format. Coordinates are in points from the bottom left.
type canvas interface {
	Line(st stroke, points []vg.Point)
	Area(c color.NRGBA, points []vg.Point)
	Disc(c color.NRGBA, at vg.Point, radius vg.Length)
	// Letter draws the glyphs of a line from the start of its baseline, to the right or upwards.
	Letter(style typeStyle, c color.NRGBA, start vg.Point, upwards bool, glyphs []glyph)
}

// The type and line sizes of every figure.
var (
	titleType    = typeStyle{size: 14, bold: true}
	subtitleType = typeStyle{size: 10}
	panelType    = typeStyle{size: 10.5, bold: true}
	labelType    = typeStyle{size: 10}
	tickType     = typeStyle{size: 9.5}
	keyType      = typeStyle{size: 9.5}
	noteType     = typeStyle{size: 8.5}
)

const (
	hairline   = vg.Length(0.6)
	thinLine   = vg.Length(1)
	curveWidth = vg.Length(1.8)
)

type stroke struct {
	color  color.NRGBA
	width  vg.Length
	dashes []vg.Length
}

var dashed = []vg.Length{5, 3}

// dotted is a pattern that a short line shows to be another than dashed.
var dotted = []vg.Length{1.6, 2.6}

func (s *sheet) line(st stroke, points ...vg.Point) {
	if len(points) > 1 {
		s.canvas.Line(st, points)
	}
}

func (s *sheet) area(c color.NRGBA, points ...vg.Point) {
	if len(points) > 2 {
		s.canvas.Area(c, points)
	}
}

func (s *sheet) box(c color.NRGBA, r vg.Rectangle) {
	s.area(c, r.Min, vg.Point{X: r.Max.X, Y: r.Min.Y}, r.Max, vg.Point{X: r.Min.X, Y: r.Max.Y})
}

// anchor says which point of a text block is given: 0 is left or bottom, 1 right or top.
type anchor struct{ x, y vg.Length }

// write draws lines of text. The block extends from the top of the capitals to the last baseline.
func (s *sheet) write(style typeStyle, c color.NRGBA, at vg.Point, a anchor, text string) {
	lines := strings.Split(text, "\n")
	step := lineSpacing * style.size
	block := capHeight*style.size + step*vg.Length(len(lines)-1)
	baseline := at.Y - capHeight*style.size + (1-a.y)*block
	for i, line := range lines {
		glyphs, width := s.glyphs(style, line)
		s.canvas.Letter(style, c, vg.Point{X: at.X - a.x*width, Y: baseline - vg.Length(i)*step}, false, glyphs)
	}
}

// writeUpwards draws one line from bottom to top, centred on a point of its baseline.
func (s *sheet) writeUpwards(style typeStyle, c color.NRGBA, at vg.Point, line string) {
	glyphs, width := s.glyphs(style, line)
	s.canvas.Letter(style, c, vg.Point{X: at.X, Y: at.Y - width/2}, true, glyphs)
}

// clip returns the parts of a line inside a rectangle.
func clip(r vg.Rectangle, points []vg.Point) [][]vg.Point {
	c := draw.Canvas{Rectangle: r}
	return c.ClipLinesXY(points)
}

// clipArea returns the part of a polygon inside a rectangle.
func clipArea(r vg.Rectangle, points []vg.Point) []vg.Point {
	c := draw.Canvas{Rectangle: r}
	return c.ClipPolygonXY(points)
}

// faded returns a colour at an opacity in [0, 1].
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// inside reports whether a point lies in a rectangle or within rounding of its edge.
func inside(r vg.Rectangle, p vg.Point) bool {
	const rounding = 1e-6 // points; far below what is visible
	return p.X >= r.Min.X-rounding && p.X <= r.Max.X+rounding && p.Y >= r.Min.Y-rounding && p.Y <= r.Max.Y+rounding
}
