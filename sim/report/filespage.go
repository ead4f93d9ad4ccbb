package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html/template"
	"math"
	"path"
	"strconv"
	"strings"

	"veilpath/assets"
)

// mostRows is how many rows of a table a page shows.
const mostRows = 400

// AddFile adds a file of an answer to the page: a figure in SVG, in the colours that the reader prefers, or a table in
// CSV. What is neither stays out. meanings explains columns by name.
func (p *Page) AddFile(name string, content []byte, meanings map[string]string) error {
	switch path.Ext(name) {
	case ".svg":
		p.Drawn = append(p.Drawn, themed(string(content)))
	case ".csv":
		rows, err := csv.NewReader(strings.NewReader(string(content))).ReadAll()
		if err != nil {
			return fmt.Errorf("report: page: %s: %w", name, err)
		}
		if len(rows) > 0 {
			p.Tables = append(p.Tables, fileTable(name, rows, meanings))
		}
	}
	return nil
}

// themed returns a figure whose colours are the variables of the page's style sheet; those of heat maps stay.
func themed(svg string) template.HTML {
	var pairs []string
	for _, c := range Colours(assets.LightPalette()) {
		pairs = append(pairs, `"`+string(c.Value)+`"`, `"var(--`+string(c.Name)+`)"`)
	}
	return template.HTML(strings.NewReplacer(pairs...).Replace(svg))
}

// fileTable is a table of a file, with intervals beside what they are of and numbers in a few digits.
func fileTable(name string, rows [][]string, meanings map[string]string) Table {
	header := rows[0]
	t := Table{Title: name}
	if n := len(rows) - 1; n > mostRows {
		t.Text = fmt.Sprintf("The first %d of %d rows; the file has all.", mostRows, n)
		rows = rows[:mostRows+1]
	}
	for r, row := range rows {
		var cells []string
		for i := 0; i < len(header); i++ {
			if r == 0 {
				cells = append(cells, strings.ReplaceAll(header[i], "_", " "))
			} else {
				cells = append(cells, short(row[i]))
			}
			if i+2 < len(header) && ends(header[i+1], header[i+2]) {
				if r > 0 && row[i+1]+row[i+2] != "" {
					cells[len(cells)-1] += fmt.Sprintf(" (%s to %s)", cmp.Or(short(row[i+1]), "?"), cmp.Or(short(row[i+2]), "?"))
				}
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
		if meaning := meanings[header[i]]; meaning != "" && !strings.Contains(header[i], "ci_") {
			t.Legend = append(t.Legend, [2]string{strings.ReplaceAll(header[i], "_", " "), meaning})
		}
	}
	return t
}

// ends reports whether two columns are those of the ends of an interval.
func ends(low, high string) bool {
	return strings.Contains(low, "low") && strings.Replace(low, "low", "high", 1) == high
}

// short writes a number in four digits; any other text stays.
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
