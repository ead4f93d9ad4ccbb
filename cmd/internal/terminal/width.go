package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Columns returns the number of characters per line of w: COLUMNS in the environment, or else the width of the
// terminal. It is 0, for no limit, if w is not a terminal and COLUMNS is not set.
func Columns(w io.Writer, environ []string) int {
	const least = 20 // smaller values are ignored
	for _, entry := range slices.Backward(environ) {
		if text, found := strings.CutPrefix(entry, "COLUMNS="); found {
			if n, err := strconv.Atoi(text); err == nil && n >= least {
				return n
			}
			break
		}
	}
	if file, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// replacesLines reports whether a terminal may be shown a line that is replaced: not with NO_COLOR or TERM=dumb.
func replacesLines(environ []string) bool {
	return !slices.ContainsFunc(environ, func(entry string) bool {
		value, colourless := strings.CutPrefix(entry, "NO_COLOR=")
		return entry == "TERM=dumb" || colourless && value != ""
	})
}

// columnsOf returns the number of characters per line of a writer; 0 for no limit.
func columnsOf(w io.Writer) int {
	if o, ok := w.(*Output); ok {
		return o.Columns
	}
	return 0
}

// entry matches the start of a line with a name and its explanation: the name and the blanks around it.
var entry = regexp.MustCompile(`^ +\S+(?: \S+)* {2,}`)

// WriteNote prints sentences in lines that fit a stream of an environment; see Columns.
func WriteNote(w io.Writer, environ []string, text string) {
	WriteText(&Output{Writer: w, Columns: Columns(w, environ)}, text)
}

// WriteText prints sentences. A line that does not fit is broken between words. Its continuation is aligned with
// its first word, or with the explanation if it explains a name.
func WriteText(w io.Writer, text string) error {
	columns := columnsOf(w)
	for line := range strings.Lines(Escaped(text)) {
		line = strings.TrimSuffix(line, "\n")
		if columns > 0 && utf8.RuneCountInString(line) > columns {
			head := entry.FindString(line)
			if head == "" || len(head) > columns/2 {
				head = line[:len(line)-len(strings.TrimLeft(line, " "))]
			}
			indent := "\n" + strings.Repeat(" ", utf8.RuneCountInString(head))
			line = head + strings.Join(Wrapped(line[len(head):], max(columns-len(indent)+1, 1)), indent)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// Wrapped breaks a text between words into lines of at most width characters. A longer word is a line alone.
func Wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range textWords(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// textWords returns the words of a text. A percent sign, and the dots between the ends of an interval, stay with the
// number before them.
func textWords(text string) (words []string) {
	for word := range strings.FieldsSeq(text) {
		if n := len(words); n > 0 && (word[0] == '%' || word == "..") {
			words[n-1] += " " + word
		} else {
			words = append(words, word)
		}
	}
	return words
}

// Output is standard output. After the first error it ignores further text and remembers the error. Files are
// therefore still written, and the error is reported once, for all verbs in one place.
type Output struct {
	io.Writer
	Columns int // characters per line; 0 for no limit

	err error
}

// Write never fails; see Failure.
func (o *Output) Write(text []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.Writer.Write(text)
	}
	return len(text), nil
}

// Failure returns the error of the first failed write, nil for none.
func (o *Output) Failure() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("standard output is incomplete: %w; free some space there, or redirect it", Innermost(o.err))
}

// Interactive reports whether a writer is a terminal.
func Interactive(w io.Writer) bool {
	if o, ok := w.(*Output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Innermost returns the error at the bottom of a chain, such as "address already in use".
func Innermost(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}
