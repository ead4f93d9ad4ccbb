package record

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// Column is a column of a table of numbers whose rows come from T. The table's CSV, Parquet and JSON follow from its
// columns.
type Column[T any] struct {
	Name, Unit, Meaning string // the name ends in the unit where there is one
	Value               func(*T) float64
	Whole               bool // a whole number
	Open                bool // not finite where the flights are too few to tell
}

// Known reports whether the column holds a value, which one that is open may not.
func (c *Column[T]) Known(x float64) bool { return !c.Open || !math.IsNaN(x) && !math.IsInf(x, 0) }

// text is a value of the column in CSV.
func (c *Column[T]) text(x float64) string {
	if !c.Known(x) {
		return ""
	}
	return number(x)
}

// number formats a value so that reading it gives the same float64; NaN becomes blank.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// writeCSV writes rows as CSV under the names of their columns, parts of them one after the other. Cells of every row of a
// part, under names of their own, come first.
func writeCSV[T any](w io.Writer, first []string, cells func(part int) []string, columns []Column[T], parts ...[]T) error {
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
