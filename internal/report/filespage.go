package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/internal/table"
)

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
		return fmt.Errorf("report: page: %s: %w", name, err)
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
