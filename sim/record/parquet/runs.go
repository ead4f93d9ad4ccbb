package parquet

import (
	"context"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// RunWriter writes runs.parquet, or axis.parquet, in row groups as the runs come.
type RunWriter struct {
	table *tableWriter[flown]
	sweep []record.Swept
	axis  study.Range // of axis.parquet
}

// NewRunWriter begins the table of a study that sweeps some keys, or none; version is the program's.
func NewRunWriter(w io.Writer, sweep []record.Swept, version string) *RunWriter {
	return &RunWriter{table: newTableWriter(w, runColumns(sweep), version), sweep: sweep}
}

// NewAxisWriter begins the table of the pieces of a study of a range of epsilon.
func NewAxisWriter(w io.Writer, sweep []record.Swept, axis study.Range, version string) *RunWriter {
	return &RunWriter{table: newTableWriter(w, axisColumns(sweep), version), sweep: sweep, axis: axis}
}

// Add appends the records of a point, in axis.parquet those of whole runs.
func (w *RunWriter) Add(point int, records []study.Run) error {
	values := record.PointValues(w.sweep, point)
	cells := make([]parquet.Value, len(values))
	for i, v := range values {
		cells[i] = value(v)
	}
	for i := range records {
		high := w.axis.High
		if i+1 < len(records) && records[i+1].Run == records[i].Run {
			high = records[i+1].Epsilon
		}
		if err := w.table.add(&flown{Run: records[i], high: high, point: cells}); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the table.
func (w *RunWriter) Close() error { return w.table.close() }

// ReadRuns passes the records of a study's runs.parquet to a function in order, in slices that are reused, until
// the context ends. The file must have the hash in the study's manifest.
func ReadRuns(ctx context.Context, disk record.FileSystem, folder string, m record.Manifest, use func([]study.Run) error) error {
	return readRuns(ctx, disk, folder, record.RunsName, m, m.Flights, runColumns(nil), use)
}

// ReadPieces is ReadRuns for the pieces in axis.parquet, as a study of a range of epsilon emits them.
func ReadPieces(ctx context.Context, disk record.FileSystem, folder string, m record.Manifest, use func([]study.Run) error) error {
	return readRuns(ctx, disk, folder, record.AxisName, m, m.Pieces, pieceColumns(), use)
}

func readRuns(ctx context.Context, disk record.FileSystem, folder, name string, m record.Manifest, length int, columns []column[flown], use func([]study.Run) error) error {
	file, err := record.OpenListed(ctx, disk, folder, name, m)
	if err != nil {
		return err
	}
	defer file.Close()
	records := make([]study.Run, 0, rowsPerWrite)
	var refused error // by the function
	err = readTable(file, file.Size(), int64(length), columns, func(rows []flown) error {
		records = records[:0]
		for i := range rows {
			records = append(records, rows[i].Run)
		}
		if refused = ctx.Err(); refused == nil {
			refused = use(records)
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

// readTable passes on the rows of a table of so many runs. A damaged one can make the Parquet library panic, which
// comes back as an error; a panic of the function does not.
func readTable(file io.ReaderAt, size, rows int64, columns []column[flown], use func([]flown) error) (err error) {
	using := false
	defer func() {
		if using {
			return
		}
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if err := checkBounds(file, size, rows, columns); err != nil {
		return err
	}
	table, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	return scan(table, columns, func(rows []flown) error {
		using = true
		err := use(rows)
		using = false
		return err
	})
}
