package parquet

import (
	"io"

	"veilpath/internal/table"
	"veilpath/planner/columnar"
)

// checkBounds refuses a file whose lengths are not those of a table of so many rows, by reading as much of it as such a
// table has and no more. The columns given are those to be read. The Parquet library believes what a file says of its
// own lengths, so all of them are checked before it sees the file.
func checkBounds[T any](file io.ReaderAt, size, rows int64, columns []table.Column[T]) error {
	own := &columnar.Own{Rows: rows, GroupRows: rowsPerGroup}
	for i := range columns {
		own.Columns = append(own.Columns, columns[i].Name)
	}
	return columnar.Contents{Own: own}.Check(file, size)
}
