package terminal

import (
	"fmt"
	"io"

	"veilpath/internal/table"
)

// WriteSheets prints sheets with rows, separated by empty lines.
func WriteSheets(w io.Writer, sheets ...*table.Sheet) error {
	first := true
	for _, s := range sheets {
		if len(s.Rows) == 0 {
			continue
		}
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		if err := WriteTable(w, s.Typed(), s.Rows); err != nil {
			return err
		}
	}
	return nil
}
