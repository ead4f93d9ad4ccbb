package draw

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// SVG gathers a frame as a vector graphic. Text becomes outlines, so that it looks the same everywhere.
type SVG struct {
	atlas  *Atlas
	body   bytes.Buffer
	glyphs map[string]bool // whether each that was looked for has an outline, by its name
	defs   bytes.Buffer
	clips  int
}

// NewSVG makes a list draw into a vector graphic from now on, and returns that.
func (l *List) NewSVG() *SVG {
	l.svg = &SVG{atlas: l.Atlas, glyphs: map[string]bool{}}
	return l.svg
}

// Bytes returns the graphic of an area, points, with a title and what else is to be known of it.
func (v *SVG) Bytes(area Rect, title, about string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="%s %s %s %s" role="img">`+"\n",
		decimal(area.W), decimal(area.H), decimal(area.X), decimal(area.Y), decimal(area.W), decimal(area.H))
	fmt.Fprintf(&out, "<title>%s</title>\n<metadata>%s</metadata>\n<defs>\n%s</defs>\n", html.EscapeString(title),
		html.EscapeString(about), v.defs.Bytes())
	out.Write(v.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// decimal writes a number in at most two decimals, a hundredth of a point.
func decimal(x float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// paintSVG is a colour as attributes for what is filled or drawn.
func paintSVG(what string, c color.NRGBA) string {
	text := fmt.Sprintf(`%s="#%02x%02x%02x"`, what, c.R, c.G, c.B)
	if c.A != 255 {
		text += fmt.Sprintf(` %s-opacity="%s"`, what, decimal(float64(c.A)/255))
	}
	return text
}

func (v *SVG) rect(r Rect, radius float64, c color.NRGBA) {
	round := ""
	if radius > 0 {
		round = fmt.Sprintf(` rx="%s"`, decimal(math.Min(radius, math.Min(r.W, r.H)/2)))
	}
	fmt.Fprintf(&v.body, `<rect x="%s" y="%s" width="%s" height="%s"%s %s/>`+"\n", decimal(r.X), decimal(r.Y),
		decimal(math.Max(0, r.W)), decimal(math.Max(0, r.H)), round, paintSVG("fill", c))
}

func (v *SVG) disc(center Point, radius float64, c color.NRGBA) {
	fmt.Fprintf(&v.body, `<circle cx="%s" cy="%s" r="%s" %s/>`+"\n", decimal(center.X), decimal(center.Y), decimal(radius),
		paintSVG("fill", c))
}

func (v *SVG) polygon(corners []Point, c color.NRGBA) {
	fmt.Fprintf(&v.body, `<path d="%sZ" %s/>`+"\n", path(corners), paintSVG("fill", c))
}

func (v *SVG) line(points []Point, width float64, dash string, c color.NRGBA) {
	if len(points) < 2 {
		return
	}
	fmt.Fprintf(&v.body, `<path d="%s" fill="none" stroke-width="%s" stroke-linejoin="round"%s %s/>`+"\n", path(points),
		decimal(width), dash, paintSVG("stroke", c))
}

func path(points []Point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + decimal(p.X) + " " + decimal(p.Y))
	}
	return b.String()
}

func (v *SVG) clip(r Rect) {
	v.clips++
	fmt.Fprintf(&v.defs, `<clipPath id="c%d"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath>`+"\n", v.clips,
		decimal(r.X), decimal(r.Y), decimal(r.W), decimal(r.H))
	fmt.Fprintf(&v.body, `<g clip-path="url(#c%d)">`+"\n", v.clips)
}

func (v *SVG) unclip() { v.body.WriteString("</g>\n") }

// glyphUnits is the size in which outlines are defined.
const glyphUnits = 100

// text draws a line of text; advance returns how far the pen goes on after a character, points.
func (v *SVG) text(s Style, at Point, c color.NRGBA, text string, advance func(r rune) float64) {
	fmt.Fprintf(&v.body, `<g %s aria-label="%s">`, paintSVG("fill", c), html.EscapeString(text))
	x := at.X
	for _, r := range text {
		if id := v.define(s.Bold, r); v.glyphs[id] {
			fmt.Fprintf(&v.body, `<use href="#%s" transform="translate(%s %s) scale(%.4f)"/>`, id, decimal(x), decimal(at.Y),
				s.Size/glyphUnits)
		}
		x += advance(r)
	}
	v.body.WriteString("</g>\n")
}

// define defines the outline of a character, if it has one, and returns its name.
func (v *SVG) define(bold bool, r rune) (id string) {
	weight := map[bool]int{true: 1}[bold]
	id = fmt.Sprintf("%c%x", "rb"[weight], r)
	if _, known := v.glyphs[id]; known {
		return id
	}
	f := v.atlas.fonts[weight]
	var buffer sfnt.Buffer
	index, err := f.GlyphIndex(&buffer, r)
	if err != nil || index == 0 {
		index, _ = f.GlyphIndex(&buffer, '?')
	}
	segments, err := f.LoadGlyph(&buffer, index, fixed.I(glyphUnits), nil)
	if v.glyphs[id] = err == nil && len(segments) > 0; !v.glyphs[id] {
		return id
	}
	fmt.Fprintf(&v.defs, `<path id="%s" d="`, id)
	for _, s := range segments {
		count := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2,
			sfnt.SegmentOpCubeTo: 3}[s.Op]
		v.defs.WriteString(map[sfnt.SegmentOp]string{sfnt.SegmentOpMoveTo: "M", sfnt.SegmentOpLineTo: "L",
			sfnt.SegmentOpQuadTo: "Q", sfnt.SegmentOpCubeTo: "C"}[s.Op])
		for _, p := range s.Args[:count] {
			fmt.Fprintf(&v.defs, "%s %s ", decimal(float64(p.X)/64), decimal(float64(p.Y)/64))
		}
	}
	v.defs.WriteString("Z\"/>\n")
	return id
}
