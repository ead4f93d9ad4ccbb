package parquet

import (
	"io"

	"veilpath/internal/table"
)

// WriteSheet writes a sheet; version is the program's. What is no number is null.
func WriteSheet(w io.Writer, s *table.Sheet, version string) error {
	columns := make([]table.Column[[]any], len(s.Columns))
	for i, c := range s.Columns {
		columns[i] = sheetColumn(s, i, c)
	}
	return Write(w, columns, version, s.Rows)
}

// sheetColumn returns a column of a sheet, whose kind is that of its first cell.
func sheetColumn(s *table.Sheet, i int, c table.SheetColumn) table.Column[[]any] {
	column := table.Column[[]any]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning}
	var first any = 0.0
	if len(s.Rows) > 0 {
		first = s.Rows[0][i]
	}
	switch first.(type) {
	case string:
		column.Text, column.Repeats = func(row *[]any) string { return (*row)[i].(string) }, true
	case int:
		column.Value, column.Whole = func(row *[]any) float64 { return float64((*row)[i].(int)) }, true
	default:
		column.Value, column.Open = func(row *[]any) float64 { return (*row)[i].(float64) }, true
	}
	return column
}
