package figure

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"veilpath/internal/plot"
	"veilpath/internal/png"
)

// file is a plot.Canvas that becomes an SVG or PNG file. A zero file can measure text; it can be drawn on within
// writeSVG and writePNG. Text is set in Liberation Sans. A reader of an SVG without that font sees another
// one in the same widths. Only one goroutine may use a file.
type file struct {
	page   vg.Canvas
	high   float64     // of the page, points
	pixels *image.RGBA // of the page; nil for SVG
	dots   float64     // pixels a point
	clips  []plot.Rect

	letters bytes.Buffer // the text of an SVG, which lies over everything else
}

// fonts returns the regular and the bold font, which are parsed once.
var fonts = sync.OnceValue(func() (both [2]*sfnt.Font) {
	for i, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		parsed, err := sfnt.Parse(ttf)
		if err != nil {
			panic("figure: the embedded font: " + err.Error())
		}
		both[i] = parsed
	}
	return both
})

// writeSVG writes what a function draws as an SVG element of a size in points, for a file or a page of HTML. Its title
// and description are for screen readers, and style is of the element. Text lies over everything else.
func (f *file) writeSVG(w io.Writer, wide, high float64, title, description, style string, drawing func()) error {
	page := vgsvg.New(vg.Length(wide), vg.Length(high))
	f.page, f.high, f.pixels = page, high, nil
	drawing()
	var b bytes.Buffer
	if _, err := page.WriteTo(&b); err != nil {
		return err
	}
	shapes := b.Bytes()[bytes.Index(b.Bytes(), []byte("<g")):] // gonum's head has no place for titles
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%gpt" height="%gpt" `+
		`viewBox="0 0 %[1]g %[2]g"%s>
<title>%s</title>
<desc>%s</desc>
%s<g font-family="Liberation Sans, Arial, Helvetica, sans-serif">
%s</g>
</svg>
`, wide, high, style, html.EscapeString(title), html.EscapeString(description),
		bytes.TrimSuffix(shapes, []byte("</svg>\n")), f.letters.Bytes())
	return err
}

// writePNG writes what a function draws as a picture of a size in points, at a resolution in dots per inch.
func (f *file) writePNG(w io.Writer, wide, high float64, dots int, drawing func()) error {
	page := vgimg.NewWith(vgimg.UseWH(vg.Length(wide), vg.Length(high)), vgimg.UseDPI(dots))
	f.page, f.high, f.pixels, f.dots = page, high, page.Image().(*image.RGBA), float64(dots)/vg.Inch.Points()
	drawing()
	return png.Encode(w, f.pixels, "")
}

// at returns a place on the page, on which y is upwards.
func (f *file) at(p plot.Point) vg.Point {
	return vg.Point{X: vg.Length(p.X), Y: vg.Length(f.high - p.Y)}
}

func (f *file) places(points []plot.Point) []vg.Point {
	places := make([]vg.Point, len(points))
	for i, p := range points {
		places[i] = f.at(p)
	}
	return places
}

