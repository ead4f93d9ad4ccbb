package record

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// rowsPerGroup is the length of a Parquet row group: long enough to compress and scan well, short enough
// to hold a few in memory.
const rowsPerGroup = 1 << 16

// tableWriter writes a Parquet table column by column, in row groups as the rows come. Its columns'
// units and meanings go into the file's metadata, where Arrow finds them as metadata of the fields.
type tableWriter[T any] struct {
	columns []column[T]
	parquet *parquet.GenericWriter[any]
	values  []parquet.Value
	grouped int
}

func newTableWriter[T any](w io.Writer, columns []column[T], version string) *tableWriter[T] {
	return &tableWriter[T]{columns: columns, parquet: parquet.NewGenericWriter[any](w, schemaOf(columns),
		parquet.CreatedBy("veilpath", version, ""), parquet.Compression(&parquet.Zstd),
		parquet.KeyValueMetadata(arrowSchemaKey, arrowSchema(columns)),
		parquet.KeyValueMetadata("veilpath:units", unitsText(columns)))}
}

// add appends rows.
func (t *tableWriter[T]) add(rows []T) error {
	for len(rows) > 0 {
		n := min(len(rows), rowsPerGroup-t.grouped)
		for i, w := range t.parquet.ColumnWriters() {
			t.values = t.values[:0]
			for k := range rows[:n] {
				t.values = append(t.values, t.columns[i].value(&rows[k]).Level(0, 0, i))
			}
			if _, err := w.WriteRowValues(t.values); err != nil {
				return err
			}
		}
		if t.grouped += n; t.grouped == rowsPerGroup {
			if err := t.parquet.Flush(); err != nil {
				return err
			}
			t.grouped = 0
		}
		rows = rows[n:]
	}
	return nil
}

// close ends the table.
func (t *tableWriter[T]) close() error { return t.parquet.Close() }
