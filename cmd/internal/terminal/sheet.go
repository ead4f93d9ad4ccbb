package terminal

import (
	"fmt"
	"io"

	"veilpath/internal/table"
)

// WriteSheet prints a sheet's columns that people see.
func WriteSheet(w io.Writer, s *table.Sheet) error {
	var lead, others []Column[int]
	rows := make([]int, len(s.Rows))
	for i := range rows {
		rows[i] = i
	}
	for _, i := range s.Seen() {
		c := Column[int]{Heading: s.Columns[i].Heading, Beside: s.Columns[i].Beside,
			Cell: func(row *int) string { return s.Cell(*row, i) }}
		if s.Columns[i].Lead {
			lead = append(lead, c)
		} else {
			others = append(others, c)
		}
	}
	return WriteTable(w, lead, others, rows)
}

// WriteSheets prints sheets that have rows, with an empty line before each but the first.
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
		if err := WriteSheet(w, s); err != nil {
			return err
		}
	}
	return nil
}

// SheetHeadings explains the columns that people see and that do not lead, for the help.
func SheetHeadings(columns []table.SheetColumn) string {
	var all []Column[int]
	for _, c := range columns {
		if c.Heading != "" && !c.Lead {
			all = append(all, Column[int]{Heading: c.Heading, Meaning: c.Meaning})
		}
	}
	return Headings(all)
}
