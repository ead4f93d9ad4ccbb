package reproduce

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"veilpath/internal/table"
)

// ComparisonName is the name of the file from WriteComparison.
const ComparisonName = "compare.csv"

// WriteComparison writes one row per number of the paper: item, quantity, published, computed, standard_error (of
// the difference; 0 for a closed form), difference (computed minus published), tolerance (largest difference that
// counts as agreement), agreement and note.
func WriteComparison(w io.Writer, results []*Result) error {
	s := table.New("item", "quantity", "published", "computed", "standard_error", "difference", "tolerance", "agreement",
		"note")
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, row := range j.Rows {
				s.Rows = append(s.Rows, table.Row{r.Item.Name, row.Quantity, number(row.Published), number(row.Computed),
					number(row.StandardError), number(row.Difference()), number(row.Tolerance), row.Agreement, row.Note})
			}
		}
	}
	return s.WriteCSV(w)
}

// number writes a float64 with the fewest digits that identify it.
func number(v float64) string {
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// judgementJSON is a quantity of the paper in JSON.
type judgementJSON struct {
	Item       string         `json:"item"`
	Quantity   string         `json:"quantity"`
	Numbers    int            `json:"numbers"`
	Agreements map[string]int `json:"agreements"`
	Reading    string         `json:"reading"`
	Change     string         `json:"change,omitempty"`
	Rows       []numberJSON   `json:"rows"`
}

// numberJSON is a published number, the computed one and the agreement.
type numberJSON struct {
	Quantity      string      `json:"quantity"`
	Published     float64     `json:"published"`
	Computed      table.Maybe `json:"computed"`
	StandardError table.Maybe `json:"standard_error"` // of the difference; 0 for a closed form
	Tolerance     table.Maybe `json:"tolerance"`      // largest difference that counts as agreement
	Agreement     Agreement   `json:"agreement"`
	Note          string      `json:"note,omitempty"`
}

// WriteJSON writes a list of quantities with their numbers.
func WriteJSON(w io.Writer, results []*Result) error {
	all := []judgementJSON{}
	for _, r := range results {
		for _, j := range r.Judgements {
			out := judgementJSON{Item: r.Item.Name, Quantity: j.Title(), Numbers: len(j.Rows), Agreements: map[string]int{},
				Reading: j.Reading().Name, Change: j.Reading().Change, Rows: []numberJSON{}}
			for _, row := range j.Rows {
				out.Agreements[string(row.Agreement)]++
				out.Rows = append(out.Rows, numberJSON{row.Quantity, row.Published, table.Maybe(row.Computed),
					table.Maybe(row.StandardError), table.Maybe(row.Tolerance), row.Agreement, row.Note})
			}
			all = append(all, out)
		}
	}
	return table.WriteJSON(w, all)
}

// Title returns the name of a quantity, or of its number if there is only one.
func (j *Judgement) Title() string {
	if len(j.Rows) == 1 {
		return j.Rows[0].Quantity
	}
	return j.Name
}

// furthest returns, among the rows with an agreement, the one with the largest difference, relative to its
// tolerance if that is above 0, and the number of such rows.
func (j *Judgement) furthest(v Agreement) (found Row, n int) {
	most := -1.0
	for _, row := range j.Rows {
		if row.Agreement != v {
			continue
		}
		n++
		apart := math.Abs(row.Difference())
		if row.Tolerance > 0 {
			apart /= row.Tolerance
		}
		if !(apart <= most) {
			found, most = row, apart
		}
	}
	return found, n
}

// Count returns the number of numbers with each agreement.
func Count(results []*Result) map[Agreement]int {
	counts := map[Agreement]int{}
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, row := range j.Rows {
				counts[row.Agreement]++
			}
		}
	}
	return counts
}

// agreementWords are the agreements as parts of a sentence.
var agreementWords = map[Agreement]string{
	Exact: "exactly", Digits: "to the printed digits or half a step of a simulation",
	MonteCarlo: "within the sampling error", AfterChange: "after a named change of the paper's words",
	NotReproduced: "are not reproduced",
	Contradicted:  "are contradicted by a proof or by another number of the paper",
}

// Words says in sentences how many numbers of the paper agree, and how.
func Words(results []*Result) string {
	counts := Count(results)
	var agree, not []string
	n, total := 0, 0
	for _, v := range Agreements() {
		switch c := counts[v]; {
		case c == 0:
		case v.Agrees():
			agree, n = append(agree, fmt.Sprintf("%d %s", c, agreementWords[v])), n+c
		default:
			not = append(not, fmt.Sprintf("%d %s", c, agreementWords[v]))
		}
		total += counts[v]
	}
	text := fmt.Sprintf("Of %d numbers of the paper %d agree", total, n)
	if n > 0 {
		text += ": " + strings.Join(agree, ", ")
	}
	switch text += "."; total - n {
	case 0:
		return text
	case 1:
		_, one, _ := strings.Cut(not[0], " are ")
		return text + fmt.Sprintf("\n1 does not agree: it is %s.", one)
	}
	return text + fmt.Sprintf("\n%d do not agree: %s.", total-n, strings.Join(not, ", "))
}

// Extreme represents the numbers of a quantity with the same agreement by the one with the largest difference.
type Extreme struct {
	Item    string
	Of      *Judgement
	Row     Row
	Numbers int
}

// Extremes returns the extremes of results, agreement by agreement.
func Extremes(results []*Result) (all []Extreme) {
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, v := range Agreements() {
				if row, n := j.furthest(v); n > 0 {
					all = append(all, Extreme{r.Item.Name, j, row, n})
				}
			}
		}
	}
	return all
}

// ExtremeColumns returns the columns of extremes. If changes is set, they include the changes to what the paper
// says.
func ExtremeColumns(changes bool) []table.Column[Extreme] {
	columns := []table.Column[Extreme]{
		{Heading: "item", Lead: true, Text: func(e *Extreme) string { return e.Item }},
		{Heading: "quantity", Lead: true, Text: func(e *Extreme) string { return e.Of.Title() }},
		{Heading: "numbers", Whole: true, Value: func(e *Extreme) float64 { return float64(e.Numbers) }},
		{Heading: "published", Format: "%.5g", Value: func(e *Extreme) float64 { return e.Row.Published }},
		{Heading: "computed", Format: "%.5g", Value: func(e *Extreme) float64 { return e.Row.Computed }},
		{Heading: "agreement", Text: func(e *Extreme) string { return string(e.Row.Agreement) }},
	}
	if changes {
		columns = append(columns, table.Column[Extreme]{Heading: "change",
			Text: func(e *Extreme) string { return e.Of.Reading().Change }})
	}
	return columns
}
