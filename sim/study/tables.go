package study

import (
	"encoding/csv"
	"io"
	"strconv"

	"veilpath/internal/table"
)

// WriteRuns writes flights as CSV with the columns of runs.parquet: epsilon, run and the metrics.
func WriteRuns(w io.Writer, runs []Run) error {
	rows, metrics := csv.NewWriter(w), Metrics()
	line := []string{"epsilon", "run"}
	for _, m := range metrics {
		line = append(line, m.Name)
	}
	rows.Write(line)
	for i := range runs {
		line = append(line[:0], table.EpsilonText(runs[i].Epsilon), strconv.Itoa(runs[i].Run))
		for _, m := range metrics {
			line = append(line, table.Text(m.Value(&runs[i])))
		}
		rows.Write(line)
	}
	rows.Flush()
	return rows.Error()
}

// SummaryColumns returns the columns of summaries in order: the epsilon's and Statistics. Fractions
// run from 0 to 1, a flight never detected counts as 0 km.
func SummaryColumns() []table.Column[Summary] {
	columns := []table.Column[Summary]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for the plan without noise",
			Value: func(s *Summary) float64 { return s.Epsilon }, None: true},
		{Name: "sigma", Unit: "1", Meaning: SigmaMeaning, Value: func(s *Summary) float64 { return s.Sigma }},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(s *Summary) float64 { return float64(s.Runs) },
			Whole: true},
	}
	for _, of := range Statistics() {
		columns = append(columns, table.Column[Summary]{Name: of.Name, Unit: of.Unit, Meaning: of.Meaning,
			Value: func(s *Summary) float64 { return *of.Of(s) }})
	}
	return columns
}

// WriteSummaries writes summaries as CSV, numbers in as many digits as bring them back. What one run cannot give, the
// ends of a confidence interval, is left blank.
func WriteSummaries(w io.Writer, summaries []Summary) error {
	return table.WriteCSV(w, SummaryColumns(), summaries)
}
