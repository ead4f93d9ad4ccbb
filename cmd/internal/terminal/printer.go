// Package terminal contains the printing and the flags that verbs of the command line share.
//
// A Printer prints the sections of answers within the width of the terminal.
// Whole and Number are flags for numbers, with the syntax of settings. Progress shows the progress of a long job,
// Output remembers the first error of printing, and ReadAtMost ends with its context. FlagError and NoSuchVerb
// describe errors of a command line in one line.
//
// # Assumptions and limitations
//
// A terminal of unknown width counts as 80 columns wide.
package terminal

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"veilpath/internal/table"
)

// Printer prints answers for people: everything, or the most important part.
type Printer struct {
	To   io.Writer
	Full bool // print everything

	left omitted
}

// part is a section that is printed, before it is laid out in lines.
type part struct {
	text    string
	columns []table.Cells
}

// omitted counts what is left out.
type omitted struct{ tables, rows, columns int }

// parts returns what is printed of the sections of an answer.
func (p *Printer) parts(sections []table.Section) (parts []part) {
	most := table.MostRows
	if p.Full {
		most = 0
	}
	for _, s := range sections {
		if s.Full && !p.Full {
			p.left.tables++
			continue
		}
		next := part{text: s.Text}
		if s.Table != nil {
			var left int
			if next.columns, left = s.Table.Shown(most); !p.Full {
				p.left.rows += left
			}
		}
		parts = append(parts, next)
	}
	return parts
}

// An answer that is not whole has at most mostLines lines, unless that leaves fewer than fewestRows rows of a table.
const mostLines, fewestRows = 24, 5

// Print prints the sections of an answer in lines that fit the writer: all, or those for everybody. Of a table that is
// not whole it prints the columns that fit a line, and rows for which there is room.
func (p *Printer) Print(sections ...table.Section) error {
	parts, room := p.parts(sections), mostLines
	for _, part := range parts {
		room -= p.height(func(w io.Writer) error { return WriteText(w, part.text) })
	}
	for _, part := range parts {
		blocks := fit(columnsOf(p.To), part.columns, p.Full)
		if len(blocks) > 0 && len(part.columns[0].Cells) == 0 {
			blocks = nil // a table without rows
		}
		if len(blocks) > 0 && !p.Full {
			p.left.columns += len(part.columns) - len(blocks[0])
			blocks = blocks[:1]
			lines := p.height(func(w io.Writer) error { return writeBlocks(w, blocks) })
			rows := len(blocks[0][0].cells) - 1 // below the heading
			if most := max(fewestRows, room*(rows+1)/lines-1); lines > room && most < rows {
				p.left.rows += rows - most
				shorten(blocks[0], most)
			}
			room -= lines
		}
		if err := errors.Join(WriteText(p.To, part.text), writeBlocks(p.To, blocks)); err != nil {
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
	}{{p.left.tables, "table"}, {p.left.columns, "column"}, {p.left.rows, "row"}} {
		if l.n > 0 {
			more = append(more, table.Count(l.n, "more "+l.noun))
		}
	}
	return strings.Join(more, ", ")
}