func pathOf(places []vg.Point) vg.Path {
	path := make(vg.Path, 0, len(places)+1) // one more for closing it
	for i, p := range places {
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	return path
}

// Clip restricts drawing to a rectangle, inside the present one, until Unclip.
func (f *file) Clip(r plot.Rect) {
	if n := len(f.clips); n > 0 {
		r = r.Within(f.clips[n-1])
	}
	f.clips = append(f.clips, r)
}

// Unclip ends the latest Clip.
func (f *file) Unclip() { f.clips = f.clips[:len(f.clips)-1] }

// clipped returns the present clip as gonum has it, and false where nothing is cut off.
func (f *file) clipped() (vgdraw.Canvas, bool) {
	if len(f.clips) == 0 {
		return vgdraw.Canvas{}, false
	}
	r := f.clips[len(f.clips)-1]
	low, high := plot.Point{X: r.X, Y: r.Bottom()}, plot.Point{X: r.Right(), Y: r.Y}
	return vgdraw.Canvas{Rectangle: vg.Rectangle{Min: f.at(low), Max: f.at(high)}}, true
}

// Rect fills a rectangle. In a picture its edges fall on whole pixels.
func (f *file) Rect(r plot.Rect, c color.NRGBA) {
	if n := len(f.clips); n > 0 {
		r = r.Within(f.clips[n-1])
	}
	if r.Empty() {
		return
	}
	if f.pixels == nil {
		f.fill(r.Outline(), c)
		return
	}
	pixel := func(at float64) int { return int(math.Round(at * f.dots)) }
	end := func(from, length float64) int {
		if length < 2 { // a line is as thick everywhere
			return pixel(from) + max(1, pixel(length))
		}
		return pixel(from + length)
	}
	box := image.Rect(pixel(r.X), pixel(r.Y), end(r.X, r.W), end(r.Y, r.H))
	draw.Draw(f.pixels, box, image.NewUniform(c), image.Point{}, draw.Over)
}

// RoundRect fills a rectangle; on paper corners are square.
func (f *file) RoundRect(r plot.Rect, _ float64, c color.NRGBA) { f.Rect(r, c) }

// Triangle fills a triangle.
func (f *file) Triangle(a, b, c plot.Point, ink color.NRGBA) { f.fill([]plot.Point{a, b, c}, ink) }

// Band fills the area between two lines with the same number of points.
func (f *file) Band(low, high []plot.Point, c color.NRGBA) {
	outline := slices.Clone(high)
	slices.Reverse(outline)
	f.fill(append(outline, low...), c)
}

func (f *file) fill(points []plot.Point, c color.NRGBA) {
	places := f.places(points)
	if clip, is := f.clipped(); is {
		places = clip.ClipPolygonXY(places)
	}
	if path := pathOf(places); len(path) > 2 {
		path.Close()
		f.page.SetColor(c)
		f.page.Fill(path)
	}
}

// Disc fills a circle.
func (f *file) Disc(center plot.Point, radius float64, c color.NRGBA) {
	f.page.SetColor(c)
	f.page.Fill(f.circle(center, radius))
}

// Ring draws a circle's line.
func (f *file) Ring(center plot.Point, radius, width float64, c color.NRGBA) {
	f.pen(width, nil, c)
	f.page.Stroke(f.circle(center, radius))
}

func (f *file) circle(center plot.Point, radius float64) (path vg.Path) {
	path.Move(f.at(plot.Point{X: center.X + radius, Y: center.Y}))
	path.Arc(f.at(center), vg.Length(radius), 0, 2*math.Pi)
	path.Close()
	return path
}

func (f *file) pen(width float64, dashes []vg.Length, c color.NRGBA) {
	f.page.SetColor(c)
	f.page.SetLineWidth(vg.Length(width))
	f.page.SetLineDash(dashes, 0)
}

// Line draws a line through points.
func (f *file) Line(points []plot.Point, width float64, c color.NRGBA) {
	f.stroke(points, width, nil, c)
}

// Dashed draws a line in dashes of a length and with gaps, points.
func (f *file) Dashed(points []plot.Point, width, dash, gap float64, c color.NRGBA) {
	f.stroke(points, width, []vg.Length{vg.Length(dash), vg.Length(gap)}, c)
}

func (f *file) stroke(points []plot.Point, width float64, dashes []vg.Length, c color.NRGBA) {
	if len(points) < 2 || width <= 0 {
		return
	}
	f.pen(width, dashes, c)
	pieces := [][]vg.Point{f.places(points)}
	if clip, is := f.clipped(); is {
		pieces = clip.ClipLinesXY(pieces[0])
	}
	for _, piece := range pieces {
		f.page.Stroke(pathOf(piece))
	}
}

// face returns the font of a style at its size.
func face(s plot.Style) vgfont.Face {
	of := fonts()[0]
	if s.Bold {
		of = fonts()[1]
	}
	return vgfont.Face{Font: vgfont.Font{Size: vg.Length(s.Size)}, Face: of}
}

// Width returns the width of a line of text, with kerning.
func (f *file) Width(s plot.Style, text string) float64 {
	set := face(s)
	return set.Width(text).Points()
}

const (
	capitals   = 0.69 // height of capitals relative to the size of the type
	leastLines = 3    // pixels of type below which text cannot be read and is left out
)

// TextIn writes a line of text, centred on the height of the rectangle. It is never shortened.
func (f *file) TextIn(s plot.Style, r plot.Rect, align plot.Align, c color.NRGBA, text string) float64 {
	width, base := f.Width(s, text), r.Center().Y+capitals*s.Size/2
	left := r.X + (r.W-width)*float64(align)/2
	switch {
	case text == "":
	case f.pixels == nil: // another font is set in the same width
		weight := ""
		if s.Bold {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(&f.letters, `<text x="%.5g" y="%.5g" font-size="%g"%s textLength="%.4g" lengthAdjust="spacingAndGlyphs" `+
			`fill="#%02x%02x%02x">%s</text>`+"\n", left, base, s.Size, weight, width, c.R, c.G, c.B, html.EscapeString(text))
	case s.Size*f.dots >= leastLines:
		f.page.SetColor(c)
		f.page.FillString(face(s), f.at(plot.Point{X: left, Y: base}), text)
	}
	return width
}

// wrap breaks text between words into lines no wider than a width. It keeps the line breaks there are.
func wrap(l plot.Canvas, s plot.Style, text string, width float64) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && l.Width(s, longer) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		lines = append(lines, line)
	}
	return lines
}

// writeLines writes lines below each other, from the top of a rectangle, and returns how far down they end.
func writeLines(l plot.Canvas, s plot.Style, r plot.Rect, c color.NRGBA, lines []string) float64 {
	if linesHeight(s, lines) == 0 {
		return r.Y
	}
	r.H = lineHeight * s.Size
	for _, line := range lines {
		l.TextIn(s, r, plot.Left, c, line)
		r.Y += r.H
	}
	return r.Y
}
