package record

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"veilpath/sim/study"
)

// SummaryName is the file of a study's summaries.
const SummaryName = "summary.csv"

// SummaryColumn is a column of a study's summary.
type SummaryColumn struct {
	Name, Unit, Meaning string
	Value               func(*study.Summary) float64
}

// SummaryColumns returns the columns of summary.csv in order: the epsilon's and study.Statistics. Fractions
// run from 0 to 1, a flight never detected counts as 0 km.
func SummaryColumns() []SummaryColumn {
	columns := []SummaryColumn{
		{"epsilon", "1", "strength of privacy", func(s *study.Summary) float64 { return s.Epsilon }},
		{"sigma", "1", "standard deviation of the noise on every reward", func(s *study.Summary) float64 { return s.Sigma }},
		{"runs", "1", "flights", func(s *study.Summary) float64 { return float64(s.Runs) }},
	}
	for _, of := range study.Statistics() {
		columns = append(columns, SummaryColumn{of.Name, of.Unit, of.Meaning, func(s *study.Summary) float64 { return *of.Of(s) }})
	}
	return columns
}

// WriteSummaries writes the summaries of every point as CSV, the swept keys first, numbers in as many
// digits as bring them back. What one run cannot give, the ends of a confidence interval, is left blank.
func WriteSummaries(w io.Writer, sweep []Swept, points [][]study.Summary) error {
	table := csv.NewWriter(w)
	columns := SummaryColumns()
	var row []string
	for _, s := range sweep {
		row = append(row, s.Key)
	}
	for _, c := range columns {
		row = append(row, c.Name)
	}
	if err := table.Write(row); err != nil {
		return err
	}
	for point, summaries := range points {
		for i := range summaries {
			row = row[:0]
			for _, v := range PointValues(sweep, point) {
				row = append(row, SweptText(v))
			}
			for _, c := range columns {
				row = append(row, number(c.Value(&summaries[i])))
			}
			if err := table.Write(row); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}

// SweptText writes a value of a swept key so that reading it gives the same value.
func SweptText(v any) string {
	if x, ok := v.(float64); ok {
		return number(x)
	}
	return fmt.Sprint(v)
}

// number formats a value so that reading it gives the same float64; NaN becomes blank.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
