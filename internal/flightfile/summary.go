package flightfile

import (
	"io"

	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SummaryName is the file of a study's summaries.
const SummaryName = "summary.csv"

// SurfaceName is the file of a survey's surface.
const SurfaceName = "surface.parquet"

// SummaryRow is a summary of a point of a sweep.
type SummaryRow struct {
	Point int
	*study.Summary
}

// SummaryRows returns the summaries of every point, as every observer sees it.
func SummaryRows(points [][]study.Summary) (rows []SummaryRow) {
	for point, summaries := range points {
		for i := range summaries {
			rows = append(rows, SummaryRow{point, &summaries[i]})
		}
	}
	return rows
}

// SummaryColumns returns the columns of summaries, without those of what is swept.
func SummaryColumns() (columns []table.Column[SummaryRow]) {
	for _, c := range study.SummaryColumns() {
		columns = append(columns, table.Of(c, func(r *SummaryRow) *study.Summary { return r.Summary }))
	}
	return columns
}

// SweptColumns returns the columns of what is swept.
func SweptColumns(sweep record.Sweep) []table.Column[SummaryRow] {
	return record.SweptColumns(sweep.Keys(), func(r *SummaryRow) int { return r.Point })
}

// WriteSummaries writes the summaries of every point, as every observer sees it, as CSV, the swept keys first, numbers
// in as many digits as bring them back. What one run cannot give, the ends of a confidence interval, is left blank.
func WriteSummaries(w io.Writer, sweep record.Sweep, points [][]study.Summary) error {
	return Summaries(sweep, points).WriteCSV(w)
}

// Summaries returns the summaries of every point with what is swept.
func Summaries(sweep record.Sweep, points [][]study.Summary) table.Table[SummaryRow] {
	return table.Table[SummaryRow]{Columns: append(SweptColumns(sweep), SummaryColumns()...), Rows: SummaryRows(points)}
}
