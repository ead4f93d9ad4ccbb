package parquet

import (
	"bytes"
	"slices"
	"testing"

	"veilpath/internal/table"
)

// pair is a row of two numbers.
type pair struct{ a, b float64 }

var pairColumns = []table.Column[pair]{
	{Name: "a", Value: func(p *pair) float64 { return p.a }, Set: func(p *pair, x float64) { p.a = x }},
	{Name: "b", Value: func(p *pair) float64 { return p.b }, Set: func(p *pair, x float64) { p.b = x }, Whole: true},
}

// A table is read back in order. Another number of rows, another column, or a table that was cut is an error.
func TestTablesAreReadBack(t *testing.T) {
	rows := []pair{{0.5, -1}, {2, 1 << 40}, {-3, 0}}
	var out bytes.Buffer
	if err := Write(&out, pairColumns, "1.2.3", rows); err != nil {
		t.Fatal(err)
	}
	text := out.Bytes()
	var got []pair
	read := func(text []byte, rows int64, columns []table.Column[pair]) error {
		return Read(bytes.NewReader(text), int64(len(text)), rows, columns, func(some []pair) error {
			got = append(got, some...)
			return nil
		})
	}
	if err := read(text, 3, pairColumns); err != nil || !slices.Equal(got, rows) {
		t.Fatalf("%v, %v", got, err)
	}
	if err := read(text, 4, pairColumns); err == nil || err.Error() != "it has 3 rows instead of 4" {
		t.Errorf("another number of rows: %v", err)
	}
	renamed := []table.Column[pair]{pairColumns[0], pairColumns[1]}
	renamed[1].Name = "c"
	if err := read(text, 3, renamed); err == nil || err.Error() != "it has no column c of type int64" {
		t.Errorf("another column: %v", err)
	}
	if err := read(text[:len(text)/2], 3, pairColumns); err == nil {
		t.Error("the first half is accepted as a table")
	}
}
