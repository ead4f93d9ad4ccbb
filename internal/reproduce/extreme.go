package reproduce

import "veilpath/internal/table"

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
				if row, n := j.Furthest(v); n > 0 {
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
