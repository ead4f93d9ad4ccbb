package record

import (
	"io"

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
	values  []parquet.Value // of a column
	rows    []T             // waiting to be as many as are written at once
	grouped int
}

func newTableWriter[T any](w io.Writer, columns []column[T], version string) *tableWriter[T] {
	return &tableWriter[T]{columns: columns, values: make([]parquet.Value, rowsPerWrite), parquet: parquet.NewGenericWriter[any](w, schemaOf(columns),
		parquet.CreatedBy("veilpath", version, ""), parquet.Compression(&parquet.Zstd),
		parquet.KeyValueMetadata(arrowSchemaKey, arrowSchema(columns)),
		parquet.KeyValueMetadata(unitsKey, unitsText(columns)))}
}

// add appends a row.
func (t *tableWriter[T]) add(row *T) error {
	t.rows = append(t.rows, *row)
	if len(t.rows) < rowsPerWrite {
		return nil
	}
	return t.write()
}

// write passes the waiting rows on, column by column, and ends a row group that is full.
func (t *tableWriter[T]) write() error {
	for i, w := range t.parquet.ColumnWriters() {
		if err := t.writeColumn(i, w); err != nil {
			return err
		}
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
	values := t.values[:len(t.rows)]
	t.columns[i].put(t.rows, values)
	if t.columns[i].nullable {
		setLevels(values, i)
	}
	_, err := w.WriteRowValues(values)
	return err
}

// setLevels marks which values of a column are there.
func setLevels(values []parquet.Value, column int) {
	for k, v := range values {
		present := 1
		if v.IsNull() {
			present = 0
		}
		values[k] = v.Level(0, present, column)
	}
}

// close ends the table.
func (t *tableWriter[T]) close() error {
	if err := t.write(); err != nil {
		return err
	}
	return t.parquet.Close()
}
