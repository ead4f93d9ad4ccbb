package record

import (
	"bufio"
	"fmt"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/study"
)

// RunRow is a row of runs.parquet. Column names carry the unit.
type RunRow struct {
	Epsilon         float64 `parquet:"epsilon,dict"`
	Run             int64   `parquet:"run,delta"`
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

func newRunRow(r *study.Run) RunRow {
	return RunRow{
		Epsilon: r.Epsilon, Run: int64(r.Run), DetectionKm: r.DetectionKm, Detected: r.Detected,
		BeforeHandover: r.BeforeHandover, HandoverKm: r.HandoverKm, HeadingErrorDeg: r.HeadingErrorDeg,
		Transitions: int32(r.Transitions), Fallback: r.Fallback, TimedOut: r.TimedOut,
		CostOfPrivacy: r.CostOfPrivacy, FlightTimeS: r.FlightTimeS, PathOverhead: r.PathOverhead,
	}
}

// rowsPerGroup is the length of a Parquet row group: long enough to compress and scan well, short enough
// to hold a few in memory.
const rowsPerGroup = 1 << 16

// RunWriter writes runs.parquet in row groups as the runs come.
type RunWriter struct {
	file    *pending
	buffer  *bufio.Writer
	parquet *parquet.GenericWriter[RunRow]
	rows    []RunRow
	grouped int
}

// RunsName is the file a RunWriter makes.
const RunsName = "runs.parquet"

// CreateRuns begins the file in the folder; version is the program's.
func (f *Folder) CreateRuns(version string) (*RunWriter, error) {
	file, err := f.create(RunsName)
	if err != nil {
		return nil, err
	}
	buffer := bufio.NewWriter(file)
	return &RunWriter{file: file, buffer: buffer, parquet: parquet.NewGenericWriter[RunRow](buffer,
		parquet.CreatedBy("veilpath", version, ""), parquet.Compression(&parquet.Zstd))}, nil
}

// Add appends records.
func (w *RunWriter) Add(records []study.Run) error {
	for len(records) > 0 {
		n := min(len(records), rowsPerGroup-w.grouped)
		w.rows = w.rows[:0]
		for i := range records[:n] {
			w.rows = append(w.rows, newRunRow(&records[i]))
		}
		if _, err := w.parquet.Write(w.rows); err != nil {
			return fmt.Errorf("writing %s: %w", w.file.path, err)
		}
		if w.grouped += n; w.grouped == rowsPerGroup {
			if err := w.parquet.Flush(); err != nil {
				return fmt.Errorf("writing %s: %w", w.file.path, err)
			}
			w.grouped = 0
		}
		records = records[n:]
	}
	return nil
}

// Commit ends the file and makes it appear.
func (w *RunWriter) Commit() error {
	if err := w.parquet.Close(); err != nil {
		w.file.abandon()
		return fmt.Errorf("writing %s: %w", w.file.path, err)
	}
	if err := w.buffer.Flush(); err != nil {
		w.file.abandon()
		return fmt.Errorf("writing %s: %w", w.file.path, err)
	}
	return w.file.commit()
}

// Abandon removes what was written.
func (w *RunWriter) Abandon() { w.file.abandon() }
