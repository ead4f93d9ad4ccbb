package table

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// Sheet is a table whose columns take their types from the cells. It is written to CSV, JSON and Parquet and shown
// to people.
type Sheet struct {
	Name        string // name of its files, and its key in JSON
	Title, Text string // shown above the table; Text explains it
	Columns     []Column[Row]
	Rows        []Row
}

// Row is a row of a sheet: a string, an int or a float64 for every column. A float64 that is not finite is
// unknown. A column with cells of several types, or of another type, is text.
type Row = []any

// New returns a sheet without rows whose columns have these names.
func New(names ...string) *Sheet {
	s := new(Sheet)
	for _, name := range names {
		s.Columns = append(s.Columns, Column[Row]{Name: name})
	}
	return s
}

// Typed returns the columns with the types and values of their cells.
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

// all reports whether all cells of a column have type C.
func all[C any](rows []Row, column int) bool {
	return !slices.ContainsFunc(rows, func(row Row) bool { _, ok := row[column].(C); return !ok })
}

// Where returns the sheet with those rows for which the cell of the named column satisfies a condition.
func (s *Sheet) Where(column string, holds func(cell any) bool) *Sheet {
	i := slices.IndexFunc(s.Columns, func(c Column[Row]) bool { return c.Name == column })
	some := *s
	some.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(row Row) bool { return !holds(row[i]) })
	return &some
}

// WriteCSV writes the sheet with a header. Numbers that are not finite are blank.
func (s *Sheet) WriteCSV(w io.Writer) error { return WriteCSV(w, s.Typed(), s.Rows) }

// MarshalJSON writes the rows as Table does. Numbers that are not finite are null.
func (s *Sheet) MarshalJSON() ([]byte, error) {
	return Table[Row]{Columns: s.Typed(), Rows: s.Rows}.MarshalJSON()
}

// Table is a list of rows with their columns.
type Table[T any] struct {
	Columns []Column[T]
	Rows    []T
	Main    []T // of the rows those that matter most; nil for all
}

// WriteCSV writes the table with a header.
func (t Table[T]) WriteCSV(w io.Writer) error { return WriteCSV(w, t.Columns, t.Rows) }

// Objects returns the rows as maps. Package json writes their names in alphabetical order.
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
		if err := writeObject(&text, len(t.Columns), func(i int) (string, any) {
			return t.Columns[i].Name, t.Columns[i].JSON(&t.Rows[r])
		}); err != nil {
			return nil, err
		}
	}
	text.WriteByte(']')
	return text.Bytes(), nil
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
