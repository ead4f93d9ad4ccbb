package flightfile

import (
	"io"

	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SummaryName is the name of the file with a study's summaries.
const SummaryName = "summary.csv"

// SurfaceName is the name of the file with a survey's surface.
const SurfaceName = "surface.parquet"

// SummaryRow is a summary and its point of a sweep.
type SummaryRow struct {
	Point int
	*study.Summary
}

// SummaryRows returns the summaries of all points.
func SummaryRows(points [][]study.Summary) (rows []SummaryRow) {
	for point, summaries := range points {
		for i := range summaries {
			rows = append(rows, SummaryRow{point, &summaries[i]})
		}
	}
	return rows
}

// SummaryColumns returns the columns of summaries, without the swept settings.
func SummaryColumns() (columns []table.Column[SummaryRow]) {
	for _, c := range study.SummaryColumns() {
		columns = append(columns, table.Of(c, func(r *SummaryRow) *study.Summary { return r.Summary }))
	}
	return columns
}

// SweptColumns returns the columns of the swept settings.
func SweptColumns(sweep record.Sweep) []table.Column[SummaryRow] {
	return record.SweptColumns(sweep.Keys(), func(r *SummaryRow) int { return r.Point })
}

// WriteSummaries writes the summaries of all points as CSV. The swept settings come first. Numbers have as many
// digits as reading them back exactly needs. After a single run the confidence interval is blank.
func WriteSummaries(w io.Writer, sweep record.Sweep, points [][]study.Summary) error {
	return Summaries(sweep, points).WriteCSV(w)
}

// Summaries returns the table of the summaries of all points with their swept settings.
func Summaries(sweep record.Sweep, points [][]study.Summary) table.Table[SummaryRow] {
	return table.Table[SummaryRow]{Columns: append(SweptColumns(sweep), SummaryColumns()...), Rows: SummaryRows(points)}
}
