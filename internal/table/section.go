package table

import "fmt"

// MostRows is the largest number of rows of a table that people read who do not ask for everything.
const MostRows = 8

// Section is a section of an answer as people read it: sentences, and a table below them.
type Section struct {
	Text  string    // lines
	Table Printable // nil for none
	Full  bool      // it is shown only to people who ask for everything
}

// Printable is a table with rows of any type, as terminals print it.
type Printable interface {
	// Shown returns the columns that people read, with all rows, or with at most so many of those that matter most if
	// most is above 0, and the number of rows left out.
	Shown(most int) (columns []Cells, left int)
}

// Cells is a column of a table as people read it.
type Cells struct {
	Heading      string
	Cells        []string
	Lead, Beside bool // as in Column
}

// Shown implements Printable. It spreads the rows that it keeps evenly from the first to the last.
func (t Table[T]) Shown(most int) (columns []Cells, left int) {
	rows := t.Rows
	if most > 0 && t.Main != nil {
		rows = t.Main
	}
	rows = spread(rows, most)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Heading == "" {
			continue
		}
		cells := make([]string, len(rows))
		for k := range rows {
			cells[k] = c.Shown(&rows[k])
		}
		columns = append(columns, Cells{c.Heading, cells, c.Lead, c.Beside})
	}
	return columns, len(t.Rows) - len(rows)
}

// spread returns at most so many rows, evenly spaced, with the first and the last one; all if most is 0.
func spread[T any](rows []T, most int) (kept []T) {
	if most == 0 {
		return rows
	}
	for _, i := range Spread(len(rows), most) {
		kept = append(kept, rows[i])
	}
	return kept
}

// Spread returns at most k evenly spaced indices below n, with both ends; k is at least 2.
func Spread(n, k int) []int {
	places := make([]int, min(n, k))
	for i := range places {
		places[i] = i
		if n > k {
			places[i] = i * (n - 1) / (k - 1)
		}
	}
	return places
}

// Shown implements Printable.
func (s *Sheet) Shown(most int) (columns []Cells, left int) {
	return Table[Row]{Columns: s.Typed(), Rows: s.Rows}.Shown(most)
}

// First moves the columns with the given headings, each with its Beside columns, directly after the lead columns, so
// that a narrow terminal shows them. It leaves out columns without a heading.
func (t Table[T]) First(headings ...string) Table[T] {
	var led, rest []Column[T]
	moved := make([][]Column[T], len(headings))
	to := &rest
	for _, c := range t.Columns {
		if c.Heading == "" {
			continue
		}
		if !c.Lead && !c.Beside {
			to = &rest
			for i, heading := range headings {
				if c.Heading == heading {
					to = &moved[i]
				}
			}
		}
		if c.Lead {
			led = append(led, c)
		} else {
			*to = append(*to, c)
		}
	}
	for _, columns := range moved {
		led = append(led, columns...)
	}
	t.Columns = append(led, rest...)
	return t
}

// Count returns a number and a noun, in the plural unless the number is 1.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Plain is a table of texts that is made for a screen. Each row has a text for every heading.
type Plain struct {
	Headings []string
	Rows     [][]string
	Lead     int // number of first columns that identify a row
}

// Shown implements Printable.
func (p Plain) Shown(most int) (columns []Cells, left int) {
	rows := spread(p.Rows, most)
	for i, heading := range p.Headings {
		c := Cells{Heading: heading, Lead: i < p.Lead}
		for _, row := range rows {
			c.Cells = append(c.Cells, row[i])
		}
		columns = append(columns, c)
	}
	return columns, len(p.Rows) - len(rows)
}
