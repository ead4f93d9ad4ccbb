package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// output is standard output. It remembers why it could not be written and takes the rest in silence, so that
// files are finished all the same and every verb's failure to print is told once, in one place.
type output struct {
	io.Writer
	err error
}

// Write never fails; see failure.
func (o *output) Write(text []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.Writer.Write(text)
	}
	return len(text), nil
}

// failure is the error of the first text that could not be written.
func (o *output) failure() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("standard output is cut short: %w; make room there, or send it elsewhere", innermost(o.err))
}

// isTerminal reports whether what is written there is for a person to read at once.
func isTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
