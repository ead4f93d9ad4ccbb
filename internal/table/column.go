// Package table holds tables with named columns, which files, pages and terminals show alike, and writes them as CSV
// and JSON.
package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"veilpath/planner/quantity"
)

// Column is a column of a table whose rows come from T. The table's CSV, Parquet and JSON follow from its columns.
type Column[T any] struct {
	Name, Unit, Meaning string            // the name ends in the unit where there is one
	Value               func(*T) float64  // of a row
	Text                func(*T) string   // in place of the Value, of a column of text
	Set                 func(*T, float64) // puts a Value into a row that is read; nil where no table is read
	Whole               bool              // a whole number
	Truth               bool              // 1 for what holds, 0 for what does not
	Open                bool              // not finite where the flights are too few to tell
	None                bool              // +Inf stands for none, the epsilon of the plan without noise

	// How files pack the column: it takes 32 bits, few values come again and again, or each follows the one before.
	Short, Repeats, Follows bool
}

// Known reports whether the column holds a value, which one that is open may not.
func (c *Column[T]) Known(x float64) bool { return !c.Open || !math.IsNaN(x) && !math.IsInf(x, 0) }

// Cell returns the column of a row: a float64, an int of a whole number, a bool of a truth, a string of text.
func (c *Column[T]) Cell(row *T) any {
	switch {
	case c.Text != nil:
		return c.Text(row)
	case c.Whole:
		return int(c.Value(row))
	case c.Truth:
		return c.Value(row) != 0
	}
	return c.Value(row)
}

// text is the column in a row of CSV.
func (c *Column[T]) text(row *T) string {
	if c.Text != nil {
		return c.Text(row)
	}
	switch x := c.Value(row); {
	case c.Truth:
		return strconv.FormatBool(x != 0)
	case !c.Known(x):
		return ""
	case c.None:
		return EpsilonText(x)
	default:
		return number(x)
	}
}

// JSON returns a value of the column for package json: what is no number is null, but for an epsilon that is none.
func (c *Column[T]) JSON(x float64) any {
	if c.None && math.IsInf(x, 1) {
		return EpsilonText(x)
	}
	return quantity.Maybe(x)
}

// EpsilonText writes an epsilon in text: a number in as many digits as bring it back, or none for the plan without
// noise.
func EpsilonText(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "none"
	}
	return number(epsilon)
}

// Text writes a cell so that reading it gives the same value; NaN becomes blank.
func Text(cell any) string {
	if x, ok := cell.(float64); ok {
		return number(x)
	}
	return fmt.Sprint(cell)
}

// number formats a value so that reading it gives the same float64; NaN becomes blank.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// WriteCSV writes rows as CSV under the names of their columns, parts of them one after the other.
func WriteCSV[T any](w io.Writer, columns []Column[T], parts ...[]T) error {
	return WriteCSVAfter(w, nil, nil, columns, parts...)
}

// WriteCSVAfter is WriteCSV with cells that all rows of a part have in common, under names of their own, before the
// columns.
func WriteCSVAfter[T any](w io.Writer, first []string, cells func(part int) []string, columns []Column[T],
	parts ...[]T) error {
	table := csv.NewWriter(w)
	line := first
	for _, c := range columns {
		line = append(line, c.Name)
	}
	if err := table.Write(line); err != nil {
		return err
	}
	for i, rows := range parts {
		var own []string
		if cells != nil {
			own = cells(i)
		}
		for k := range rows {
			line = append(line[:0], own...)
			for i := range columns {
				line = append(line, columns[i].text(&rows[k]))
			}
			if err := table.Write(line); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}
