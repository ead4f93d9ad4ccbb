package reproduce

import (
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"veilpath/assets"
	"veilpath/internal/axis"
	"veilpath/internal/report"
)

// ReportName is the name of the file from WriteReport.
const ReportName = "report.html"

// WriteReport writes everything as one page of HTML without scripts, fonts or other files. made names the program
// and settings in one line.
func WriteReport(w io.Writer, results []*Result, made string) error {
	counts := Count(results)
	page := struct {
		Made    string
		Words   string // how many numbers of the items agree
		Total   int
		Tally   []tally
		Groups  []group
		Results []*Result
		Rules   []rule
	}{Made: made, Words: Words(results), Tally: tallyOf(counts, 0), Groups: newGroups(results), Results: results,
		Rules: rules()}
	for _, n := range counts {
		page.Total += n
	}
	return report.WriteHTML(w, assets.ReportPage, page, template.FuncMap{
		"math": subscripted, "figures": figures, "brief": brief, "signed": signed, "rows": rowsOf,
		"tally": func(r *Result) []tally { return tallyOf(Count([]*Result{r}), 0) },
	})
}

// rowsOf returns the rows of a result. If successive rows have the same note, only the first keeps it.
func rowsOf(r *Result) (rows []Row) {
	last := ""
	for _, j := range r.Judgements {
		for _, row := range j.Rows {
			note := row.Note
			if note == last {
				row.Note = ""
			}
			last = note
			rows = append(rows, row)
		}
	}
	return rows
}

// subscripts replaces symbols with an underscore by HTML.
var subscripts = strings.NewReplacer("R_max", "R<sub>max</sub>", "m_i", "m<sub>i</sub>")

func subscripted(text string) template.HTML {
	return template.HTML(subscripts.Replace(template.HTMLEscapeString(text)))
}

// figures writes a number with eight digits.
func figures(v float64) string {
	if math.Abs(v) >= 1e4 {
		return grouped(v)
	}
	return strconv.FormatFloat(v, 'g', 8, 64)
}

// grouped writes a large number with commas, and with two decimals unless it is whole.
func grouped(v float64) string {
	decimals := 2
	if v == math.Trunc(v) {
		decimals = 0
	}
	return axis.Thousands(strconv.FormatFloat(v, 'f', decimals, 64))
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
