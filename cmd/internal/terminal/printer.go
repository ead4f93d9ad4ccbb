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

	left    Omitted
	columns int // left out so far
}

// Page is an answer, or the most important part of it, before it is laid out in lines. Package json writes and reads
// it, so that it can be printed again at any width.
type Page struct {
	Parts []PagePart
	Left  Omitted
}

// PagePart is a part of a page: sentences, and below them a table or numbers.
type PagePart struct {
	Text    string
	Columns []table.Cells `json:",omitempty"`
	Whole   bool          `json:",omitempty"` // columns that do not fit a line follow below
	Numbers table.List    `json:",omitempty"` // with their values as text
}

// Omitted counts what a page leaves out.
type Omitted struct{ Tables, Rows, Numbers int }

// NewPage returns the page with all of the sections of an answer, or with those for everybody.
func NewPage(full bool, sections ...table.Section) (p Page) {
	for _, s := range sections {
		if s.Full && !full {
			p.Left.Tables++
			continue
		}
		part := PagePart{Text: s.Text, Whole: full}
		switch {
		case s.Table != nil && part.Whole:
			part.Columns, _ = s.Table.Shown(0)
		case s.Table != nil:
			var left int
			part.Columns, left = s.Table.Shown(table.MostRows)
			p.Left.Rows += left
		case s.Numbers != nil:
			part.Numbers = shown(s.Numbers, full, strings.Fields(s.Main))
			p.Left.Numbers += len(s.Numbers) - len(part.Numbers)
		}
		p.Parts = append(p.Parts, part)
	}
	return p
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

// Print prints the sections of an answer: all, or those for everybody.
func (p *Printer) Print(sections ...table.Section) error {
	return p.PrintPage(NewPage(p.Full, sections...))
}

// An answer that is not whole has at most mostLines lines, unless that leaves fewer than fewestRows rows of a table.
const mostLines, fewestRows = 40, 5

// PrintPage prints a page in lines that fit the writer. Of a table that is not whole it prints the columns that fit a
// line, and rows for which there is room.
func (p *Printer) PrintPage(page Page) error {
	room := mostLines
	for _, part := range page.Parts {
		room -= p.height(func(w io.Writer) error {
			return errors.Join(WriteText(w, part.Text), writeQuantities(w, part.Numbers))
		})
	}
	for _, part := range page.Parts {
		blocks := fit(columnsOf(p.To), part.Columns, part.Whole)
		if len(blocks) > 0 && len(part.Columns[0].Cells) == 0 {
			blocks = nil // a table without rows
		}
		if len(blocks) > 0 && !part.Whole {
			p.columns += len(part.Columns) - len(blocks[0])
			blocks = blocks[:1]
			lines := p.height(func(w io.Writer) error { return writeBlocks(w, blocks) })
			rows := len(blocks[0][0].cells) - 1 // below the heading
			if most := max(fewestRows, room*(rows+1)/lines-1); lines > room && most < rows {
				p.left.Rows += rows - most
				shorten(blocks[0], most)
			}
			room -= lines
		}
		if err := errors.Join(WriteText(p.To, part.Text), writeBlocks(p.To, blocks),
			writeQuantities(p.To, part.Numbers)); err != nil {
			return err
		}
	}
	p.left.Tables += page.Left.Tables
	p.left.Rows += page.Left.Rows
	p.left.Numbers += page.Left.Numbers
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
	}{{p.left.Tables, "table"}, {p.columns, "column"}, {p.left.Rows, "row"}, {p.left.Numbers, "number"}} {
		if l.n > 0 {
			more = append(more, table.Count(l.n, "more "+l.noun))
		}
	}
	text := strings.Join(more, ", ")
	if p.left.Numbers > 0 {
		text += " and their meanings"
	}
	return text
}
