package cost

import "veilpath/internal/table"

// RowColumns returns the columns of costs.parquet: the run, epsilon, and value and cost of every mechanism's
// private policy.
func RowColumns(mechanisms []string) []table.Column[Row] {
	columns := []table.Column[Row]{
		{Name: "run", Unit: "1", Meaning: "number of the run, which determines its noise",
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

// PieceColumns returns the columns of axis.parquet for the costs of runs on a range of epsilon.
func PieceColumns(mechanisms []string) []table.Column[Piece] {
	return []table.Column[Piece]{
		{Name: "mechanism", Meaning: "mechanism that makes the reward private",
			Text: func(p *Piece) string { return mechanisms[p.Mechanism] }, Repeats: true},
		{Name: "run", Unit: "1", Meaning: "number of the run, which determines its noise",
			Value: func(p *Piece) float64 { return float64(p.Run) }, Whole: true},
		{Name: "epsilon_low", Unit: "1", Meaning: "smallest epsilon of the piece",
			Value: func(p *Piece) float64 { return p.Low }},
		{Name: "epsilon_high", Unit: "1", Meaning: "epsilon at which the piece ends",
			Value: func(p *Piece) float64 { return p.High }},
		{Name: "cost_of_privacy_low", Unit: "1", Meaning: "lower bound on the relative loss of value at the start; " +
			"with deterministic transitions, the loss is constant on the piece",
			Value: func(p *Piece) float64 { return p.Least }},
		{Name: "cost_of_privacy_high", Unit: "1", Meaning: "upper bound on the relative loss of value at the start",
			Value: func(p *Piece) float64 { return p.Most }},
	}
}

// Table returns summaries as a table with a row for each mechanism and epsilon.
func Table(summaries []Summary) table.Table[Summary] {
	return table.Table[Summary]{Columns: SummaryColumns(), Rows: summaries}
}

// SummaryColumns returns the columns of summaries.
func SummaryColumns() []table.Column[Summary] {
	type column = table.Column[Summary]
	number := func(name, heading, meaning, format string, of func(*Summary) float64) column {
		return column{Name: name, Heading: heading, Meaning: meaning, Format: format, Open: true, Value: of}
	}
	low := number("ci_low", "95 % interval", "of the mean; it allows for costs that no run has shown; with {until} it "+
		"is valid at every stopping time", "", func(s *Summary) float64 { return s.Low })
	low.End = func(s *Summary) float64 { return s.High }
	return []column{
		{Name: "mechanism", Heading: "mechanism", Text: func(s *Summary) string { return s.Mechanism }},
		number("epsilon", "epsilon", "", "", func(s *Summary) float64 { return s.Epsilon }),
		number("sigma", "sigma", "standard deviation of Gaussian noise on rewards; 0 for other noise", "",
			func(s *Summary) float64 { return s.Sigma }),
		{Name: "runs", Whole: true, Value: func(s *Summary) float64 { return float64(s.Runs) }},
		number("cost_of_privacy", "value lost", "mean cost of privacy, as a share of the optimal value at the start",
			"%.2p %%", func(s *Summary) float64 { return s.Mean }),
		low, number("ci_high", "", "", "", func(s *Summary) float64 { return s.High }),
		number("standard_error", "", "", "%.2p %%", func(s *Summary) float64 { return s.StandardError }),
		number("largest", "worst run", "largest cost of a run", "%.2p %%", func(s *Summary) float64 { return s.Largest }),
		number("free", "still optimal", "share of the runs whose policy is optimal", "%.1p %%",
			func(s *Summary) float64 { return s.Free }),
	}
}

// TrialColumns returns the columns of the epsilons that a search tried.
func TrialColumns() []table.Column[Trial] {
	return []table.Column[Trial]{
		{Name: "epsilon", Heading: "epsilon", Lead: true, Open: true, Value: func(t *Trial) float64 { return t.Epsilon }},
		{Name: "runs", Heading: "runs", Whole: true, Value: func(t *Trial) float64 { return float64(t.Runs) }},
		{Name: "cost_of_privacy", Heading: "value lost", Format: "%.2p %%", Open: true,
			Value: func(t *Trial) float64 { return t.Mean }},
		{Name: "ci_low", Heading: "interval at all times", Beside: true, Format: "%.2p .. %.2p %%", Open: true,
			Value: func(t *Trial) float64 { return t.Low }, End: func(t *Trial) float64 { return t.High }},
		{Name: "ci_high", Open: true, Value: func(t *Trial) float64 { return t.High }},
		{Name: "standard_error", Open: true, Value: func(t *Trial) float64 { return t.StandardError }},
		{Name: "decision", Text: func(t *Trial) string { return string(t.Decision) }},
	}
}
