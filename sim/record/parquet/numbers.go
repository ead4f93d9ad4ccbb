package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// WriteSurface writes a survey's surface, a row per range of epsilon and radius; version is the program's. What the runs are
// too few to tell is null.
func WriteSurface(w io.Writer, cells [][]study.SurfaceCell, version string) error {
	table := newTableWriter(w, numbers(record.TreadColumns()), version)
	for _, row := range cells {
		for i := range row {
			if err := table.add(&row[i]); err != nil {
				return fmt.Errorf("encoding the surface: %w", err)
			}
		}
	}
	return table.close()
}

// WriteTrajectory writes a flight, a row per step; version is the program's.
func WriteTrajectory(w io.Writer, rows []record.TrajectoryRow, version string) error {
	table := newTableWriter(w, numbers(record.TrajectoryColumns()), version)
	for i := range rows {
		if err := table.add(&rows[i]); err != nil {
			return fmt.Errorf("encoding the trajectory: %w", err)
		}
	}
	return table.close()
}

// StepWriter writes trajectories.parquet as flights come.
type StepWriter struct {
	table *tableWriter[record.FlightStep]
}

// NewStepWriter begins the table of what one observer, or several, made of flights; version is the program's.
func NewStepWriter(w io.Writer, observers []string, version string) *StepWriter {
	return &StepWriter{newTableWriter(w, numbers(record.FlightStepColumns(observers)), version)}
}

// Add appends the steps of a flight.
func (w *StepWriter) Add(steps []record.FlightStep) error {
	for i := range steps {
		if err := w.table.add(&steps[i]); err != nil {
			return fmt.Errorf("encoding the trajectories: %w", err)
		}
	}
	return nil
}

// Close ends the table.
func (w *StepWriter) Close() error { return w.table.close() }

// CurveWriter writes curves.parquet as flights come.
type CurveWriter struct {
	table *tableWriter[record.CurveStep]
}

// NewCurveWriter begins the table; version is the program's.
func NewCurveWriter(w io.Writer, version string) *CurveWriter {
	return &CurveWriter{newTableWriter(w, numbers(record.CurveColumns()), version)}
}

// Add appends the curve of a flight.
func (w *CurveWriter) Add(steps []record.CurveStep) error {
	for i := range steps {
		if err := w.table.add(&steps[i]); err != nil {
			return fmt.Errorf("encoding the curves: %w", err)
		}
	}
	return nil
}

// Close ends the table.
func (w *CurveWriter) Close() error { return w.table.close() }

// numbers returns columns of numbers as those of a Parquet table.
func numbers[T any](columns []record.Column[T]) []column[T] {
	table := make([]column[T], len(columns))
	for i, c := range columns {
		p := column[T]{name: c.Name, unit: c.Unit, meaning: c.Meaning, kind: double, nullable: c.Open, put: putting(func(row *T) parquet.Value {
			x := c.Value(row)
			if !c.Known(x) {
				return parquet.NullValue()
			}
			return parquet.DoubleValue(x)
		})}
		if c.Whole {
			p.kind, p.put = long, putting(func(row *T) parquet.Value { return parquet.Int64Value(int64(c.Value(row))) })
		}
		table[i] = p
	}
	return table
}
