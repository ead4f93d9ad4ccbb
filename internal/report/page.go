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

// Page is an answer as one page of HTML without scripts, fonts or other files.
type Page struct {
	Kicker  string   // the kind of answer, above the title
	Title   string   // the finding, in a sentence
	Words   []string // the answer in words
	Remarks []string // what to know besides, below the figures
	Made    string   // the program and settings that made it, in a line
	Figures []*Figure
	Tables  []Table
}

// Table is the text of a table on a page, with no model of its columns: PrintedTable makes it of a table.Printable, and
// AddTable of a file. Text explains it and may be empty.
type Table struct {
	Title, Text string
	Header      []string
	Rows        [][]string
	Legend      [][2]string // headings and their meanings
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

// shades is the number of steps of the ramp on pages.
const shades = 64

// shadeOf returns a step of the ramp of a palette.
func shadeOf(p assets.Palette, step int) color.NRGBA { return p.Ramp(float64(step) / (shades - 1)) }

// Write writes the page. It shows figures in the light or dark palette, as the reader's browser prefers.
func (p *Page) Write(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"math":  func(text string) string { return text },
		"style": func() template.CSS { return template.CSS(assets.ReportStyle) },
		"light": func() []Colour { return Colours(assets.LightPalette()) },
		"dark":  func() []Colour { return Colours(assets.DarkPalette()) },
		"drawn": (*Figure).drawn,
	}).Parse(assets.PageBlocks)
	if err == nil {
		page, err = page.New("main").Parse(assets.Page)
	}
	var out bytes.Buffer
	if err == nil {
		err = page.Execute(&out, p)
	}
	if err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}
