package terminal

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
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
// columns. A column is beside the one before it where both fit. Unless all columns are wanted, the second one of a
// block may lack those beside it.
func fit(limit int, columns []table.Cells, all bool) (blocks [][]filled) {
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
				alone := slices.Concat(block, others[:1])
				if !all && len(block) == len(led)+1 && width(alone) <= limit {
					block, others = alone, others[n:]
				}
				break
			}
			for narrow(more, limit); n > 1 && limit > 0 && width(more) > limit; narrow(more, limit) {
				n--
				more = slices.Concat(block, others[:n])
			}
			block, others = more, others[n:]
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// filled is a column with its cells, the heading first, and its width.
type filled struct {
	cells  []string
	width  int
	words  bool // cells are words, not numbers
	beside bool
}

func fill(c table.Cells) filled {
	f := filled{cells: []string{c.Heading}, beside: c.Beside}
	for _, cell := range c.Cells {
		f.cells = append(f.cells, Escaped(cell))
	}
	f.words = slices.ContainsFunc(c.Cells, hasLetter) && !slices.ContainsFunc(c.Cells, startsWithNumber)
	for _, cell := range f.cells {
		f.width = max(f.width, utf8.RuneCountInString(cell))
	}
	return f
}

func hasLetter(cell string) bool { return strings.ContainsFunc(cell, unicode.IsLetter) }

// startsWithNumber reports whether a cell begins with a number, which may have a sign.
func startsWithNumber(cell string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, "+-−±<>.~ "))
	return unicode.IsDigit(first)
}

func width(columns []filled) int {
	sum := -len(Gap)
	for _, c := range columns {
		sum += c.width + len(Gap)
	}
	return sum
}

// narrow reduces the widths of the widest columns of a block until it fits lines of limit characters, as far as that
// breaks no number; 0 for no limit. Cells are broken between words first, then names within words.
func narrow(block []filled, limit int) {
	for _, least := range []func(filled) int{filled.longestWord, filled.part} {
		for limit > 0 && width(block) > limit {
			widest := -1
			for i, c := range block {
				if c.width > least(c) && (widest < 0 || c.width > block[widest].width) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			c := &block[widest]
			c.width = max(least(*c), c.width-(width(block)-limit))
		}
	}
}

// longestWord returns the width of the longest word of the column.
func (f filled) longestWord() int { return f.longest(0) }

// part returns the smallest width of the column where names, which have no digits, are broken within words.
func (f filled) part() int {
	const least = 8
	if f.words {
		return f.longest(least)
	}
	return f.longestWord()
}

// longest returns the width of the longest word of the column. Words without digits count as at most so wide, unless
// that is 0.
func (f filled) longest(name int) (most int) {
	for _, cell := range f.cells {
		for _, word := range textWords(cell) {
			n := utf8.RuneCountInString(word)
			if name > 0 && !strings.ContainsFunc(word, unicode.IsDigit) {
				n = min(n, name)
			}
			most = max(most, n)
		}
	}
	return most
}

// lines breaks a cell into lines that fit the column.
func (f filled) lines(cell string) (lines []string) {
	if utf8.RuneCountInString(cell) <= f.width {
		return []string{cell}
	}
	for _, line := range Wrapped(cell, f.width) {
		for part := range slices.Chunk([]rune(line), f.width) {
			lines = append(lines, string(part))
		}
	}
	return lines
}

// writeBlock prints columns side by side: words left-aligned, numbers right-aligned.
func writeBlock(w io.Writer, columns []filled) error {
	for row := range columns[0].cells {
		cells := make([][]string, len(columns))
		height := 0
		for i, c := range columns {
			cells[i] = c.lines(c.cells[row])
			height = max(height, len(cells[i]))
		}
		for k := range height {
			if _, err := fmt.Fprintln(w, line(columns, cells, k)); err != nil {
				return err
			}
		}
	}
	return nil
}

// line returns the k-th line of a row whose cells are broken into lines.
func line(columns []filled, cells [][]string, k int) string {
	var text strings.Builder
	for i, c := range columns {
		part := ""
		if k < len(cells[i]) {
			part = cells[i][k]
		}
		blanks := strings.Repeat(" ", c.width-utf8.RuneCountInString(part))
		if i > 0 {
			text.WriteString(Gap)
		}
		if c.words {
			text.WriteString(part + blanks)
		} else {
			text.WriteString(blanks + part)
		}
	}
	return strings.TrimRight(text.String(), " ")
}

// Headings returns the meanings of headings for the help, without duplicates.
func Headings[T any](columns []table.Column[T]) string {
	var all list
	for _, c := range columns {
		line := [2]string{c.Heading, option.Expand(cmp.Or(c.Explained, c.Meaning), Flag)}
		if line[0] != "" && line[1] != "" && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all.String()
}
