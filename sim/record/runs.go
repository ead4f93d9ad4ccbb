package record

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/study"
)

// RunsName is the file of a study's runs.
const RunsName = "runs.parquet"

// RunWriter writes runs.parquet in row groups as the runs come.
type RunWriter struct {
	table *tableWriter[flown]
	sweep []Swept
}

// NewRunWriter begins the table of a study that sweeps some keys, or none; version is the program's.
func NewRunWriter(w io.Writer, sweep []Swept, version string) *RunWriter {
	return &RunWriter{table: newTableWriter(w, runColumns(sweep), version), sweep: sweep}
}

// Add appends the records of a point.
func (w *RunWriter) Add(point int, records []study.Run) error {
	values := PointValues(w.sweep, point)
	cells := make([]parquet.Value, len(values))
	for i, v := range values {
		cells[i] = value(v)
	}
	for i := range records {
		if err := w.table.add(&flown{Run: records[i], point: cells}); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the table.
func (w *RunWriter) Close() error { return w.table.close() }

// ReadRuns passes the records of a study's runs.parquet to a function in order, in slices that are reused.
// Every page is checked against its checksum.
func ReadRuns(folder string, use func([]study.Run) error) error {
	path := filepath.Join(folder, RunsName)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, cause(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, cause(err))
	}
	table, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	records := make([]study.Run, 0, rowsPerWrite)
	var refused error // by the function
	err = scan(table, runColumns(nil), func(rows []flown) error {
		records = records[:0]
		for i := range rows {
			records = append(records, rows[i].Run)
		}
		refused = use(records)
		return refused
	})
	if err != nil && refused == nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return refused
}
