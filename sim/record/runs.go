package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/study"
)

// RunsName is the file of a study's runs.
const RunsName = "runs.parquet"

// RunRow is a row of runs.parquet, the swept keys apart.
type RunRow struct {
	Epsilon         float64 `parquet:"epsilon"`
	Run             int64   `parquet:"run"`
	DetectionKm     float64 `parquet:"detection_km"`
	Detected        bool    `parquet:"detected"`
	BeforeHandover  bool    `parquet:"detected_before_handover"`
	HandoverKm      float64 `parquet:"handover_km"`
	HeadingErrorDeg float64 `parquet:"heading_error_deg"`
	Transitions     int32   `parquet:"transitions"`
	Fallback        bool    `parquet:"fallback"`
	TimedOut        bool    `parquet:"timed_out"`
	CostOfPrivacy   float64 `parquet:"cost_of_privacy"`
	FlightTimeS     float64 `parquet:"flight_time_s"`
	PathOverhead    float64 `parquet:"path_overhead"`
}

// Record returns the row as the study knows it.
func (r *RunRow) Record() study.Run {
	return study.Run{
		Epsilon: r.Epsilon, Run: int(r.Run), DetectionKm: r.DetectionKm, Detected: r.Detected,
		BeforeHandover: r.BeforeHandover, HandoverKm: r.HandoverKm, HeadingErrorDeg: r.HeadingErrorDeg,
		Transitions: int(r.Transitions), Fallback: r.Fallback, TimedOut: r.TimedOut,
		CostOfPrivacy: r.CostOfPrivacy, FlightTimeS: r.FlightTimeS, PathOverhead: r.PathOverhead,
	}
}

// RunWriter writes runs.parquet in row groups as the runs come.
type RunWriter struct {
	table *tableWriter[flown]
	sweep []Swept
	rows  []flown
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
	w.rows = w.rows[:0]
	for i := range records {
		w.rows = append(w.rows, flown{Run: records[i], point: cells})
	}
	return w.table.add(w.rows)
}

// Close ends the table.
func (w *RunWriter) Close() error { return w.table.close() }

// ReadRuns passes the rows of a study's runs.parquet to a function in order, in slices that are reused.
// Every page is checked against its checksum.
func ReadRuns(folder string, use func([]RunRow) error) error {
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
	reader := parquet.NewGenericReader[RunRow](table)
	defer reader.Close()
	rows := make([]RunRow, 4096)
	for {
		n, err := reader.Read(rows)
		if n > 0 {
			if err := use(rows[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading %s: %w", path, err)
		}
	}
}
