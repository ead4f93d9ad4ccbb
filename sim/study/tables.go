package study

import (
	"io"

	"veilpath/internal/table"
)

// EpsilonColumn returns the epsilon of a run as a column.
func EpsilonColumn() table.Column[Run] {
	c := numberMetric("epsilon", "1", "strength of privacy; infinity for the plan without noise",
		func(r *Run) *float64 { return &r.Epsilon }).Column
	c.None, c.Repeats = "none", true
	return c
}

// RunColumn returns the number of a run as a column.
func RunColumn() table.Column[Run] {
	c := wholeMetric("run", "1", "number of the run, which determines its noise",
		func(r *Run) *int { return &r.Run }).Column
	c.Short, c.Follows = false, true
	return c
}

// WriteRuns writes flights as CSV with the columns of runs.parquet: epsilon, run and the metrics.
func WriteRuns(w io.Writer, runs []Run) error {
	columns := []table.Column[Run]{EpsilonColumn(), RunColumn()}
	for _, m := range Metrics() {
		columns = append(columns, m.Column)
	}
	return table.WriteCSV(w, columns, runs)
}

// SummaryColumns returns the columns of summaries in order: the epsilon's columns and Statistics. Fractions are
// from 0 to 1; a flight never detected counts as 0 km.
func SummaryColumns() []table.Column[Summary] {
	columns := []table.Column[Summary]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for the plan without noise",
			Value: func(s *Summary) float64 { return s.Epsilon }, None: "none", Heading: "epsilon", Lead: true,
			Explained: "strength of privacy: the smaller, the more noise; none is the plan without noise"},
		{Name: "sigma", Unit: "1", Meaning: sigmaMeaning, Value: func(s *Summary) float64 { return s.Sigma },
			Heading: "sigma", Format: "%.4g"},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(s *Summary) float64 { return float64(s.Runs) },
			Whole: true},
	}
	for _, s := range Statistics() {
		columns = append(columns, s.Column)
	}
	return columns
}

// WriteSummaries writes summaries as CSV, with exact numbers. Values that a single run cannot give, such as the
// ends of a confidence interval, are empty.
func WriteSummaries(w io.Writer, summaries []Summary) error {
	return table.WriteCSV(w, SummaryColumns(), summaries)
}
