package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html/template"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"veilpath/assets"
)

// mostRows is the largest number of rows of a table on a page.
const mostRows = 400

// AddFile adds a file of an answer to the page: a figure in SVG, with the light or dark colours of the page, or a
// table in CSV. figure.svg comes first. Other files are ignored. meanings has the meanings of columns by name.
func (p *Page) AddFile(name string, content []byte, meanings map[string]string) error {
	switch path.Ext(name) {
	case ".svg":
		drawn := caption(string(content)) + themed(string(content))
		if name == "figure.svg" {
			p.Drawn = slices.Insert(p.Drawn, 0, drawn)
		} else {
			p.Drawn = append(p.Drawn, drawn)
		}
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

// caption returns the title of a figure in SVG as a caption, which pages show on narrow screens, where the title in the
// figure is cut off.
func caption(svg string) template.HTML {
	_, rest, _ := strings.Cut(svg, "<title>")
	title, _, found := strings.Cut(rest, "</title>")
	if !found || title == "" {
		return ""
	}
	return template.HTML("<figcaption>" + title + "</figcaption>") // the title is escaped in the file
}

// themed replaces the colours of a figure by variables of the page's style sheet. A shade becomes the nearest step
// of the ramp.
func themed(svg string) template.HTML {
	light := assets.LightPalette()
	variables := map[string]string{}
	for _, c := range Colours(light) {
		if value := string(c.Value); variables[value] == "" {
			variables[value] = "var(--" + string(c.Name) + ")"
		}
	}
	return template.HTML(quotedColour.ReplaceAllStringFunc(svg, func(quoted string) string {
		value := strings.Trim(quoted, `"`)
		if variables[value] == "" {
			variables[value] = value
			if step, ok := nearestShade(light, value); ok {
				variables[value] = fmt.Sprintf("var(--shade%d)", step)
			}
		}
		return `"` + variables[value] + `"`
	}))
}

var quotedColour = regexp.MustCompile(`"#[0-9a-f]{6}"`)

// nearestShade returns the nearest step of a palette's ramp to a colour, and false for a colour that is not on the
// ramp.
func nearestShade(p assets.Palette, value string) (step int, ok bool) {
	const between = 5 // largest difference of a channel from the nearest step
	hex, err := strconv.ParseUint(value[1:], 16, 32)
	if err != nil {
		return 0, false
	}
	least := math.MaxInt
	for i := range shades {
		c := shadeOf(p, i)
		apart := 0
		for k, channel := range []uint8{c.R, c.G, c.B} {
			apart = max(apart, max(int(channel)-int(hex>>(16-8*k)&0xff), int(hex>>(16-8*k)&0xff)-int(channel)))
		}
		if apart < least {
			least, step = apart, i
		}
	}
	return step, least <= between
}

// fileTitles are the titles of tables of files.
var fileTitles = map[string]string{"summary.csv": "Summary per epsilon", "sensitivity.csv": "Sobol indices",
	"costs.csv": "Costs per epsilon and mechanism", "comparison.csv": "Differences", "trials.csv": "Epsilons tried",
	"strongest.csv": "The strongest observer"}

// fileTable returns the table of a CSV file. Intervals are in the cell of their value, and numbers have four
// digits.
func fileTable(name string, rows [][]string, meanings map[string]string) Table {
	header := rows[0]
	t := Table{Title: cmp.Or(fileTitles[name], name), Text: "From " + name + "."}
	if n := len(rows) - 1; n > mostRows {
		t.Text = fmt.Sprintf("The first %d of %d rows of %s.", mostRows, n, name)
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
