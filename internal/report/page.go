package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"regexp"
	"slices"
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
		all = append(all, Colour{template.CSS("shade" + strconv.Itoa(i)), css(shade(p, float64(i)/(shades-1)))})
	}
	return all
}

// narrowWidth is the width of figures for narrow screens, inches. Their letters can be read on a phone.
const narrowWidth = 4.8

// narrow returns the figure for narrow screens, with its panels below each other.
func (f *Figure) narrow() *Figure {
	narrow := *f
	narrow.WidthInches, narrow.Columns, narrow.SharedY = narrowWidth, 1, false
	if columns := max(1, f.Columns); columns > 1 {
		rows := (len(f.Panels) + columns - 1) / columns
		narrow.HeightInches = min(cmp.Or(f.HeightInches, defaultHeight)*float64(len(f.Panels))/float64(rows), largestSide)
	}
	return &narrow
}

// drawing is a figure on a page, for wide and for narrow screens, in the colours of the page.
type drawing struct{ Wide, Narrow template.HTML }

// drawn draws a figure for a page.
func (f *Figure) drawn() (drawing, error) {
	var wide, narrow bytes.Buffer
	if err := errors.Join(f.WriteSVG(&wide), f.narrow().WriteSVG(&narrow)); err != nil {
		return drawing{}, err
	}
	return drawing{themed(wide.String()), themed(narrow.String())}, nil
}

// themed replaces the colours of a figure by variables of the page's style sheet.
func themed(svg string) template.HTML {
	const rounding = 1 // of the channels of colours that shine through
	variables := map[string]string{}
	return template.HTML(hexColour.ReplaceAllStringFunc(svg, func(hex string) string {
		variable, known := variables[hex]
		if !known {
			variable = hex
			for _, c := range slices.Backward(Colours(light)) {
				if apart(string(c.Value), hex) <= rounding {
					variable = "var(--" + string(c.Name) + ")"
				}
			}
			variables[hex] = variable
		}
		return variable
	}))
}

var hexColour = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)

// apart returns the largest difference between the channels of two colours.
func apart(a, b string) int {
	most := 0
	for i := 1; i < len(a); i += 2 {
		x, _ := strconv.ParseUint(a[i:i+2], 16, 8)
		y, _ := strconv.ParseUint(b[i:i+2], 16, 8)
		most = max(most, int(x)-int(y), int(y)-int(x))
	}
	return most
}

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
