package record

import (
	"encoding/csv"
	"io"
	"strconv"

	"veilpath/sim/study"
)

// WriteRuns writes flights as CSV with the columns of runs.parquet: epsilon, run and the metrics.
func WriteRuns(w io.Writer, runs []study.Run) error {
	table, metrics := csv.NewWriter(w), study.Metrics()
	line := []string{"epsilon", "run"}
	for _, m := range metrics {
		line = append(line, m.Name)
	}
	table.Write(line)
	for i := range runs {
		line = append(line[:0], EpsilonText(runs[i].Epsilon), strconv.Itoa(runs[i].Run))
		for _, m := range metrics {
			line = append(line, SweptText(m.Value(&runs[i])))
		}
		table.Write(line)
	}
	table.Flush()
	return table.Error()
}
