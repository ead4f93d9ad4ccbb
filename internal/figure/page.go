package figure

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"veilpath/assets"
	"veilpath/internal/table"
)

// Page is an answer as one page of HTML without scripts, fonts or other files.
type Page struct {
	Kicker  string   // the kind of answer, above the title
	Title   string   // the finding, in a sentence
	Words   []string // the answer in words
	Made    string   // the program and settings that made it, in a line
	Figures []*Figure
	Tables  []Table
}

// Table is the text of a table on a page, see PrintedTable. Title and Text, which explains it, may be empty.
type Table struct {
	Title, Text string
	Header      []string
	Rows        [][]string
	Words       bool // cells are text, set to the left and wrapped
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
		return fmt.Errorf("figure: page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// longestTitle is the maximum length of a sentence that is a title, characters. A longer one is text below a shorter
// title.
const longestTitle = 110

// NewPage returns the page of an answer: its words, its figures by name, and tables. The title is that of the figure
// with the name figure, which comes first, or the first sentence, or the kind of the answer if these are long.
func NewPage(kicker, made string, words []string, figures map[string]*Figure, tables []Table) *Page {
	p := &Page{Kicker: kicker, Title: Sentence(strings.TrimSuffix(words[0], ".")), Made: made, Tables: tables}
	if main := figures["figure"]; main != nil {
		inside := *main
		inside.Title = ""
		p.Title, p.Figures = main.Title, []*Figure{&inside}
	}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if name != "figure" {
			p.Figures = append(p.Figures, figures[name])
		}
	}
	if utf8.RuneCountInString(p.Title) > longestTitle {
		p.Kicker, p.Title = "veilpath", kicker
	}
	for _, line := range words {
		if line = strings.TrimSuffix(Sentence(line), "."); line != p.Title {
			p.Words = append(p.Words, line+".")
		}
	}
	return p
}

// mostRows is the largest number of rows of a table on a page.
const mostRows = 400

// PrintedTable returns a printed table as a table of a page. The table must have a column.
func PrintedTable(title, text string, printed table.Printable) Table {
	t := Table{Title: title, Text: text}
	columns, left := printed.Shown(mostRows)
	if left > 0 {
		t.Text = strings.TrimSpace(fmt.Sprintf("%s %d of %d rows.", text, mostRows, mostRows+left))
	}
	t.Rows = make([][]string, len(columns[0].Cells))
	for _, c := range columns {
		t.Header = append(t.Header, c.Heading)
		for i, cell := range c.Cells {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}
