package runfile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// RunWriter writes runs.parquet or axis.parquet, a row group at a time. A flight that several observers watch is
// one row, with columns for the metrics of further observers.
type RunWriter struct {
	table *parquet.Writer[flown]
	sweep record.Sweep
	axis  study.Range // of axis.parquet
	rows  []flown     // rows of the last Add, for reuse

	varied Varied
}

// NewRunWriter begins the table of a study. The sweep may be empty, and nothing vary; version is that of the program.
func NewRunWriter(w io.Writer, sweep record.Sweep, varied Varied, version string) *RunWriter {
	return &RunWriter{table: parquet.NewWriter(w, runColumns(sweep, varied), version), sweep: sweep, varied: varied}
}

// NewAxisWriter begins the table of the pieces of a study over a range of epsilon.
func NewAxisWriter(w io.Writer, sweep record.Sweep, axis study.Range, version string) *RunWriter {
	return &RunWriter{table: parquet.NewWriter(w, axisColumns(sweep), version), sweep: sweep, axis: axis}
}

// Add appends the records of a point, one slice for each observer. For axis.parquet, the records are those of
// whole runs.
func (w *RunWriter) Add(point int, seen ...[]study.Run) error {
	if len(seen) != w.sweep.Watching() {
		return fmt.Errorf("records of %d observers; want records of %d", len(seen), w.sweep.Watching())
	}
	records, others := seen[0], seen[1:]
	for k := range others {
		if len(others[k]) != len(records) {
			return fmt.Errorf("%d records of observer %d; want records of %d runs", len(others[k]), k+2, len(records))
		}
	}
	w.rows = w.rows[:0]
	for i := range records {
		row := flown{Run: records[i], high: w.axis.End(records, i), point: point}
		for k := range others {
			row.others = append(row.others, others[k][i])
		}
		if n := len(w.rows); len(w.varied.Settings) > 0 && n > 0 && w.rows[n-1].Run.Run == row.Run.Run {
			row.drawn = w.rows[n-1].drawn
		} else if len(w.varied.Settings) > 0 {
			row.drawn = w.varied.Of(point, row.Run.Run)
		}
		w.rows = append(w.rows, row)
	}
	return w.table.Add(w.rows)
}

// watched returns a flight with the metrics of an observer taken from that observer's record.
func watched(flight, seen *study.Run) study.Run {
	run := *flight
	for _, m := range watchedMetrics {
		m.Set(&run, m.Value(seen))
	}
	return run
}

// watchedMetrics are the metrics that depend on the observer.
var watchedMetrics = slices.DeleteFunc(study.Metrics(), func(m study.Metric) bool { return !m.Watched })

// Close ends the table.
func (w *RunWriter) Close() error { return w.table.Close() }

// ReadRuns passes the records of a study's runs.parquet to a function in order, one slice for each observer, until
// the context ends. The slices are reused. The file must have the hash in the study's manifest.
func ReadRuns(ctx context.Context, folder string, m record.Manifest,
	use func(seen [][]study.Run) error) error {
	columns := runColumns(record.Sweep{Observers: m.Sweep.Observers}, Varied{})
	return readRuns(ctx, folder, record.RunsName, m, m.Flights, columns, use)
}

// ReadPieces is ReadRuns for the pieces in axis.parquet.
func ReadPieces(ctx context.Context, folder string, m record.Manifest,
	use func(seen [][]study.Run) error) error {
	return readRuns(ctx, folder, record.AxisName, m, m.Pieces, pieceColumns(m.Sweep.Observers), use)
}

func readRuns(ctx context.Context, folder, name string, m record.Manifest, length int,
	columns []table.Column[flown], use func(seen [][]study.Run) error) error {
	file, err := record.OpenVerified(ctx, folder, name, m)
	if err != nil {
		return err
	}
	defer file.Close()
	seen := make([][]study.Run, m.Sweep.Watching())
	var refused error // error of the function
	err = parquet.Read(file, file.Size(), int64(length/len(seen)), columns, func(rows []flown) error {
		for k := range seen {
			seen[k] = seen[k][:0]
			for i := range rows {
				run := rows[i].Run
				if k > 0 {
					run = watched(&run, &rows[i].others[k-1])
				}
				seen[k] = append(seen[k], run)
			}
		}
		if refused = ctx.Err(); refused == nil {
			refused = use(seen)
		}
		return refused
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && refused == nil {
		return file.Damaged(err)
	}
	return refused
}
