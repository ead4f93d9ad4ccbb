package report

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html"
	"image/color"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
)

// WriteSVG writes the figure as an SVG element, for a file or a page of HTML, with its title and subtitle for
// screen readers. Text is drawn with outlines in the file, so no font must be installed. If the figure cannot be
// drawn, nothing is written.
func (f *Figure) WriteSVG(w io.Writer) error {
	letters, err := newLettering()
	if err != nil {
		return err
	}
	l, err := f.lay(letters)
	if err != nil {
		return fmt.Errorf("report: figure %q: %w", f.Title, err)
	}
	name := fnv.New32a()
	io.WriteString(name, f.Title+f.Subtitle)
	v := &vector{height: l.height, letters: letters, name: fmt.Sprintf("g%08x", name.Sum32()), known: map[string]bool{}}
	f.drawOn(v, letters, l)
	style := ""
	if l.width > defaultWidth*vg.Inch {
		style = fmt.Sprintf(` style="--wide: %.3g"`, l.width/(defaultWidth*vg.Inch)) // pages scale the figure by it
	}
	_, err = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%gpt" height="%gpt" `+
		`viewBox="0 0 %[1]g %[2]g"%s>
<title>%s</title>
<desc>%s</desc>
<defs>
%s</defs>
%s</svg>
`, l.width.Points(), l.height.Points(), style, html.EscapeString(f.Title), html.EscapeString(f.Subtitle),
		v.outlines.Bytes(), v.body.Bytes())
	if err != nil {
		return fmt.Errorf("report: figure %q as SVG: %w", f.Title, err)
	}
	return nil
}

// vector draws SVG elements. Each glyph is defined once, in font units, and referenced at every use.
type vector struct {
	height         vg.Length
	letters        *lettering
	name           string // prefix of glyph names, different for every figure of a page
	known          map[string]bool
	outlines, body bytes.Buffer
}

func (v *vector) Line(st stroke, points []vg.Point) {
	fmt.Fprintf(&v.body, `<path d="%s" fill="none" %s stroke-width="%s"`, v.path(points), paint("stroke", st.color),
		decimal(st.width))
	for i, d := range st.dashes {
		if i == 0 {
			v.body.WriteString(` stroke-dasharray="`)
		} else {
			v.body.WriteByte(' ')
		}
		v.body.WriteString(decimal(d))
	}
	if len(st.dashes) > 0 {
		v.body.WriteByte('"')
	}
	v.body.WriteString("/>\n")
}

func (v *vector) Area(c color.NRGBA, points []vg.Point) {
	fmt.Fprintf(&v.body, "<path d=\"%sZ\" %s/>\n", v.path(points), paint("fill", c))
}

func (v *vector) Disc(c color.NRGBA, at vg.Point, radius vg.Length) {
	fmt.Fprintf(&v.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" %s/>\n", decimal(at.X), decimal(v.height-at.Y),
		decimal(radius), paint("fill", c))
}

func (v *vector) Letter(style typeStyle, c color.NRGBA, start vg.Point, upwards bool, glyphs []glyph) {
	turn := ""
	if upwards {
		turn = " rotate(-90)"
	}
	units := vg.Length(v.letters.face(style).UnitsPerEm())
	scale := style.size / units
	fmt.Fprintf(&v.body, `<g %s transform="translate(%s %s)%s scale(%s)">`, paint("fill", c), decimal(start.X),
		decimal(v.height-start.Y), turn,
		strconv.FormatFloat(float64(scale), 'g', 6, 64))
	for _, g := range glyphs {
		id := v.define(style, g.index)
		if id == "" {
			continue
		}
		x, y := math.Round(float64(g.at.X/scale)), math.Round(float64(-g.at.Y/scale))
		if g.size == style.size {
			fmt.Fprintf(&v.body, `<use href="#%s" x="%g"/>`, id, x)
			continue
		}
		fmt.Fprintf(&v.body, `<use href="#%s" transform="translate(%g %g) scale(%s)"/>`, id, x, y, decimal(g.size/style.size))
	}
	v.body.WriteString("</g>\n")
}

// define writes the outline of a glyph, if it is new, and returns its name. A blank has no name.
func (v *vector) define(style typeStyle, index sfnt.GlyphIndex) string {
	weight := "r"
	if style.bold {
		weight = "b"
	}
	id := v.name + weight + strconv.Itoa(int(index))
	if drawn, ok := v.known[id]; ok {
		if drawn {
			return id
		}
		return ""
	}
	segments := v.letters.segments(style, index)
	v.known[id] = len(segments) > 0
	if len(segments) == 0 {
		return ""
	}
	fmt.Fprintf(&v.outlines, `<path id="%s" d="`, id)
	for _, s := range segments {
		arguments := 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			v.outlines.WriteByte('M')
		case sfnt.SegmentOpLineTo:
			v.outlines.WriteByte('L')
		case sfnt.SegmentOpQuadTo:
			v.outlines.WriteByte('Q')
			arguments = 2
		case sfnt.SegmentOpCubeTo:
			v.outlines.WriteByte('C')
			arguments = 3
		}
		for k := range arguments {
			if k > 0 {
				v.outlines.WriteByte(' ')
			}
			fmt.Fprintf(&v.outlines, "%d %d", s.Args[k].X, s.Args[k].Y)
		}
	}
	v.outlines.WriteString("\"/>\n")
	return id
}

func (v *vector) path(points []vg.Point) string {
	var b bytes.Buffer
	for i, p := range points {
		if i == 0 {
			b.WriteByte('M')
		} else {
			b.WriteByte('L')
		}
		b.WriteString(decimal(p.X))
		b.WriteByte(' ')
		b.WriteString(decimal(v.height - p.Y))
	}
	return b.String()
}

// decimal formats a length in points to a hundredth, far below what is visible.
func decimal(l vg.Length) string {
	return strconv.FormatFloat(math.Round(l.Points()*100)/100+0, 'f', -1, 64)
}

func paint(attribute string, c color.NRGBA) string {
	text := fmt.Sprintf(`%s="#%02x%02x%02x"`, attribute, c.R, c.G, c.B)
	if c.A != 0xFF {
		text += fmt.Sprintf(` %s-opacity="%.3g"`, attribute, float64(c.A)/0xFF)
	}
	return text
}
