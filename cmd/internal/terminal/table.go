package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Column is a column of a table for people.
type Column[T any] struct {
	Heading string
	Meaning string // for the help; empty where the heading says it all
	Beside  bool   // belongs to the column before and is printed beside it
	Cell    func(*T) string
}

const (
	Width = 80   // characters of the terminals that tables must fit
	Gap   = "  " // between columns
)

// WriteTable prints rows right-aligned. The lead columns come first; those that do not fit beside them follow
// below, with the lead columns again.
func WriteTable[T any](w io.Writer, lead, columns []Column[T], rows []T) error {
	led := fill(lead, rows)
	for first := true; len(columns) > 0; first = false {
		if !first {
			fmt.Fprintln(w)
		}
		block := led
		for len(columns) > 0 {
			n := 1
			for n < len(columns) && columns[n].Beside {
				n++
			}
			more := append(block[:len(block):len(block)], fill(columns[:n], rows)...)
			if len(block) > len(led) && width(more) > Width {
				break
			}
			block, columns = more, columns[n:]
		}
		if err := writeBlock(w, block); err != nil {
			return err
		}
	}
	return nil
}

// filled is a column with its cells, the heading first, and how wide they are.
type filled struct {
	cells []string
	width int
}

func fill[T any](columns []Column[T], rows []T) []filled {
	out := make([]filled, len(columns))
	for i, c := range columns {
		cells := []string{c.Heading}
		for k := range rows {
			cells = append(cells, c.Cell(&rows[k]))
		}
		out[i].cells = cells
		for _, cell := range cells {
			out[i].width = max(out[i].width, utf8.RuneCountInString(cell))
		}
	}
	return out
}

func width(columns []filled) int {
	sum := -len(Gap)
	for _, c := range columns {
		sum += c.width + len(Gap)
	}
	return sum
}

func writeBlock(w io.Writer, columns []filled) error {
	for row := range columns[0].cells {
		var line strings.Builder
		for i, c := range columns {
			if i > 0 {
				line.WriteString(Gap)
			}
			line.WriteString(strings.Repeat(" ", c.width-utf8.RuneCountInString(c.cells[row])))
			line.WriteString(c.cells[row])
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Headings explains the columns that have a meaning, for the help.
func Headings[T any](columns []Column[T]) string {
	var text strings.Builder
	wide := 0
	for _, c := range columns {
		if c.Meaning != "" {
			wide = max(wide, len(c.Heading))
		}
	}
	for _, c := range columns {
		if c.Meaning != "" {
			fmt.Fprintf(&text, "  %-*s  %s\n", wide, c.Heading, c.Meaning)
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}
