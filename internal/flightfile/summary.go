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

// WriteSummaries writes the summaries of every point, as every observer sees it, as CSV, the swept keys first, numbers
// in as many digits as bring them back. What one run cannot give, the ends of a confidence interval, is left blank.
func WriteSummaries(w io.Writer, sweep record.Sweep, points [][]study.Summary) error {
	var keys []string
	swept := sweep.Keys()
	for _, s := range swept {
		keys = append(keys, s.Key)
	}
	return table.WriteCSVAfter(w, keys, func(point int) (cells []string) {
		for _, v := range record.PointValues(swept, point) {
			cells = append(cells, table.Text(v))
		}
		return cells
	}, study.SummaryColumns(), points...)
}
