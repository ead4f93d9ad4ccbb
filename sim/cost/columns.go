package cost

import "veilpath/internal/table"

// RowColumns returns the columns of costs.parquet: the run, epsilon, and what every mechanism's private policy is worth
// and costs.
func RowColumns(mechanisms []string) []table.Column[Row] {
	columns := []table.Column[Row]{
		{Name: "run", Unit: "1", Meaning: "number of the run, which names its noise",
			Value: func(r *Row) float64 { return float64(r.Run) }, Whole: true},
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Value: func(r *Row) float64 { return r.Epsilon }},
	}
	for i, name := range mechanisms {
		columns = append(columns,
			table.Column[Row]{Name: "value_" + name, Unit: "1",
				Meaning: "value at the start of the private policy, on the true reward",
				Value:   func(r *Row) float64 { return r.Values[i] }},
			table.Column[Row]{Name: "cost_of_privacy_" + name, Unit: "1", Meaning: "relative loss of value at the start",
				Value: func(r *Row) float64 { return r.Costs[i] }})
	}
	return columns
}

// PieceColumns returns the columns of axis.parquet of what runs cost on a range of epsilon.
func PieceColumns(mechanisms []string) []table.Column[Piece] {
	return []table.Column[Piece]{
		{Name: "mechanism", Meaning: "that makes the reward private",
			Text: func(p *Piece) string { return mechanisms[p.Mechanism] }, Repeats: true},
		{Name: "run", Unit: "1", Meaning: "number of the run, which names its noise",
			Value: func(p *Piece) float64 { return float64(p.Run) }, Whole: true},
		{Name: "epsilon_low", Unit: "1", Meaning: "least strength of privacy of the piece",
			Value: func(p *Piece) float64 { return p.Low }},
		{Name: "epsilon_high", Unit: "1", Meaning: "strength of privacy at which the piece ends",
			Value: func(p *Piece) float64 { return p.High }},
		{Name: "cost_of_privacy_low", Unit: "1", Meaning: "relative loss of value at the start, at least; where moves are " +
			"certain it is the same all over the piece", Value: func(p *Piece) float64 {
			return p.Least
		}},
		{Name: "cost_of_privacy_high", Unit: "1", Meaning: "the same, at most",
			Value: func(p *Piece) float64 { return p.Most }},
	}
}
