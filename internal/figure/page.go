package figure

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
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
		return fmt.Errorf("figure: page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// longestTitle is the maximum length of a sentence that is a title, characters. A longer one is text below a shorter
// title.
const longestTitle = 110

// SheetPage returns the page of an answer: its words, a figure unless it is nil, and tables. The title is that of the
// figure, or the first sentence, or the kind of the answer if these are long.
func SheetPage(kicker, made string, words []string, figure *Figure, sheets []*table.Sheet) *Page {
	p := &Page{Kicker: kicker, Title: Sentence(strings.TrimSuffix(words[0], ".")), Made: made}
	if figure != nil {
		inside := *figure
		inside.Title = ""
		p.Title, p.Figures = figure.Title, []*Figure{&inside}
	}
	if utf8.RuneCountInString(p.Title) > longestTitle {
		p.Kicker, p.Title = "veilpath", kicker
	}
	for _, line := range words {
		if line = strings.TrimSuffix(Sentence(line), "."); line != p.Title {
			p.Words = append(p.Words, line+".")
		}
	}
	for _, s := range sheets {
		if len(s.Rows) > 0 {
			p.Tables = append(p.Tables, PrintedTable(s.Title, s.Text, s))
		}
	}
	return p
}

// PrintedTable returns all rows of a printed table as a table of a page. The table must have a column.
func PrintedTable(title, text string, printed table.Printable) Table {
	t := Table{Title: title, Text: text}
	columns, _ := printed.Shown(0)
	t.Rows = make([][]string, len(columns[0].Cells))
	for _, c := range columns {
		t.Header = append(t.Header, c.Heading)
		for i, cell := range c.Cells {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

// mostRows is the largest number of rows of a table on a page.
const mostRows = 400

// AddFigure adds a figure to the page. The one with the name figure comes first.
func (p *Page) AddFigure(name string, f *Figure) {
	at := len(p.Figures)
	if name == "figure" {
		at = 0
	}
	p.Figures = slices.Insert(p.Figures, at, f)
}

// AddTable adds a file in CSV to the page. columns has, by name, the headings of columns, if these are not the names,
// and their meanings, and the formats of those that are shares, in percent.
func (p *Page) AddTable(name string, content []byte, columns map[string]table.Column[float64]) error {
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		return fmt.Errorf("figure: page: %s: %w", name, err)
	}
	if len(rows) > 0 {
		p.Tables = append(p.Tables, fileTable(name, rows, columns))
	}
	return nil
}

// fileTitles are the titles of tables of files.
var fileTitles = map[string]string{"summary.csv": "Summary per epsilon",
	"costs.csv": "Costs per epsilon and mechanism", "comparison.csv": "Differences", "trials.csv": "Epsilons tried",
	"strongest.csv": "The strongest observer", "tradeoff.csv": "Trade-off of one entry"}

// fileTable returns the table of a CSV file. Intervals are in the cell of their value. Shares are in percent, and other
// numbers have four digits.
func fileTable(name string, rows [][]string, columns map[string]table.Column[float64]) Table {
	header := rows[0]
	t := Table{Title: cmp.Or(fileTitles[name], "Table"), Text: "From " + name + "."}
	if n := len(rows) - 1; n > mostRows {
		t.Text = fmt.Sprintf("The first %d of %d rows of %s.", mostRows, n, name)
		rows = rows[:mostRows+1]
	}
	heading := func(i int) string {
		return cmp.Or(columns[header[i]].Heading, strings.ReplaceAll(header[i], "_", " "))
	}
	for r, row := range rows {
		var cells []string
		for i := 0; i < len(header); i++ {
			show := func(cell string) string { return show(columns[header[i]], cell) }
			interval := i+2 < len(header) && ends(header[i+1], header[i+2])
			switch {
			case r == 0:
				cells = append(cells, heading(i))
			case interval && row[i+1]+row[i+2] != "":
				cells = append(cells, fmt.Sprintf("%s (%s to %s)", show(row[i]), cmp.Or(show(row[i+1]), "?"),
					cmp.Or(show(row[i+2]), "?")))
			default:
				cells = append(cells, show(row[i]))
			}
			if interval {
				i += 2
			}
		}
		if r == 0 {
			t.Header = cells
		} else {
			t.Rows = append(t.Rows, cells)
		}
	}
	for i := range header {
		if meaning := columns[header[i]].Meaning; meaning != "" && !strings.Contains(header[i], "ci_") {
			t.Legend = append(t.Legend, [2]string{heading(i), meaning})
		}
	}
	return t
}

// show returns the text of a cell of a file, as the format of its column shows it if it has one.
func show(c table.Column[float64], text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || c.Format == "" || math.IsNaN(x) || math.IsInf(x, 0) {
		return short(text)
	}
	c.Value = func(x *float64) float64 { return *x }
	return minus(c.Shown(&x))
}

// ends reports whether two columns are the ends of an interval.
func ends(low, high string) bool {
	return strings.Contains(low, "low") && strings.Replace(low, "low", "high", 1) == high
}

// short writes a number with four digits and leaves other text unchanged.
func short(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return text
	}
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return minus(strconv.FormatFloat(x, 'g', 4, 64))
}

// minus replaces the hyphen by a minus sign.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
