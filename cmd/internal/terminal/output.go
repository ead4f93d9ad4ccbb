package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

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
