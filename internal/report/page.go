package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"strconv"

	"veilpath/assets"
)

// Page is an answer as one page of HTML that needs nothing else: no script, font or image.
type Page struct {
	Kicker  string   // what kind of answer it is, above the title
	Title   string   // the finding, in a sentence
	Words   []string // the answer in words
	Made    string   // what made it, in a line
	Figures []*Figure
	Drawn   []template.HTML // figures that follow them, as SVG
	Tables  []Table
}

// Table is a table of a page; Text explains it and may be empty.
type Table struct {
	Title, Text string
	Header      []string
	Rows        [][]string
	Legend      [][2]string // what columns mean
	Words       bool        // cells are text, set to the left and wrapped
}

// Colour is a colour of a palette as a variable of a style sheet.
type Colour struct{ Name, Value template.CSS }

// Colours returns the variables that assets.ReportStyle takes its colours from.
func Colours(p assets.Palette) []Colour {
	css := func(c color.NRGBA) template.CSS { return template.CSS(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)) }
	all := []Colour{{"background", css(p.Background)}, {"ink", css(p.Ink)}, {"muted", css(p.Muted)}, {"grid", css(p.Grid)}}
	for i, c := range p.Series {
		all = append(all, Colour{template.CSS("series" + strconv.Itoa(i)), css(c)})
	}
	for i := range shades {
		all = append(all, Colour{template.CSS("shade" + strconv.Itoa(i)), css(shadeOf(p, i))})
	}
	return all
}

// shades is how many steps of a palette's ramp pages have.
const shades = 64

// shadeOf returns a step of the ramp of a palette.
func shadeOf(p assets.Palette, step int) color.NRGBA { return p.Ramp(float64(step) / (shades - 1)) }

// inline returns the figure in a palette as SVG for a page.
func (f *Figure) inline(palette assets.Palette) (template.HTML, error) {
	inPalette := *f
	inPalette.Palette = palette
	var text bytes.Buffer
	if err := inPalette.WriteSVG(&text); err != nil {
		return "", fmt.Errorf("report: figure %q: %w", f.Title, err)
	}
	return template.HTML(text.String()), nil
}

// Pair is a figure for pages, in either palette.
type Pair struct{ Light, Dark template.HTML }

// Pair draws the figure in both palettes.
func (f *Figure) Pair() (p Pair, err error) {
	if p.Light, err = f.inline(assets.LightPalette()); err != nil {
		return p, err
	}
	p.Dark, err = f.inline(assets.DarkPalette())
	return p, err
}

// Write writes the page; it shows figures in the palette that the reader prefers.
func (p *Page) Write(w io.Writer) error {
	page, err := template.New("page").Parse(assets.Page)
	if err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	data := struct {
		*Page
		Style       template.CSS
		Light, Dark []Colour
		Pairs       []Pair
	}{Page: p, Style: template.CSS(assets.ReportStyle), Light: Colours(assets.LightPalette()),
		Dark: Colours(assets.DarkPalette())}
	for _, f := range p.Figures {
		drawn, err := f.Pair()
		if err != nil {
			return err
		}
		data.Pairs = append(data.Pairs, drawn)
	}
	var text bytes.Buffer
	if err := page.Execute(&text, data); err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}
