// Package table defines tables with named columns and writes them as CSV and JSON. Files, pages and terminals show
// the same tables. A [Section] is what people read of an answer: sentences, and a table.
package table

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Column is a column of a table with rows of type T. It determines the column's CSV, Parquet and JSON, and its
// text in terminals and on pages.
type Column[T any] struct {
	Name, Unit, Meaning string            // a name ends in its unit, if it has one
	Value               func(*T) float64  // number in a row
	Text                func(*T) string   // text in a row, instead of Value, in a column of text
	Set                 func(*T, float64) // stores a Value in a row that is read; nil for tables that are only written
	Whole               bool              // whole numbers
	Truth               bool              // truth values: 1 for true, 0 for false
	Open                bool              // values that are not finite are unknown, such as after too few flights
	None                string            // text for +Inf: "none" for the epsilon of the plan without noise

	// How Parquet files encode the column: 32-bit numbers, a dictionary of few values, or differences of successive
	// values.
	Short, Repeats, Follows bool

	// What terminals and pages show. The numbers are those of files unless Format rounds them. Format is a format of
	// package fmt, in which %p prints a fraction in percent.
	Heading      string           // empty: the column is not shown
	Explained    string           // meaning of the heading if it is not the Meaning; options in braces
	Format       string           // for the Value, and for End after it
	Zero         string           // text for 0, if not that of the Format
	Unknown      string           // text for NaN, if not that of the Format with question marks
	End          func(*T) float64 // upper end of an interval that starts at Value; nil for none
	Lead, Beside bool             // Lead: the column identifies the row; Beside: it belongs to the column before
}

// Known reports whether a value is known. Values of an Open column that are not finite are unknown.
func (c *Column[T]) Known(x float64) bool { return !c.Open || finite(x) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// text returns the column of a row as CSV.
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

// Cell returns the column of a row: an int for whole numbers, a bool for truth values, a string for text,
// otherwise a float64.
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

// JSON returns the column of a row for package json. NaN and infinities become null, except +Inf in a column with
// the text None.
func (c *Column[T]) JSON(row *T) any {
	x, isNumber := c.Cell(row).(float64)
	switch {
	case !isNumber:
		return c.Cell(row)
	case c.None != "" && !c.Open && math.IsInf(x, 1):
		return c.None
	}
	return Maybe(x)
}

// verb matches the verb of a number in a format.
var verb = regexp.MustCompile(`%[.0-9]*[fgp]`)

// Shown returns the column of a row as terminals and pages show it. A number that is not finite becomes a question
// mark.
func (c *Column[T]) Shown(row *T) string {
	x, isNumber := c.Cell(row).(float64)
	switch {
	case !isNumber:
		return fmt.Sprint(c.Cell(row))
	case c.None != "" && math.IsInf(x, 1):
		return c.None
	case c.Zero != "" && x == 0:
		return c.Zero
	case c.Unknown != "" && math.IsNaN(x):
		return c.Unknown
	}
	text := verb.ReplaceAllStringFunc(cmp.Or(c.Format, "%g"), func(verb string) string {
		number := x
		if c.End != nil {
			x = c.End(row)
		}
		format, share := strings.CutSuffix(verb, "p")
		if !finite(number) {
			return "?"
		}
		if share {
			number, verb = 100*number, format+"f"
		}
		text := unsigned(fmt.Sprintf(verb, number))
		if c.End != nil && c.Value(row)*c.End(row) > 0 && isZero(text) {
			return OneDigit(number)
		}
		return text
	})
	return strings.ReplaceAll(text, "%%", "%")
}

// OneDigit writes a number, other than 0, near 0 with its first digit, so that an interval that it ends is seen to
// exclude 0.
func OneDigit(x float64) string {
	return fmt.Sprintf("%.*f", max(0, -int(math.Floor(math.Log10(math.Abs(x))))), x)
}

// Digits rounds a number above 0 to so many digits, for people to read and to give back, by a function such as
// math.Floor.
func Digits(x float64, digits int, round func(float64) float64) float64 {
	decimals := digits - 1 - int(math.Floor(math.Log10(x)))
	if decimals >= 0 {
		unit := math.Pow10(decimals)
		return round(x*unit) / unit
	}
	unit := math.Pow10(-decimals)
	return round(x/unit) * unit
}

// isZero reports whether the text of a number shows 0.
func isZero(text string) bool { return strings.Trim(text, "-0.") == "" }

// unsigned returns the text of a number without the sign of a zero.
func unsigned(text string) string {
	if isZero(text) {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// InKm returns columns whose distances in km, shown with two decimals, are shown with so many.
func InKm[T any](columns []Column[T], decimals int) []Column[T] {
	columns = slices.Clone(columns)
	for i := range columns {
		if c := &columns[i]; c.Unit == "km" {
			c.Format = strings.ReplaceAll(c.Format, "%.2f", fmt.Sprintf("%%.%df", decimals))
		}
	}
	return columns
}

// Of returns the column for rows of type U, where in returns the T that such a row holds.
func Of[U, T any](c Column[T], in func(*U) *T) Column[U] {
	of := Column[U]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning, Whole: c.Whole, Truth: c.Truth, Open: c.Open,
		None: c.None, Short: c.Short, Repeats: c.Repeats, Follows: c.Follows, Heading: c.Heading, Explained: c.Explained,
		Format: c.Format, Zero: c.Zero, Unknown: c.Unknown, Lead: c.Lead, Beside: c.Beside}
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

// Text formats a cell so that reading it gives the same value; NaN becomes blank.
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

// WriteCSV writes a header with the names of the columns, and then the rows of all parts in order.
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
