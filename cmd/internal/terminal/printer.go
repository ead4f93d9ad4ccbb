package terminal

import (
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

	tables, columns, rows, numbers int // left out so far
}

// Print prints the sections of an answer: all, or those for everybody.
func (p *Printer) Print(sections ...table.Section) error {
	for _, s := range sections {
		if s.Full && !p.Full {
			p.tables++
			continue
		}
		err := WriteText(p.To, s.Text)
		switch {
		case err != nil:
		case s.Table != nil && (p.Full || s.Whole):
			err = writeTable(p.To, s.Table)
		case s.Table != nil:
			err = p.brief(s.Table)
		case s.Numbers != nil:
			err = p.quantities(s.Numbers, strings.Fields(s.Main))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// brief prints the columns that fit a line and at most mostRows rows.
func (p *Printer) brief(t table.Printable) error {
	columns, left := t.Shown(mostRows)
	p.rows += left
	blocks := fit(columnsOf(p.To), columns)
	if len(blocks) == 0 || len(columns[0].Cells) == 0 {
		return nil
	}
	p.columns += len(columns) - len(blocks[0])
	return writeBlock(p.To, blocks[0])
}

// quantities prints all quantities with their meanings, or only the named ones without meanings.
func (p *Printer) quantities(all quantity.List, names []string) error {
	if p.Full {
		return writeQuantities(p.To, all)
	}
	brief := slices.DeleteFunc(slices.Clone(all), func(q quantity.Named) bool { return !slices.Contains(names, q.Name) })
	for i := range brief {
		brief[i].Meaning = ""
	}
	p.numbers += len(all) - len(brief)
	return writeQuantities(p.To, brief)
}

// Left says what was left out; empty for nothing.
func (p *Printer) Left() string {
	var more []string
	for _, l := range []struct {
		n    int
		noun string
	}{{p.tables, "table"}, {p.columns, "column"}, {p.rows, "row"}, {p.numbers, "number"}} {
		if l.n > 0 {
			more = append(more, Count(l.n, "more "+l.noun))
		}
	}
	if p.numbers > 0 {
		more = append(more, "their meanings")
	}
	return strings.Join(more, ", ")
}
