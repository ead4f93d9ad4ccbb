package reproduce

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"veilpath/assets"
	"veilpath/internal/report"
)

// ReportName is the file that WriteReport is meant for.
const ReportName = "report.html"

// shortTable is how many rows a table may have to be shown open.
const shortTable = 20

// WriteReport writes everything as one page of HTML that needs nothing else: no script, font or image. made says what
// made it, in a line.
func WriteReport(w io.Writer, results []*Result, made string) error {
	page, err := template.New("report").Funcs(template.FuncMap{"math": subscripted}).Parse(assets.ReportPage)
	if err != nil {
		return fmt.Errorf("reproduce: report: %w", err)
	}
	data := pageData{
		Style: template.CSS(assets.ReportStyle), Light: report.Colours(assets.LightPalette()),
		Dark: report.Colours(assets.DarkPalette()),
		Made: made, Groups: newGroups(results), Rules: rules(),
	}
	counts := Count(results)
	data.Tally = tallyOf(counts, 0)
	for _, n := range counts {
		data.Total += n
	}
	for _, r := range results {
		item, err := newItemData(r)
		if err != nil {
			return err
		}
		data.Items = append(data.Items, item)
	}
	var text bytes.Buffer
	if err := page.Execute(&text, data); err != nil {
		return fmt.Errorf("reproduce: report: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}

// pageData is what the template shows.
type pageData struct {
	Style       template.CSS
	Light, Dark []report.Colour
	Made        string
	Total       int
	Tally       []tally
	Groups      []group
	Items       []itemData
	Rules       []rule
}

// itemData is an item on the page.
type itemData struct {
	Name, Title, Where string
	Summary            []string
	Tally              []tally
	Figures            []report.Pair
	Findings           []findingData
	Quantities         []quantityData
	Rows               []rowData
	Short              bool
}

type findingData struct {
	Finding
	Drawn report.Pair // empty for none
}

// quantityData is the readings of a quantity.
type quantityData struct {
	Name     string
	Open     bool
	Readings []readingData
}

type readingData struct {
	Name, Change, Agree, RMS string
	Picked                   bool
}

// rowData is a number, as text.
type rowData struct {
	Quantity, Published, Computed, Difference, Tolerance, Note string
	Agreement                                                  Agreement
	Class                                                      string
}

func newItemData(r *Result) (itemData, error) {
	d := itemData{
		Name: r.Item.Name, Title: r.Item.Title, Where: r.Item.Where, Summary: r.Summary,
		Tally: tallyOf(Count([]*Result{r}), 0),
	}
	for _, f := range r.Figures {
		drawn, err := f.Draw.Pair()
		if err != nil {
			return d, err
		}
		d.Figures = append(d.Figures, drawn)
	}
	for _, f := range r.Findings {
		finding := findingData{Finding: f}
		if f.Figure != nil {
			var err error
			if finding.Drawn, err = f.Figure.Draw.Pair(); err != nil {
				return d, err
			}
		}
		d.Findings = append(d.Findings, finding)
	}
	last := ""
	for _, j := range r.Judgements {
		d.Quantities = append(d.Quantities, newQuantityData(j))
		for _, row := range j.Rows {
			note := row.Note
			if note == last {
				note = ""
			}
			last = row.Note
			d.Rows = append(d.Rows, rowData{
				Quantity: row.Quantity, Published: figures(row.Published), Computed: figures(row.Computed),
				Difference: signed(row.Difference()),
				Tolerance:  brief(row.Tolerance), Note: note, Agreement: row.Agreement, Class: row.Agreement.rule().Class,
			})
		}
	}
	d.Short = len(d.Rows) <= shortTable
	return d, nil
}

// subscripts turns the symbols that plain text can only write with an underscore into HTML.
var subscripts = strings.NewReplacer("R_max", "R<sub>max</sub>", "m_i", "m<sub>i</sub>")

func subscripted(text string) template.HTML {
	return template.HTML(subscripts.Replace(template.HTMLEscapeString(text)))
}

func newQuantityData(j *Judgement) quantityData {
	d := quantityData{Name: j.Name}
	if len(j.Readings) == 1 {
		return d
	}
	for i, r := range j.Readings {
		change := r.Change
		if change == "" {
			change = "nothing"
		}
		d.Readings = append(d.Readings, readingData{
			Name: r.Name, Change: change, Agree: fmt.Sprintf("%d of %d", j.agreeing(i), len(j.Numbers)), RMS: brief(j.rms(i)),
			Picked: i == j.Picked,
		})
	}
	return d
}

// figures writes a number to as many digits as a person compares.
func figures(v float64) string {
	if math.Abs(v) >= 1e4 {
		return grouped(v)
	}
	return strconv.FormatFloat(v, 'g', 8, 64)
}

// grouped writes a large number with commas: to two decimals, or none where there are none.
func grouped(v float64) string {
	decimals := 2
	if v == math.Trunc(v) {
		decimals = 0
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', decimals, 64), ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

func brief(v float64) string {
	if math.Abs(v) >= 1e3 && math.Abs(v) < 1e9 {
		return grouped(math.Round(v))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func signed(v float64) string {
	if v == 0 {
		return "0"
	}
	if v < 0 {
		return "−" + brief(-v)
	}
	return "+" + brief(v)
}
