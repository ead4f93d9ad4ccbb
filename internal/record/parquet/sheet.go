package parquet

import (
	"io"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// WriteSheet writes a sheet; version is the program's. What is no number is null.
func WriteSheet(w io.Writer, s *table.Sheet, version string) error {
	columns := make([]column[[]any], len(s.Columns))
	for i, c := range s.Columns {
		columns[i] = sheetColumn(s, i, c)
	}
	return writeTable(w, columns, version, s.Rows)
}

// sheetColumn returns a column of a sheet, whose kind is that of its first cell.
func sheetColumn(s *table.Sheet, i int, c table.SheetColumn) column[[]any] {
	p := column[[]any]{name: c.Name, unit: c.Unit, meaning: c.Meaning}
	var first any = 0.0
	if len(s.Rows) > 0 {
		first = s.Rows[0][i]
	}
	switch first.(type) {
	case string:
		p.kind, p.tag = reflect.TypeFor[string](), ",dict"
		p.put = putting(func(row *[]any) parquet.Value { return parquet.ByteArrayValue([]byte((*row)[i].(string))) })
	case int:
		p.kind, p.put = long, putting(func(row *[]any) parquet.Value { return parquet.Int64Value(int64((*row)[i].(int))) })
	default:
		p.kind, p.nullable = double, true
		p.put = putting(func(row *[]any) parquet.Value {
			if x := (*row)[i].(float64); !math.IsNaN(x) && !math.IsInf(x, 0) {
				return parquet.DoubleValue(x)
			}
			return parquet.NullValue()
		})
	}
	return p
}
