package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// column is a column of a table for people.
type column[T any] struct {
	heading string
	meaning string // for the help; empty where the heading says it all
	beside  bool   // belongs to the column before and is printed beside it
	cell    func(*T) string
}

const (
	tableWidth = 80 // of the terminals that tables must fit
	tableGap   = "  "
)

// writeTable prints rows right-aligned. The lead columns come first; those that do not fit beside them follow
// below, with the lead columns again.
func writeTable[T any](w io.Writer, lead, columns []column[T], rows []T) error {
	led := fill(lead, rows)
	for first := true; len(columns) > 0; first = false {
		if !first {
			fmt.Fprintln(w)
		}
		block := led
		for len(columns) > 0 {
			n := 1
			for n < len(columns) && columns[n].beside {
				n++
			}
			more := append(block[:len(block):len(block)], fill(columns[:n], rows)...)
			if len(block) > len(led) && width(more) > tableWidth {
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

func fill[T any](columns []column[T], rows []T) []filled {
	out := make([]filled, len(columns))
	for i, c := range columns {
		cells := []string{c.heading}
		for k := range rows {
			cells = append(cells, c.cell(&rows[k]))
		}
		out[i].cells = cells
		for _, cell := range cells {
			out[i].width = max(out[i].width, utf8.RuneCountInString(cell))
		}
	}
	return out
}

func width(columns []filled) int {
	sum := -len(tableGap)
	for _, c := range columns {
		sum += c.width + len(tableGap)
	}
	return sum
}

func writeBlock(w io.Writer, columns []filled) error {
	for row := range columns[0].cells {
		var line strings.Builder
		for i, c := range columns {
			if i > 0 {
				line.WriteString(tableGap)
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

// headings explains the columns that have a meaning, for the help.
func headings[T any](columns []column[T]) string {
	var text strings.Builder
	wide := 0
	for _, c := range columns {
		if c.meaning != "" {
			wide = max(wide, len(c.heading))
		}
	}
	for _, c := range columns {
		if c.meaning != "" {
			fmt.Fprintf(&text, "  %-*s  %s\n", wide, c.heading, c.meaning)
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// decimals writes a number with so many decimals; a question mark where there is none.
func decimals(x float64, n int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "?"
	}
	return fmt.Sprintf("%.*f", n, x)
}

// percent writes a share.
func percent(share float64) string { return decimals(100*share, 1) + " %" }

// span writes an interval.
func span(low, high float64, n int) string { return decimals(low, n) + " .. " + decimals(high, n) }
