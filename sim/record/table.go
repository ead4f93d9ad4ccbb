package record

import (
	"errors"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// rowsPerGroup is the length of a Parquet row group: long enough to compress and scan well, short enough
// to hold a few in memory.
const rowsPerGroup = 1 << 16

// rowsPerWrite is how many rows go to the Parquet writer at once. It must always be the same, because
// pages end between two writes and the file's bytes must not depend on how the rows came.
const rowsPerWrite = 1 << 12 // divides rowsPerGroup

// tableWriter writes a Parquet table column by column, in row groups as the rows come. Its columns'
// units and meanings go into the file's metadata, where Arrow finds them as metadata of the fields.
type tableWriter[T any] struct {
	columns []column[T]
	parquet *parquet.GenericWriter[any]
	values  [][]parquet.Value // by column
	rows    []T               // waiting to be as many as are written at once
	grouped int
}

func newTableWriter[T any](w io.Writer, columns []column[T], version string) *tableWriter[T] {
	return &tableWriter[T]{columns: columns, values: make([][]parquet.Value, len(columns)), parquet: parquet.NewGenericWriter[any](w, schemaOf(columns),
		parquet.CreatedBy("veilpath", version, ""), parquet.Compression(&parquet.Zstd),
		parquet.KeyValueMetadata(arrowSchemaKey, arrowSchema(columns)),
		parquet.KeyValueMetadata(unitsKey, unitsText(columns)))}
}

// add appends rows.
func (t *tableWriter[T]) add(rows []T) error {
	for len(rows) > 0 {
		n := min(len(rows), rowsPerWrite-len(t.rows))
		t.rows = append(t.rows, rows[:n]...)
		rows = rows[n:]
		if len(t.rows) == rowsPerWrite {
			if err := t.write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// write passes the waiting rows on, all columns at once, and ends a row group that is full.
func (t *tableWriter[T]) write() error {
	errs := make([]error, len(t.columns))
	var columns sync.WaitGroup
	for i, w := range t.parquet.ColumnWriters() {
		columns.Go(func() { errs[i] = t.writeColumn(i, w) })
	}
	columns.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.grouped += len(t.rows)
	t.rows = t.rows[:0]
	if t.grouped < rowsPerGroup {
		return nil
	}
	t.grouped = 0
	return t.parquet.Flush()
}

func (t *tableWriter[T]) writeColumn(i int, w *parquet.ColumnWriter) error {
	values, value := t.values[i][:0], t.columns[i].value
	for k := range t.rows {
		values = append(values, value(&t.rows[k]).Level(0, 0, i))
	}
	t.values[i] = values
	_, err := w.WriteRowValues(values)
	return err
}

// close ends the table.
func (t *tableWriter[T]) close() error {
	if err := t.write(); err != nil {
		return err
	}
	return t.parquet.Close()
}
