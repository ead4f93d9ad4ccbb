// Package parquet writes tables of package table as Parquet files, and reads them back.
//
// A table has columns over rows of one Go type. The file contains the names, units and meanings of columns;
// Arrow's readers show them as metadata of the fields. Equal rows give equal bytes, in any number of calls.
//
// # Assumptions and limitations
//
// Rows are written in order, one row group at a time, so memory does not grow with the number of rows. A few thousand
// rows are encoded while the next ones are added.
package parquet

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

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

// Writer writes a Parquet table. It encodes some rows while the next ones are added. The file contains the columns'
// units as JSON in its metadata, under unitsKey.
type Writer[T any] struct {
	columns []table.Column[T]
	parquet *parquet.GenericWriter[any]
	rows    []T        // added and not yet encoded, at most rowsPerWrite
	spare   []T        // storage of the rows that are being encoded
	encoded chan error // receives the result of encoding the spare rows; nil if none are

	// of the goroutine that encodes
	length int // of the row group
	values []parquet.Value
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
		t.rows = append(t.rows, rows[i])
		if len(t.rows) == rowsPerWrite {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush waits until the rows before are encoded, and starts encoding the added ones.
func (t *Writer[T]) flush() error {
	if err := t.wait(); err != nil {
		return err
	}
	rows, encoded := t.rows, make(chan error, 1)
	t.rows, t.spare, t.encoded = t.spare[:0], rows, encoded
	go func() { encoded <- t.encode(rows) }()
	return nil
}

// wait waits until all but the added rows are encoded.
func (t *Writer[T]) wait() error {
	if t.encoded == nil {
		return nil
	}
	err := <-t.encoded
	if t.encoded = nil; err != nil {
		err = fmt.Errorf("encoding a table: %w", err)
	}
	return err
}

// Close ends the table.
func (t *Writer[T]) Close() error {
	if len(t.rows) > 0 {
		if err := t.flush(); err != nil {
			return err
		}
	}
	if err := t.wait(); err != nil {
		return err
	}
	return t.parquet.Close()
}

// encode appends rows to the row group, column by column, and the group to the file when it is full.
func (t *Writer[T]) encode(rows []T) error {
	t.values = slices.Grow(t.values[:0], len(rows))[:len(rows)]
	for i, w := range t.parquet.ColumnWriters() {
		put(&t.columns[i], rows, t.values)
		if t.columns[i].Open {
			setLevels(t.values, i)
		}
		if _, err := w.WriteRowValues(t.values); err != nil {
			return err
		}
	}
	if t.length += len(rows); t.length < rowsPerGroup {
		return nil
	}
	t.length = 0
	return t.parquet.Flush()
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

// codec compresses to the same bytes as parquet-go's codec, and keeps only as much history as a page is long. The
// library's codec takes 16 MB for every column that is compressed at the same time.
type codec struct {
	zstd.Codec
	encoders sync.Pool
}

// longestHistory is the length of a zstd window, a power of two, that holds any page.
const longestHistory = 1 << 20

var _ = [longestHistory - maxPage]struct{}{}

func newCodec() *codec {
	return &codec{encoders: sync.Pool{New: func() any {
		e, err := klauspost.NewWriter(nil, klauspost.WithEncoderConcurrency(1), klauspost.WithZeroFrames(true),
			klauspost.WithEncoderCRC(false), klauspost.WithWindowSize(longestHistory), klauspost.WithLowerEncoderMem(true))
		if err != nil {
			panic("parquet: " + err.Error()) // the options are fixed
		}
		return e
	}}}
}

// Encode implements compress.Codec.
func (c *codec) Encode(to, page []byte) ([]byte, error) {
	e := c.encoders.Get().(*klauspost.Encoder)
	defer c.encoders.Put(e)
	return e.EncodeAll(page, to[:0]), nil
}
