package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Sheet is a table of an answer, the same in CSV, JSON, Parquet and for people.
type Sheet struct {
	Name        string // of its files, and its key in JSON
	Title, Text string // for people; Text explains it
	Columns     []Column[Row]
	Rows        []Row
}

// Row is a row of a sheet: a string, an int or a float64 for every column. A float64 that is not finite is no number.
// What is of several types, or of another, is text.
type Row = []any

// New returns a table without rows, its columns under names alone.
func New(names ...string) *Sheet {
	s := new(Sheet)
	for _, name := range names {
		s.Columns = append(s.Columns, Column[Row]{Name: name})
	}
	return s
}

// Typed returns the columns with the values that the rows have there.
func (s *Sheet) Typed() []Column[Row] {
	columns := slices.Clone(s.Columns)
	for i := range columns {
		c := &columns[i]
		switch {
		case all[float64](s.Rows, i):
			c.Value, c.Open = func(row *Row) float64 { return (*row)[i].(float64) }, true
		case all[int](s.Rows, i):
			c.Value, c.Whole = func(row *Row) float64 { return float64((*row)[i].(int)) }, true
		default:
			c.Text, c.Repeats = func(row *Row) string { return Text((*row)[i]) }, true
		}
	}
	return columns
}

// all reports whether a column has one type.
func all[C any](rows []Row, column int) bool {
	return !slices.ContainsFunc(rows, func(row Row) bool { _, ok := row[column].(C); return !ok })
}

// Where returns the sheet with the rows that a condition holds of. The condition is asked with a cell of the named
// column.
func (s *Sheet) Where(column string, holds func(cell any) bool) *Sheet {
	i := slices.IndexFunc(s.Columns, func(c Column[Row]) bool { return c.Name == column })
	some := *s
	some.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(row Row) bool { return !holds(row[i]) })
	return &some
}

// WriteCSV writes the sheet under the names of its columns. What is no number is blank.
func (s *Sheet) WriteCSV(w io.Writer) error { return WriteCSV(w, s.Typed(), s.Rows) }

// MarshalJSON writes the rows as Table does. What is no number is null.
func (s *Sheet) MarshalJSON() ([]byte, error) { return Table[Row]{s.Typed(), s.Rows}.MarshalJSON() }

// Table is rows under columns.
type Table[T any] struct {
	Columns []Column[T]
	Rows    []T
}

// WriteCSV writes the table under the names of its columns.
func (t Table[T]) WriteCSV(w io.Writer) error { return WriteCSV(w, t.Columns, t.Rows) }

// Objects returns the rows for package json, whose order of their names is the alphabet's.
func (t Table[T]) Objects() []map[string]any {
	objects := make([]map[string]any, len(t.Rows))
	for r := range t.Rows {
		objects[r] = map[string]any{}
		for i := range t.Columns {
			objects[r][t.Columns[i].Name] = t.Columns[i].JSON(&t.Rows[r])
		}
	}
	return objects
}

// MarshalJSON writes the rows as objects, each in the order of the columns.
func (t Table[T]) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	text.WriteByte('[')
	for r := range t.Rows {
		if r > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('{')
		for i := range t.Columns {
			if i > 0 {
				text.WriteByte(',')
			}
			value, err := json.Marshal(t.Columns[i].JSON(&t.Rows[r]))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "%q:%s", t.Columns[i].Name, value)
		}
		text.WriteByte('}')
	}
	text.WriteByte(']')
	return text.Bytes(), nil
}
