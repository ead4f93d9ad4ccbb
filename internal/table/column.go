// Package table holds tables with named columns, which files, pages and terminals show alike, and writes them as CSV
// and JSON.
package table

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"veilpath/planner/quantity"
)

// Column is a column of a table whose rows come from T. The table's CSV, Parquet and JSON follow from its columns, and
// what people read in terminals and on pages.
type Column[T any] struct {
	Name, Unit, Meaning string            // the name ends in the unit where there is one
	Value               func(*T) float64  // of a row
	Text                func(*T) string   // in place of the Value, of a column of text
	Set                 func(*T, float64) // puts a Value into a row that is read; nil where no table is read
	Whole               bool              // a whole number
	Truth               bool              // 1 for what holds, 0 for what does not
	Open                bool              // not finite where the flights are too few to tell
	None                string            // what +Inf stands for, such as none of the epsilon of the plan without noise

	// How files pack the column: it takes 32 bits, few values come again and again, or each follows the one before.
	Short, Repeats, Follows bool

	// What people read, whose numbers are those of files unless a Format rounds them: as in package fmt, with %p for a
	// share in hundredths.
	Heading      string           // empty where they do not see the column
	Explained    string           // what the heading means, where it is not the Meaning; options in braces
	Format       string           // of the Value, and of the end of the interval that begins there
	End          func(*T) float64 // of that interval; nil for none
	Lead, Beside bool             // it says what a row is of; it belongs to the column before
}

// Known reports whether the column holds a value, which one that is open may not.
func (c *Column[T]) Known(x float64) bool { return !c.Open || finite(x) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// text is the column in a row of CSV.
func (c *Column[T]) text(row *T) string {
	x, isNumber := c.Cell(row).(float64)
	switch {
	case !isNumber:
		return fmt.Sprint(c.Cell(row))
	case !c.Known(x):
		return ""
	case c.None != "" && math.IsInf(x, 1):
		return c.None
	}
	return number(x)
}

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

// JSON returns the column of a row for package json: what is no number is null, except for +Inf that stands for
// something.
func (c *Column[T]) JSON(row *T) any {
	x, isNumber := c.Cell(row).(float64)
	switch {
	case !isNumber:
		return c.Cell(row)
	case c.None != "" && !c.Open && math.IsInf(x, 1):
		return c.None
	}
	return quantity.Maybe(x)
}

// verb is what stands for a number in a format.
var verb = regexp.MustCompile(`%[.0-9]*[fgp]`)

// Shown returns the column of a row as people read it, with a question mark for a number that there is not.
func (c *Column[T]) Shown(row *T) string {
	x, isNumber := c.Cell(row).(float64)
	switch {
	case !isNumber:
		return fmt.Sprint(c.Cell(row))
	case c.None != "" && math.IsInf(x, 1):
		return c.None
	}
	text := verb.ReplaceAllStringFunc(cmp.Or(c.Format, "%g"), func(verb string) string {
		number := x
		if c.End != nil {
			x = c.End(row)
		}
		format, share := strings.CutSuffix(verb, "p")
		switch {
		case !finite(number):
			return "?"
		case share:
			return fmt.Sprintf(format+"f", 100*number)
		}
		return fmt.Sprintf(verb, number)
	})
	return strings.ReplaceAll(text, "%%", "%")
}

// Of returns a column of what rows of another type hold.
func Of[U, T any](c Column[T], in func(*U) *T) Column[U] {
	of := Column[U]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning, Whole: c.Whole, Truth: c.Truth, Open: c.Open,
		None: c.None, Short: c.Short, Repeats: c.Repeats, Follows: c.Follows, Heading: c.Heading, Explained: c.Explained,
		Format: c.Format, Lead: c.Lead, Beside: c.Beside}
	if c.Value != nil {
		of.Value = func(row *U) float64 { return c.Value(in(row)) }
	}
	if c.Text != nil {
		of.Text = func(row *U) string { return c.Text(in(row)) }
	}
	if c.Set != nil {
		of.Set = func(row *U, x float64) { c.Set(in(row), x) }
	}
	if c.End != nil {
		of.End = func(row *U) float64 { return c.End(in(row)) }
	}
	return of
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
	table := csv.NewWriter(w)
	var line []string
	for _, c := range columns {
		line = append(line, c.Name)
	}
	if err := table.Write(line); err != nil {
		return err
	}
	for _, rows := range parts {
		for k := range rows {
			for i := range columns {
				line[i] = columns[i].text(&rows[k])
			}
			if err := table.Write(line); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}
