package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"veilpath/internal/table"
	"veilpath/planner/quantity"
)

// mostRows is the largest number of rows of a table without --full.
const mostRows = 25

// Printer prints answers for people: everything, or the most important part.
type Printer struct {
	To   io.Writer
	Full bool // print everything

	tables, columns, rows, quantities int // left out so far
}

// Table prints the whole table, or the columns that fit a line and at most mostRows rows.
func Table[T any](p *Printer, columns []table.Column[T], rows []T) error {
	if p.Full {
		return WriteTable(p.To, columns, rows)
	}
	moreColumns, moreRows, err := writeBrief(p.To, columns, rows, mostRows)
	p.columns, p.rows = p.columns+moreColumns, p.rows+moreRows
	return err
}

// Sheets prints all sheets with rows, or only the first of them.
func (p *Printer) Sheets(sheets ...*table.Sheet) error {
	first := true
	for _, s := range sheets {
		switch {
		case len(s.Rows) == 0:
			continue
		case !first && !p.Full:
			p.tables++
			continue
		case !first:
			fmt.Fprintln(p.To)
		}
		first = false
		if err := Table(p, s.Typed(), s.Rows); err != nil {
			return err
		}
	}
	return nil
}

// Say prints sentences, broken into lines that fit.
func (p *Printer) Say(format string, args ...any) error {
	return WriteText(p.To, fmt.Sprintf(format, args...))
}

// Quantities prints all quantities with their meanings, or only the named ones without meanings.
func (p *Printer) Quantities(all quantity.List, names ...string) error {
	if p.Full {
		return writeAnswersTable(p.To, all)
	}
	brief := slices.DeleteFunc(slices.Clone(all), func(q quantity.Named) bool { return !slices.Contains(names, q.Name) })
	for i := range brief {
		brief[i].Meaning = ""
	}
	p.quantities += len(all) - len(brief)
	return writeAnswersTable(p.To, brief)
}

// LeaveOut counts tables and rows that a verb has left out.
func (p *Printer) LeaveOut(tables, rows int) { p.tables, p.rows = p.tables+tables, p.rows+rows }

// Left says what was left out; empty for nothing.
func (p *Printer) Left() string {
	var more []string
	for _, l := range []struct {
		n    int
		noun string
	}{{p.tables, "table"}, {p.columns, "column"}, {p.rows, "row"}, {p.quantities, "number"}} {
		if l.n > 0 {
			more = append(more, Count(l.n, "more "+l.noun))
		}
	}
	if p.quantities > 0 {
		more = append(more, "their meanings")
	}
	return strings.Join(more, ", ")
}

// First moves the columns with the given headings, each with its Beside columns, directly after the lead columns.
func First[T any](columns []table.Column[T], headings ...string) []table.Column[T] {
	var led, moved, rest []table.Column[T]
	groups := map[string][]table.Column[T]{}
	group := ""
	columns = slices.DeleteFunc(slices.Clone(columns), func(c table.Column[T]) bool { return c.Heading == "" })
	for _, c := range columns {
		if c.Lead {
			led = append(led, c)
			continue
		}
		if !c.Beside {
			group = c.Heading
		}
		groups[group] = append(groups[group], c)
	}
	for _, heading := range headings {
		moved = append(moved, groups[heading]...)
		delete(groups, heading)
	}
	for _, c := range columns {
		if !c.Lead && !c.Beside && groups[c.Heading] != nil {
			rest = append(rest, groups[c.Heading]...)
			delete(groups, c.Heading)
		}
	}
	return append(append(led, moved...), rest...)
}
