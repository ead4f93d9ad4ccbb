package parquet

import (
	"io"

	"veilpath/internal/table"
	"veilpath/planner/columnar"
)

// checkBounds checks that all lengths in a file are possible for a table with this number of rows, and reads no
// more than such a table has. columns are the columns to read. The Parquet library trusts the lengths in a file,
// so they are checked before it reads the file.
func checkBounds[T any](file io.ReaderAt, size, rows int64, columns []table.Column[T]) error {
	layout := &columnar.Layout{Rows: rows, GroupRows: rowsPerGroup}
	for i := range columns {
		layout.Columns = append(layout.Columns, columns[i].Name)
	}
	return columnar.Contents{Layout: layout}.Check(file, size)
}
