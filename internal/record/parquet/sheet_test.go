package parquet

import (
	"bytes"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// A sheet is read back with the types of its cells, and null for unknown numbers. A sheet without rows keeps its
// columns.
func TestSheetsComeBack(t *testing.T) {
	columns := []table.Column[table.Row]{{Name: "name"}, {Name: "count", Unit: "1"}, {Name: "km", Unit: "km"}}
	s := &table.Sheet{Name: "s", Columns: columns, Rows: [][]any{{"a", 3, 0.5}, {"b", -1, math.NaN()}, {"a", 1 << 40,
		math.Inf(1)}}}
	var out bytes.Buffer
	if err := Write(&out, s.Typed(), "1.2.3", s.Rows); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name  string   `parquet:"name"`
		Count int64    `parquet:"count"`
		Km    *float64 `parquet:"km"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	for i, want := range []row{{Name: "a", Count: 3}, {Name: "b", Count: -1}, {Name: "a", Count: 1 << 40}} {
		if got := rows[i]; got.Name != want.Name || got.Count != want.Count || (got.Km != nil) != (i == 0) || i == 0 &&
			*got.Km != 0.5 {
			t.Errorf("row %d is %+v", i, got)
		}
	}
	out.Reset()
	if err := Write(&out, (&table.Sheet{Name: "s", Columns: columns}).Typed(), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || file.NumRows() != 0 || len(file.Schema().Columns()) != 3 {
		t.Errorf("an empty sheet: %v", err)
	}
}
