package parquet

import (
	"io"

	"veilpath/internal/table"
)

// WriteSheet writes a sheet; version is the program's. What is no number is null.
func WriteSheet(w io.Writer, s *table.Sheet, version string) error {
	return Write(w, s.Typed(), version, s.Rows)
}
