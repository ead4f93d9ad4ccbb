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

// Column is a column of a table of numbers whose rows come from T. The table's CSV, Parquet and JSON follow from its
// columns.
type Column[T any] struct {
	Name, Unit, Meaning string // the name ends in the unit where there is one
	Value               func(*T) float64
	Whole               bool // a whole number
	Open                bool // not finite where the flights are too few to tell
	None                bool // +Inf stands for none, the epsilon of the plan without noise
}

// Known reports whether the column holds a value, which one that is open may not.
func (c *Column[T]) Known(x float64) bool { return !c.Open || !math.IsNaN(x) && !math.IsInf(x, 0) }

// text is a value of the column in CSV.
func (c *Column[T]) text(x float64) string {
	switch {
	case !c.Known(x):
		return ""
	case c.None:
		return EpsilonText(x)
	}
	return number(x)
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
				line = append(line, columns[i].text(columns[i].Value(&rows[k])))
			}
			if err := table.Write(line); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}
