package report

import (
	"fmt"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// lettering measures text and converts it to outlines. Only one goroutine may use it.
type lettering struct {
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
}

func newLettering() (*lettering, error) {
	regular, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("report: typeface: %w", err)
	}
	bold, err := sfnt.Parse(liberationsansbold.TTF)
	if err != nil {
		return nil, fmt.Errorf("report: typeface: %w", err)
	}
	return &lettering{regular: regular, bold: bold}, nil
}

// typeStyle is a size and weight of the typeface.
type typeStyle struct {
	size vg.Length
	bold bool
}

const (
	lineSpacing   = 1.22 // of the type size
	capHeight     = 0.69 // of the type size, for centring on a height
	superscript   = 0.7  // size of an exponent relative to its base
	superscriptUp = 0.36 // how far an exponent is raised, of the type size
)

// width returns the width of the longest line of text.
func (l *lettering) width(style typeStyle, text string) vg.Length {
	widest := vg.Length(0)
	for line := range strings.SplitSeq(text, "\n") {
		_, width := l.glyphs(style, line)
		widest = max(widest, width)
	}
	return widest
}

// height returns the height of the lines of a text.
func (l *lettering) height(style typeStyle, text string) vg.Length {
	return vg.Length(1+strings.Count(text, "\n")) * lineSpacing * style.size
}

// glyph is one placed glyph of a line, its origin relative to the start of the baseline.
type glyph struct {
	index sfnt.GlyphIndex
	at    vg.Point
	size  vg.Length
}

// face returns the font of a style.
func (l *lettering) face(style typeStyle) *sfnt.Font {
	if style.bold {
		return l.bold
	}
	return l.regular
}

// segments returns the outline of a glyph in font units, with y pointing down. It is valid until the next call.
func (l *lettering) segments(style typeStyle, index sfnt.GlyphIndex) sfnt.Segments {
	face := l.face(style)
	segments, err := face.LoadGlyph(&l.buffer, index, fixed.Int26_6(face.UnitsPerEm()), nil)
	if err != nil {
		panic(fmt.Sprintf("report: glyph %d of the embedded typeface: %v", index, err))
	}
	return segments
}

// glyphs sets one line with kerning and returns its glyphs and width. The text after a caret is an exponent.
func (l *lettering) glyphs(style typeStyle, line string) (set []glyph, width vg.Length) {
	face := l.face(style)
	em := fixed.Int26_6(face.UnitsPerEm())
	var at vg.Point
	size, previous := style.size, sfnt.GlyphIndex(0)
	for _, r := range line {
		if r == '^' {
			size, at.Y, previous = superscript*style.size, superscriptUp*style.size, 0
			continue
		}
		index, err := face.GlyphIndex(&l.buffer, r)
		if err != nil {
			panic(fmt.Sprintf("report: character %q in the embedded typeface: %v", r, err))
		}
		if previous != 0 {
			// Kern returns an error for a pair without kerning.
			if kern, err := face.Kern(&l.buffer, previous, index, em, font.HintingNone); err == nil {
				at.X += vg.Length(kern) * size / vg.Length(em)
			}
		}
		set = append(set, glyph{index, at, size})
		advance, err := face.GlyphAdvance(&l.buffer, index, em, font.HintingNone)
		if err != nil {
			panic(fmt.Sprintf("report: width of %q in the embedded typeface: %v", r, err))
		}
		at.X += vg.Length(advance) * size / vg.Length(em)
		previous = index
	}
	return set, at.X
}

// wrap breaks text between words into lines no wider than width. It keeps existing line breaks.
func (l *lettering) wrap(style typeStyle, text string, width vg.Length) string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && l.width(style, longer) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
