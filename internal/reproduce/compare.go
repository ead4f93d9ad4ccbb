package reproduce

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

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
	for _, row := range rowsOf(results) {
		s.Rows = append(s.Rows, table.Row{row.Item, row.Quantity, number(row.Published), number(row.Computed),
			number(row.StandardError), number(row.Difference()), number(row.Tolerance), row.Agreement, row.Note})
	}
	return s.WriteCSV(w)
}

// WriteJSON writes the rows of WriteComparison as a list of objects.
func WriteJSON(w io.Writer, results []*Result) error { return table.WriteJSON(w, rowsOf(results)) }

// itemRow is a row and the name of its item.
type itemRow struct {
	Item string `json:"item"`
	Row
}

// rowsOf returns all rows of results.
func rowsOf(results []*Result) []itemRow {
	rows := []itemRow{} // in JSON an empty list is no null
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, row := range j.Rows {
				rows = append(rows, itemRow{r.Item.Name, row})
			}
		}
	}
	return rows
}

// number writes a float64 with the fewest digits that identify it.
func number(v float64) string {
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
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
	for _, row := range rowsOf(results) {
		counts[row.Agreement]++
	}
	return counts
}

// Words says how many numbers of the paper agree, how many differ, and which of those cannot be true.
func Words(results []*Result) string {
	counts := Count(results)
	agree, total := 0, 0
	for _, v := range Agreements() {
		total += counts[v]
		if v.Agrees() {
			agree += counts[v]
		}
	}
	text := fmt.Sprintf("%d of %s of the paper agree", agree, table.Count(total, "number"))
	if n := counts[AfterChange]; n > 0 {
		text += fmt.Sprintf(", %d of them after a named change of its words", n)
	}
	switch refuted, missed := counts[Contradicted], counts[NotReproduced]; {
	case refuted > 0:
		text += fmt.Sprintf(". The others differ: %d refuted by a proof or by another number of the paper, %d not reproduced",
			refuted, missed)
	case missed > 0:
		text += fmt.Sprintf("; not reproduced: %d", missed)
	}
	return text + "."
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

// ExtremeColumns returns the columns of extremes.
func ExtremeColumns() []table.Column[Extreme] {
	return []table.Column[Extreme]{
		{Heading: "item", Lead: true, Text: func(e *Extreme) string { return e.Item }},
		{Heading: "quantity", Lead: true, Text: func(e *Extreme) string { return e.Of.Title() }},
		{Heading: "published", Format: "%.5g", Value: func(e *Extreme) float64 { return e.Row.Published }},
		{Heading: "computed", Format: "%.5g", Value: func(e *Extreme) float64 { return e.Row.Computed }},
		{Heading: "numbers", Whole: true, Value: func(e *Extreme) float64 { return float64(e.Numbers) }},
		{Heading: "agreement", Text: func(e *Extreme) string { return string(e.Row.Agreement) }},
		{Heading: "change", Text: func(e *Extreme) string { return e.Of.Reading().Change }},
	}
}

// mostScreenRows is the largest number of rows of the ScreenTable.
const mostScreenRows = 8

// ScreenTable is the table of the answer: the quantities with numbers that differ, first those that are refuted, then
// those with most numbers.
func ScreenTable(results []*Result) table.Plain {
	differ := slices.DeleteFunc(Extremes(results), func(e Extreme) bool { return e.Row.Agreement.Agrees() })
	slices.SortStableFunc(differ, func(a, b Extreme) int {
		return cmp.Or(cmp.Compare(a.Row.Agreement, b.Row.Agreement), cmp.Compare(b.Numbers, a.Numbers)) // by their names
	})
	out := table.Plain{Lead: 2, Headings: []string{"item", "quantity", "published", "computed", "result"}}
	for _, e := range differ[:min(len(differ), mostScreenRows)] {
		quantity, result := e.Of.Title(), "differs"
		if e.Numbers > 1 {
			quantity += fmt.Sprintf(", %d numbers", e.Numbers)
		}
		if e.Row.Agreement == Contradicted {
			result = "refuted"
		}
		out.Rows = append(out.Rows, []string{e.Item, quantity, fmt.Sprintf("%.5g", e.Row.Published),
			fmt.Sprintf("%.5g", e.Row.Computed), result})
	}
	return out
}
