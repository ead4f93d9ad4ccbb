package terminal

import (
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

// ShowsBars reports whether an environment allows a progress bar: not with NO_COLOR or TERM=dumb.
func ShowsBars(environ []string) bool {
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
