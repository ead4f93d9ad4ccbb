package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// subpixels is how many places within a pixel a glyph is drawn at.
const subpixels = 4

// atlasSide is the width and height of an atlas in pixels; a frame's glyphs take a small part of it.
const atlasSide = 1024

// Atlas rasterises glyphs once and keeps them side by side in one picture of coverage.
type Atlas struct {
	Pixels  []byte // coverage, atlasSide x atlasSide
	Changed image.Rectangle

	fonts  [2]*opentype.Font
	faces  map[faceKey]*face
	glyphs map[glyphKey]glyph
	x, y   int // where the next glyph goes
	shelf  int // height of the present row
}

type faceKey struct {
	bold bool
	size float64 // pixels
}

type face struct {
	font.Face
	advance map[rune]float64
	ascent  float64
}

type glyphKey struct {
	faceKey
	char rune
	sub  int
}

type glyph struct {
	box    image.Rectangle // in the atlas
	offset image.Point     // from the pen
}

// Fonts are the Go fonts, regular and bold, as TrueType.
func Fonts() [2][]byte { return [2][]byte{goregular.TTF, gobold.TTF} }

// NewAtlas returns an empty atlas of the embedded Go fonts.
func NewAtlas() (*Atlas, error) {
	a := &Atlas{
		Pixels: make([]byte, atlasSide*atlasSide),
		faces:  map[faceKey]*face{}, glyphs: map[glyphKey]glyph{},
	}
	for i, ttf := range Fonts() {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("draw: the embedded font: %w", err)
		}
		a.fonts[i] = f
	}
	return a, nil
}

// Side returns the width and height of the atlas in pixels.
func (a *Atlas) Side() int { return atlasSide }

// Clean marks the pixels as taken over.
func (a *Atlas) Clean() { a.Changed = image.Rectangle{} }

