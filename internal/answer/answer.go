// Package answer defines an answer as data: sentences, tables, figures and files. Terminals, CSV, JSON, pages and
// folders of results show the same [Answer].
package answer

import (
	"io"
	"strings"

	"veilpath/internal/figure"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Answer is the answer to a question.
type Answer struct {
	Words []string        // sentences; the first one answers the question
	Table table.Printable // the table that people read; nil for none
	Notes []string        // sentences without which the numbers would be read wrongly
	More  []table.Section // further tables, most of them for people who ask for everything

	CSV, JSON File                             // what programs read
	Files     map[string]func(io.Writer) error // further files, by name
	Figures   map[string]*figure.Figure        // by name; each is written as .png and .svg
	Page      Page
	// Stream writes files that are too large for memory, before the other files; nil for none. It may add figures.
	Stream func(write func(name string, content func(io.Writer) error) error) error

	Facts record.Facts // what the manifest says of the answer
	// Workers is the number of workers that found the answer; 0 for those of the settings.
	Workers int

	Effort string // what was done, such as "200 runs"; empty if the answer says it
	Next   Next
	Unmet  error // demand that the answer does not meet; nil if it meets all
}

// File is the answer in a format. With a name it is also a file of the folder.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// Page is a page of an answer that shows sheets in place of the printed tables. It is always written. The zero value is
// a page that is written if it is requested.
type Page struct {
	Kicker string // heading above the title
	Sheets []*table.Sheet
	Made   string // how the results were made
}

// Next is what to do with an answer. Its texts may name options, see package option, and {folder} is the folder of the
// answer.
type Next struct {
	Files    []Named  // those to look at
	Command  []string // a verb and its arguments, to which the settings of this work are added; nil for none
	Observer []string // the same for a command with a stronger observer; nil for none
}

// Named is a file of a folder and what it shows. Without a file, the text says why there is none.
type Named struct{ Text, File string }

// Sections returns the answer as people read it: words and a table, notes, and the rest for those who ask for
// everything.
func (a *Answer) Sections() []table.Section {
	sections := []table.Section{{Text: strings.Join(a.Words, "\n") + "\n\n", Table: a.Table}}
	if len(a.Notes) > 0 {
		sections = append(sections, table.Section{Text: "\n" + strings.Join(a.Notes, "\n") + "\n"})
	}
	return append(sections, a.More...)
}
