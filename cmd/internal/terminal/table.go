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
	usual = 80   // characters per line of a terminal of unknown width
	Gap   = "  " // between columns
)

// writeBlocks prints blocks of columns, one below the other.
func writeBlocks(w io.Writer, blocks [][]filled) error {
	for i, block := range blocks {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := writeBlock(w, block); err != nil {
			return err
		}
	}
	return nil
}

// fit arranges columns in blocks that fit lines of limit characters; 0 for no limit. Each block begins with the lead
// columns.
func fit(limit int, columns []table.Cells) (blocks [][]filled) {
	var led, others []filled
	for _, c := range columns {
		if c.Lead {
			led = append(led, fill(c))
		} else {
			others = append(others, fill(c))
		}
	}
	for len(others) > 0 {
		block := slices.Clone(led)
		for len(others) > 0 {
			n := 1
			for n < len(others) && others[n].beside {
				n++
			}
			more := slices.Concat(block, others[:n])
			if len(block) > len(led) && limit > 0 && width(more) > limit {
				break
			}
			block, others = more, others[n:]
		}
		narrow(block, limit)
		blocks = append(blocks, block)
	}
	return blocks
}

// filled is a column with its cells, the heading first, and its width.
type filled struct {
	cells  []string
	width  int
	beside bool
}

func fill(c table.Cells) filled {
	f := filled{cells: append([]string{c.Heading}, c.Cells...), beside: c.Beside}
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

// narrow shortens the cells of the widest columns of a block until it fits lines of limit characters; 0 for no
// limit.
func narrow(block []filled, limit int) {
	const least = 6 // smallest width of a column
	for limit > 0 && width(block) > limit {
		widest := 0
		for i := range block {
			if block[i].width > block[widest].width {
				widest = i
			}
		}
		c := &block[widest]
		if c.width <= least {
			return
		}
		c.width = max(least, c.width-(width(block)-limit))
		c.cells = slices.Clone(c.cells)
		for i, cell := range c.cells {
			if letters := []rune(cell); len(letters) > c.width {
				c.cells[i] = string(letters[:c.width-1]) + "…"
			}
		}
	}
}

// writeBlock prints columns side by side, right-aligned.
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

// Headings returns the meanings of headings for the help, without duplicates.
func Headings[T any](columns []table.Column[T]) string {
	var lines [][2]string
	wide := 0
	for _, c := range columns {
		meaning := option.Expand(cmp.Or(c.Explained, c.Meaning), Flag)
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
