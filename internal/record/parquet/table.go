package parquet

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// rowsPerGroup is the length of a Parquet row group: long enough to compress and scan well, and short enough to
// keep a few in memory.
const rowsPerGroup = 1 << 16

// maxPage bounds the decoded length of a page in bytes: the numbers of a row group.
const maxPage = 8*rowsPerGroup + 1<<10

// rowsPerWrite is the number of rows per call of the Parquet writer or reader: few enough for a processor's cache.
// A page ends between two writes.
const rowsPerWrite = 1 << 12

// Writer writes a Parquet table. It encodes a row group while the next one fills. The file contains the columns'
// units as JSON in its metadata, under unitsKey.
type Writer[T any] struct {
	columns  []table.Column[T]
	parquet  *parquet.GenericWriter[any]
	rows     []T            // rows of the next row group
	encoding []*rowGroup[T] // row groups being encoded, in order
	spare    [][]T
}

// groupsAtOnce is the number of row groups that are encoded at the same time. Each takes about 20 MB.
const groupsAtOnce = 1

// rowGroup is a row group that is being encoded.
type rowGroup[T any] struct {
	rows    []T
	parquet *parquet.ConcurrentRowGroupWriter
	done    chan error
}

// Write writes a table with the rows of all parts in order. version is that of the program. Unknown values are
// null.
func Write[T any](w io.Writer, columns []table.Column[T], version string, parts ...[]T) error {
	t := NewWriter(w, columns, version)
	for _, rows := range parts {
		if err := t.Add(rows); err != nil {
			return err
		}
	}
	return t.Close()
}

// unitsKey is the key of the units in the metadata of a file.
const unitsKey = "veilpath:units"

// unitsText returns the units of the columns that have one, as a JSON object.
func unitsText[T any](columns []table.Column[T]) string {
	units := map[string]string{}
	for _, c := range columns {
		if c.Unit != "" {
			units[c.Name] = c.Unit
		}
	}
	text, err := json.Marshal(units)
	if err != nil {
		panic("parquet: units do not encode: " + err.Error()) // strings always encode
	}
	return string(text)
}

// NewWriter begins a table. version is that of the program.
func NewWriter[T any](w io.Writer, columns []table.Column[T], version string) *Writer[T] {
	return &Writer[T]{columns: columns, parquet: parquet.NewGenericWriter[any](w, schemaOf(columns),
		parquet.CreatedBy("veilpath", version, ""), parquet.Compression(newCodec()),
		parquet.KeyValueMetadata(unitsKey, unitsText(columns)))}
}

// Add appends rows.
func (t *Writer[T]) Add(rows []T) error {
	for i := range rows {
		if err := t.add(&rows[i]); err != nil {
			return fmt.Errorf("encoding a table: %w", err)
		}
	}
	return nil
}

// add appends a row.
func (t *Writer[T]) add(row *T) error {
	t.rows = append(t.rows, *row)
	if len(t.rows) < rowsPerGroup {
		return nil
	}
	return t.encode()
}

// encode starts encoding the collected rows as a row group. If another one is being encoded, it first waits for
// that.
func (t *Writer[T]) encode() error {
	if len(t.encoding) == groupsAtOnce {
		if err := t.commit(); err != nil {
			return err
		}
	}
	g := &rowGroup[T]{rows: t.rows, parquet: t.parquet.BeginRowGroup(), done: make(chan error, 1)}
	go func() { g.done <- g.encode(t.columns) }()
	t.encoding = append(t.encoding, g)
	t.rows = nil
	if n := len(t.spare); n > 0 {
		t.rows, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	return nil
}

// commit waits until the first row group is encoded, and appends it to the file.
func (t *Writer[T]) commit() error {
	g := t.encoding[0]
	t.encoding = t.encoding[1:]
	if err := <-g.done; err != nil {
		return err
	}
	t.spare = append(t.spare, g.rows[:0])
	_, err := g.parquet.Commit()
	return err
}

// Close ends the table.
func (t *Writer[T]) Close() error {
	if len(t.rows) > 0 {
		if err := t.encode(); err != nil {
			return err
		}
	}
	for len(t.encoding) > 0 {
		if err := t.commit(); err != nil {
			return err
		}
	}
	return t.parquet.Close()
}

// encode encodes the rows, column by column.
func (g *rowGroup[T]) encode(columns []table.Column[T]) error {
	values := make([]parquet.Value, min(len(g.rows), rowsPerWrite))
	for rows := range slices.Chunk(g.rows, rowsPerWrite) {
		for i, w := range g.parquet.ColumnWriters() {
			values := values[:len(rows)]
			put(&columns[i], rows, values)
			if columns[i].Open {
				setLevels(values, i)
			}
			if _, err := w.WriteRowValues(values); err != nil {
				return err
			}
		}
	}
	return nil
}

// setLevels sets the definition levels of an optional column: 0 for null.
func setLevels(values []parquet.Value, column int) {
	for k, v := range values {
		present := 1
		if v.IsNull() {
			present = 0
		}
		values[k] = v.Level(0, present, column)
	}
}
