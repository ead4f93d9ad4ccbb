package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"veilpath/internal/table"
)

// pair is a row of two numbers.
type pair struct{ a, b float64 }

var pairColumns = []table.Column[pair]{
	{Name: "a", Value: func(p *pair) float64 { return p.a }, Set: func(p *pair, x float64) { p.a = x }},
	{Name: "b", Value: func(p *pair) float64 { return p.b }, Set: func(p *pair, x float64) { p.b = x }, Whole: true},
}

func writtenPairs(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, pairColumns, "1.2.3", []pair{{0.5, -1}, {2, 1 << 40}, {-3, 0}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestColumnsAreReadBack(t *testing.T) {
	text := writtenPairs(t)
	all := func(float64) bool { return true }
	got, err := ReadColumns(bytes.NewReader(text), int64(len(text)), all)
	if err != nil || fmt.Sprint(got) != "map[a:[0.5 2 -3] b:[-1 1.099511627776e+12 0]]" {
		t.Errorf("%v, %v", got, err)
	}
	positive := func(x float64) bool { return x > -2 }
	if _, err := ReadColumns(bytes.NewReader(text), int64(len(text)), positive); err == nil {
		t.Error("a number that is not allowed is read")
	}
}

// A table that was cut or changed anywhere, or has another number of rows or other columns, is an error or other
// numbers, and no panic.
func TestDamagedTablesAreRefused(t *testing.T) {
	text := writtenPairs(t)
	read := func(text []byte, rows int64, columns []table.Column[pair]) error {
		ReadColumns(bytes.NewReader(text), int64(len(text)), func(float64) bool { return true })
		return Read(bytes.NewReader(text), int64(len(text)), rows, columns, func([]pair) error { return nil })
	}
	if err := read(text, 3, pairColumns); err != nil {
		t.Fatal(err)
	}
	if err := read(text, 4, pairColumns); err == nil || err.Error() != "it has 3 rows, but its manifest says 4" {
		t.Errorf("another number of rows: %v", err)
	}
	renamed := []table.Column[pair]{pairColumns[0], pairColumns[1]}
	renamed[1].Name = "c"
	if err := read(text, 3, renamed); !errors.Is(err, ErrColumn) {
		t.Errorf("another column: %v", err)
	}
	for i := 0; i < len(text); i += 7 {
		changed := bytes.Clone(text)
		changed[i] ^= 0x5a
		_ = read(changed, 3, pairColumns)
		if err := read(text[:i], 3, pairColumns); err == nil {
			t.Errorf("the first %d bytes are accepted as a table", i)
		}
	}
}
