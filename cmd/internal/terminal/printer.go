package terminal

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"veilpath/internal/table"
)

// Printer prints answers for people: everything, or the most important part.
type Printer struct {
	To   io.Writer
	Full bool // print everything

	left    omitted
	columns int // left out so far
}

// part is a section that is printed, before it is laid out in lines.
type part struct {
	text    string
	columns []table.Cells
	numbers table.List // with their values as text
}

// omitted counts what is left out.
type omitted struct{ tables, rows, numbers int }

// parts returns what is printed of the sections of an answer.
func (p *Printer) parts(sections []table.Section) (parts []part) {
	for _, s := range sections {
		if s.Full && !p.Full {
			p.left.tables++
			continue
		}
		next := part{text: s.Text}
		switch {
		case s.Table != nil && p.Full:
			next.columns, _ = s.Table.Shown(0)
		case s.Table != nil:
			var left int
			next.columns, left = s.Table.Shown(table.MostRows)
			p.left.rows += left
		case s.Numbers != nil:
			next.numbers = shown(s.Numbers, p.Full, strings.Fields(s.Main))
			p.left.numbers += len(s.Numbers) - len(next.numbers)
		}
		parts = append(parts, next)
	}
	return parts
}

// shown returns all quantities with their meanings, or only the named ones without meanings. Values become text.
func shown(all table.List, full bool, names []string) (some table.List) {
	for _, q := range all {
		switch {
		case full:
			some.Add(q.Name, valueText(q.Value), q.Meaning)
		case slices.Contains(names, q.Name):
			some.Add(q.Name, valueText(q.Value), "")
		}
	}
	return some
}

// An answer that is not whole has at most mostLines lines, unless that leaves fewer than fewestRows rows of a table.
const mostLines, fewestRows = 24, 5

// Print prints the sections of an answer in lines that fit the writer: all, or those for everybody. Of a table that is
// not whole it prints the columns that fit a line, and rows for which there is room.
func (p *Printer) Print(sections ...table.Section) error {
	parts, room := p.parts(sections), mostLines
	for _, part := range parts {
		room -= p.height(func(w io.Writer) error {
			return errors.Join(WriteText(w, part.text), writeQuantities(w, part.numbers))
		})
	}
	for _, part := range parts {
		blocks := fit(columnsOf(p.To), part.columns, p.Full)
		if len(blocks) > 0 && len(part.columns[0].Cells) == 0 {
			blocks = nil // a table without rows
		}
		if len(blocks) > 0 && !p.Full {
			p.columns += len(part.columns) - len(blocks[0])
			blocks = blocks[:1]
			lines := p.height(func(w io.Writer) error { return writeBlocks(w, blocks) })
			rows := len(blocks[0][0].cells) - 1 // below the heading
			if most := max(fewestRows, room*(rows+1)/lines-1); lines > room && most < rows {
				p.left.rows += rows - most
				shorten(blocks[0], most)
			}
			room -= lines
		}
		if err := errors.Join(WriteText(p.To, part.text), writeBlocks(p.To, blocks),
			writeQuantities(p.To, part.numbers)); err != nil {
			return err
		}
	}
	return nil
}

// height returns the number of lines that are printed.
func (p *Printer) height(write func(w io.Writer) error) int {
	var lines bytes.Buffer
	write(&Output{Writer: &lines, Columns: columnsOf(p.To)})
	return bytes.Count(lines.Bytes(), []byte("\n"))
}

// shorten keeps the headings of a block and a number of rows, spread evenly from the first to the last.
func shorten(block []filled, most int) {
	for i := range block {
		all := block[i].cells
		block[i].cells = all[:1:1]
		for _, row := range table.Spread(len(all)-1, most) {
			block[i].cells = append(block[i].cells, all[1+row])
		}
	}
}

// Left says what was left out; empty for nothing.
func (p *Printer) Left() string {
	var more []string
	for _, l := range []struct {
		n    int
		noun string
	}{{p.left.tables, "table"}, {p.columns, "column"}, {p.left.rows, "row"}, {p.left.numbers, "number"}} {
		if l.n > 0 {
			more = append(more, table.Count(l.n, "more "+l.noun))
		}
	}
	text := strings.Join(more, ", ")
	if p.left.numbers > 0 {
		text += " and their meanings"
	}
	return text
}
