package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Output is standard output. It remembers why it could not be written and takes the rest in silence, so that
// files are finished all the same and every verb's failure to print is told once, in one place.
type Output struct {
	io.Writer
	Columns int // characters that fit a line; 0 for any number

	err error
}

// Write never fails; see Failure.
func (o *Output) Write(text []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.Writer.Write(text)
	}
	return len(text), nil
}

// Failure is the error of the first text that could not be written.
func (o *Output) Failure() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("standard output is cut short: %w; make room there, or send it elsewhere", Innermost(o.err))
}

// Interactive reports whether what is written there is for a person to read at once.
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
