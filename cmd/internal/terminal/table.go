package terminal

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"veilpath/internal/option"
	"veilpath/internal/table"
)

const (
	Width = 80   // characters of the terminals that tables must fit
	Gap   = "  " // between columns
)

// WriteTable prints the columns of rows that have a heading, right-aligned. The lead columns come first; those that do
// not fit beside them follow below, with the lead columns again.
func WriteTable[T any](w io.Writer, columns []table.Column[T], rows []T) error {
	var led, others []filled
	for _, c := range columns {
		switch {
		case c.Heading == "":
		case c.Lead:
			led = append(led, fill(&c, rows))
		default:
			others = append(others, fill(&c, rows))
		}
	}
	for first := true; len(others) > 0; first = false {
		if !first {
			fmt.Fprintln(w)
		}
		block := led
		for len(others) > 0 {
			n := 1
			for n < len(others) && others[n].beside {
				n++
			}
			more := append(block[:len(block):len(block)], others[:n]...)
			if len(block) > len(led) && width(more) > Width {
				break
			}
			block, others = more, others[n:]
		}
		if err := writeBlock(w, block); err != nil {
			return err
		}
	}
	return nil
}

// filled is a column with its cells, the heading first, and how wide they are.
type filled struct {
	cells  []string
	width  int
	beside bool
}

func fill[T any](c *table.Column[T], rows []T) filled {
	f := filled{cells: []string{c.Heading}, beside: c.Beside}
	for k := range rows {
		f.cells = append(f.cells, c.Shown(&rows[k]))
	}
	for _, cell := range f.cells {
		f.width = max(f.width, utf8.RuneCountInString(cell))
	}
	return f
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

// Headings explains the columns whose heading does not say it all, each once, for the help.
func Headings[T any](columns []table.Column[T]) string {
	var lines [][2]string
	wide := 0
	for _, c := range columns {
		meaning := option.Expand(cmp.Or(c.Explained, c.Meaning), flag)
		line := [2]string{c.Heading, meaning}
		if c.Heading != "" && meaning != "" && !slices.Contains(lines, line) {
			lines, wide = append(lines, line), max(wide, len(c.Heading))
		}
	}
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = fmt.Sprintf("  %-*s  %s", wide, line[0], line[1])
	}
	return strings.Join(text, "\n")
}
