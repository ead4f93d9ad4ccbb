package record

import (
	"io"

	"veilpath/sim/study"
)

// SummaryName is the file of a study's summaries.
const SummaryName = "summary.csv"

// SummaryColumns returns the columns of summary.csv in order: the epsilon's and study.Statistics. Fractions
// run from 0 to 1, a flight never detected counts as 0 km.
func SummaryColumns() []Column[study.Summary] {
	columns := []Column[study.Summary]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for the plan without noise",
			Value: func(s *study.Summary) float64 { return s.Epsilon }, None: true},
		{Name: "sigma", Unit: "1", Meaning: study.SigmaMeaning, Value: func(s *study.Summary) float64 { return s.Sigma }},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(s *study.Summary) float64 { return float64(s.Runs) },
			Whole: true},
	}
	for _, of := range study.Statistics() {
		columns = append(columns, Column[study.Summary]{Name: of.Name, Unit: of.Unit, Meaning: of.Meaning,
			Value: func(s *study.Summary) float64 { return *of.Of(s) }})
	}
	return columns
}

// WriteSummaries writes the summaries of every point as CSV, the swept keys first, numbers in as many
// digits as bring them back. What one run cannot give, the ends of a confidence interval, is left blank.
func WriteSummaries(w io.Writer, sweep []Swept, points [][]study.Summary) error {
	var keys []string
	for _, s := range sweep {
		keys = append(keys, s.Key)
	}
	return writeCSV(w, keys, func(point int) (cells []string) {
		for _, v := range PointValues(sweep, point) {
			cells = append(cells, SweptText(v))
		}
		return cells
	}, SummaryColumns(), points...)
}
