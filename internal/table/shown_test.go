package table

import (
	"math"
	"strings"
	"testing"
)

// Terminals show numbers rounded by the format, fractions in percent, intervals with both ends, and a question
// mark for unknown numbers. Files have all digits, and whole numbers without an exponent.
func TestPeopleReadWhatFilesHave(t *testing.T) {
	type row struct{ x, end float64 }
	x, end := func(r *row) float64 { return r.x }, func(r *row) float64 { return r.end }
	for _, c := range []struct {
		column      Column[row]
		row         row
		shown, file string
	}{
		{Column[row]{Value: x}, row{0.125, 0}, "0.125", "0.125"},
		{Column[row]{Value: x, Format: "%.2f"}, row{1.0 / 3, 0}, "0.33", "0.3333333333333333"},
		{Column[row]{Value: x, Format: "%.1p %%"}, row{1.0 / 3, 0}, "33.3 %", "0.3333333333333333"},
		{Column[row]{Value: x, Format: "%.2f"}, row{-0.001, 0}, "0.00", "-0.001"}, // no sign of a zero
		{Column[row]{Value: x, Format: "%.1p %%"}, row{-0.0001, 0}, "0.0 %", "-0.0001"},
		{Column[row]{Value: x, Format: "%.2f"}, row{-0.01, 0}, "-0.01", "-0.01"},
		{Column[row]{Value: x, Format: "%.1p .. %.1p %%", End: end}, row{0.25, 0.5}, "25.0 .. 50.0 %", "0.25"},
		// an interval that excludes 0 is seen to do so
		{Column[row]{Value: x, Format: "%.2f .. %.2f", End: end}, row{0.00067, 4.38}, "0.0007 .. 4.38", "0.00067"},
		{Column[row]{Value: x, Format: "%.2f .. %.2f", End: end}, row{-4.38, -0.0049}, "-4.38 .. -0.005", "-4.38"},
		{Column[row]{Value: x, Format: "%.2f .. %.2f", End: end}, row{-0.0001, 4.38}, "0.00 .. 4.38", "-0.0001"},
		{Column[row]{Value: x, Format: "%.1p .. %.1p %%", End: end}, row{0.0002, 0.5}, "0.02 .. 50.0 %", "0.0002"},
		{Column[row]{Value: x, Format: "%.1f .. %.1f", End: end, Open: true}, row{math.Inf(-1), 2}, "? .. 2.0", ""},
		{Column[row]{Value: x, Format: "%.1p %%", Open: true}, row{math.NaN(), 0}, "? %", ""},
		{Column[row]{Value: x, Format: "%.2f", Zero: "-", Unknown: "?"}, row{0, 0}, "-", "0"},
		{Column[row]{Value: x, Format: "%.2p %%", Zero: "0", Unknown: "-", Open: true}, row{math.NaN(), 0}, "-", ""},
		{Column[row]{Value: x, Format: "%.2f", None: "none"}, row{math.Inf(1), 0}, "none", "none"},
		{Column[row]{Value: x, Format: "%.2f", None: "of 0", Open: true}, row{math.Inf(1), 0}, "of 0", ""},
		{Column[row]{Value: x, Whole: true}, row{1e6, 0}, "1000000", "1000000"},
		{Column[row]{Value: x, Truth: true}, row{1, 0}, "true", "true"},
		{Column[row]{Text: func(*row) string { return "a" }, Format: "%.2f"}, row{}, "a", "a"},
	} {
		lifted := Of(c.column, func(rows *[]row) *row { return &(*rows)[0] })
		if got := lifted.Shown(&[]row{c.row}); got != c.shown {
			t.Errorf("%+v: people read %q, want %q", c.row, got, c.shown)
		}
		var file strings.Builder
		if err := WriteCSV(&file, []Column[row]{c.column, c.column}, []row{c.row}); err != nil ||
			file.String() != ",\n"+c.file+","+c.file+"\n" {
			t.Errorf("%+v: the file has %q, want %q twice; %v", c.row, file.String(), c.file, err)
		}
	}
}
