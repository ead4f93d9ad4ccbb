package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Sheet is a table of an answer, the same in CSV, JSON, Parquet and for people.
type Sheet struct {
	Name        string // of its files, and its key in JSON
	Title, Text string // for people; Text explains it
	Columns     []SheetColumn
	Rows        [][]any // a string, an int or a float64 for every column; a float64 that is not finite is no number
}

// SheetColumn is a column of a sheet.
type SheetColumn struct {
	Name, Unit, Meaning string
	Heading             string // for people; empty where they do not see it
	Digits              int    // decimals that people see; -1 for as many as there are
	Percent             bool   // people see a share in hundredths
	Lead                bool   // tells what a row is of
	Beside              bool   // belongs to the column before
	None                string // what stands for no number; empty for nothing in files, and a question mark for people
}

// New returns a table without rows, its columns under names alone.
func New(names ...string) *Sheet {
	s := new(Sheet)
	for _, name := range names {
		s.Columns = append(s.Columns, SheetColumn{Name: name})
	}
	return s
}

// Cell returns a cell as people see it.
func (s *Sheet) Cell(row, column int) string {
	c := &s.Columns[column]
	x, ok := s.Rows[row][column].(float64)
	switch {
	case !ok:
		return fmt.Sprint(s.Rows[row][column])
	case !finite(x) && c.None != "":
		return c.None
	case !finite(x):
		return "?"
	case c.Percent:
		return strconv.FormatFloat(100*x, 'f', c.Digits, 64) + " %"
	case c.Digits < 0:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', c.Digits, 64)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Seen returns the columns that people see, by number.
func (s *Sheet) Seen() []int {
	var seen []int
	for i := range s.Columns {
		if s.Columns[i].Heading != "" {
			seen = append(seen, i)
		}
	}
	return seen
}

// Where returns the sheet with the rows that a condition holds of. The condition is asked with a cell of the named
// column.
func (s *Sheet) Where(column string, holds func(cell any) bool) *Sheet {
	i := slices.IndexFunc(s.Columns, func(c SheetColumn) bool { return c.Name == column })
	some := *s
	some.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(row []any) bool { return !holds(row[i]) })
	return &some
}

// WriteCSV writes the sheet under the names of its columns. What is no number is blank.
func (s *Sheet) WriteCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	line := make([]string, len(s.Columns))
	for i := range s.Columns {
		line[i] = s.Columns[i].Name
	}
	if err := table.Write(line); err != nil {
		return err
	}
	for _, row := range s.Rows {
		for i, cell := range row {
			x, isNumber := cell.(float64)
			line[i] = Text(cell)
			if isNumber && !finite(x) {
				line[i] = ""
			}
		}
		if err := table.Write(line); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// MarshalJSON writes the rows as objects, each in the order of the columns. What is no number is null.
func (s *Sheet) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	text.WriteByte('[')
	for r, row := range s.Rows {
		if r > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('{')
		for i, cell := range row {
			if i > 0 {
				text.WriteByte(',')
			}
			if x, isNumber := cell.(float64); isNumber && !finite(x) {
				cell = nil
			}
			value, err := json.Marshal(cell)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "%q:%s", s.Columns[i].Name, value)
		}
		text.WriteByte('}')
	}
	text.WriteByte(']')
	return text.Bytes(), nil
}