func (a *Atlas) face(key faceKey) *face {
	if f := a.faces[key]; f != nil {
		return f
	}
	source := a.fonts[0]
	if key.bold {
		source = a.fonts[1]
	}
	f, err := opentype.NewFace(source, &opentype.FaceOptions{Size: key.size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic("draw: a face of the embedded font: " + err.Error()) // only options that are ours can be wrong
	}
	made := &face{Face: f, advance: map[rune]float64{}, ascent: float64(f.Metrics().CapHeight) / 64}
	a.faces[key] = made
	return made
}

func (f *face) advanceOf(r rune) float64 {
	if w, ok := f.advance[r]; ok {
		return w
	}
	w, ok := f.GlyphAdvance(r)
	if !ok {
		w, _ = f.GlyphAdvance('?')
	}
	f.advance[r] = float64(w) / 64
	return f.advance[r]
}

// glyph returns a glyph, rasterising it when it is new. A full atlas begins again; what was drawn with the
// old one in the same frame may look wrong for that frame.
func (a *Atlas) glyph(key glyphKey) glyph {
	if g, ok := a.glyphs[key]; ok {
		return g
	}
	dot := fixed.Point26_6{X: fixed.Int26_6(key.sub * 64 / subpixels)}
	box, mask, at, _, ok := a.face(key.faceKey).Glyph(dot, key.char)
	if !ok {
		box, mask, at, _, _ = a.face(key.faceKey).Glyph(dot, '?')
	}
	g := glyph{offset: box.Min}
	if w, h := box.Dx(), box.Dy(); w > 0 && h > 0 {
		to := a.place(w, h)
		for y := range h {
			for x := range w {
				_, _, _, alpha := mask.At(at.X+x, at.Y+y).RGBA()
				a.Pixels[(to.Y+y)*atlasSide+to.X+x] = byte(alpha >> 8)
			}
		}
		g.box = image.Rect(to.X, to.Y, to.X+w, to.Y+h)
		a.Changed = a.Changed.Union(g.box)
	}
	a.glyphs[key] = g
	return g
}

// place finds room for a glyph with a pixel of space around it.
func (a *Atlas) place(w, h int) image.Point {
	if a.x+w+1 > atlasSide {
		a.x, a.y, a.shelf = 0, a.y+a.shelf, 0
	}
	if a.y+h+1 > atlasSide {
		a.x, a.y, a.shelf = 0, 0, 0
		clear(a.Pixels)
		clear(a.glyphs)
		clear(a.faces) // of sizes that the window may no longer have
		a.Changed = image.Rect(0, 0, atlasSide, atlasSide)
	}
	at := image.Pt(a.x+1, a.y+1)
	a.x += w + 1
	a.shelf = max(a.shelf, h+1)
	return at
}

func (l *List) face(s Style) (*face, faceKey) {
	// Quarter pixels keep the number of faces small while a window is scaled.
	key := faceKey{bold: s.Bold, size: math.Round(s.Size*l.scale*4) / 4}
	return l.Atlas.face(key), key
}

// Width returns how wide a text is, in points.
func (l *List) Width(s Style, text string) float64 {
	f, _ := l.face(s)
	w := 0.0
	for _, r := range text {
		w += f.advanceOf(r)
	}
	return w / l.scale
}

// capHeight returns the height of capitals, in points.
func (l *List) capHeight(s Style) float64 {
	f, _ := l.face(s)
	return f.ascent / l.scale
}

// Text draws a line of text whose baseline begins at a point and returns its width, in points.
func (l *List) Text(s Style, at Point, c color.NRGBA, text string) float64 {
	f, key := l.face(s)
	if l.OnText != nil {
		l.OnText(Rect{X: at.X, Y: at.Y - l.capHeight(s), W: l.Width(s, text), H: l.capHeight(s)}, c, text)
	}
	p := newPaint(c)
	x, y := at.X*l.scale, math.Round(at.Y*l.scale)
	from := x
	for _, r := range text {
		pixel := math.Floor(x)
		g := l.Atlas.glyph(glyphKey{key, r, int((x - pixel) * subpixels)})
		if !g.box.Empty() {
			l.glyph(g, pixel+float64(g.offset.X), y+float64(g.offset.Y), p)
		}
		x += f.advanceOf(r)
	}
	return (x - from) / l.scale
}

func (l *List) glyph(g glyph, x, y float64, p paint) {
	corner := func(dx, dy int) Vertex {
		v := p.at(x+float64(dx), y+float64(dy), 0, 0, solid)
		v.SrcX, v.SrcY, v.Custom3 = float32(g.box.Min.X+dx), float32(g.box.Min.Y+dy), 1
		return v
	}
	w, h := g.box.Dx(), g.box.Dy()
	l.batch(4).quad(corner(0, 0), corner(w, 0), corner(w, h), corner(0, h))
}

// TextIn draws a line of text in a rectangle, centred vertically, cut short with an ellipsis where the
// width does not suffice, and returns the width drawn.
func (l *List) TextIn(s Style, r Rect, align Align, c color.NRGBA, text string) float64 {
	text = l.shorten(s, text, r.W)
	w := l.Width(s, text)
	x := r.X
	switch align {
	case Center:
		x += (r.W - w) / 2
	case Right:
		x += r.W - w
	}
	l.Text(s, Point{X: x, Y: r.Y + (r.H+l.capHeight(s))/2}, c, text)
	return w
}

// Lines writes lines one below another, the first in a rectangle.
func (l *List) Lines(s Style, r Rect, align Align, c color.NRGBA, lines []string) {
	for _, line := range lines {
		l.TextIn(s, r, align, c, line)
		r.Y += r.H
	}
}

// Widest returns how wide the widest of some lines is, in points.
func (l *List) Widest(s Style, lines []string) (width float64) {
	for _, line := range lines {
		width = math.Max(width, l.Width(s, line))
	}
	return width
}

// Paragraph writes a text into as many lines as high as a rectangle as there may be; the last one is cut off where that
// is too few.
func (l *List) Paragraph(s Style, r Rect, most int, c color.NRGBA, text string) {
	lines := l.Wrap(s, text, r.W)
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], strings.Join(lines[most-1:], " "))
	}
	l.Lines(s, r, Left, c, lines)
}

// shorten returns the text, or as much of its beginning as fits the width followed by an ellipsis.
func (l *List) shorten(s Style, text string, width float64) string {
	const slack = 0.01 // points, so that a rectangle made to measure holds its text
	if l.Width(s, text) <= width+slack {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if short := string(runes[:n]) + "…"; l.Width(s, short) <= width {
			return short
		}
	}
	return ""
}

// isUnit reports whether a word is a unit, which stays with its number.
func isUnit(word string) bool {
	word = strings.TrimRight(word, ".,;:)")
	return word == "%" || word == "km" || word == "s"
}

// Wrap breaks a text at spaces, but for those before units, into lines that fit the width.
func (l *List) Wrap(s Style, text string, width float64) (lines []string) {
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if last := len(words) - 1; last >= 0 && isUnit(word) && strings.ContainsAny(words[last], "0123456789") {
			words[last] += " " + word
		} else {
			words = append(words, word)
		}
	}
	for i, word := range words {
		last := len(lines) - 1
		if i == 0 || l.Width(s, lines[last]+" "+word) > width {
			lines = append(lines, word)
		} else {
			lines[last] += " " + word
		}
	}
	return lines
}
