package campaign

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"veilpath/internal/option"
)

// RequestError is a mistake in what was requested: nothing was flown or written for it.
type RequestError struct{ Err error }

// Error says what is wrong and what to do.
func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// mistake is a RequestError whose format may name options, as that of [option.Errorf].
func mistake(format string, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok && strings.ContainsFunc(text, unicode.IsControl) {
			args[i] = strconv.Quote(text) // what was typed may not break the line
		}
	}
	return &RequestError{option.Errorf(format, args...)}
}

// StoppedError is a session that ended before its study did. What it flew is kept in the folder, and the
// study goes on from there when it is resumed.
type StoppedError struct {
	Folder string // empty for a study in memory, of which nothing is kept
	Kept   int    // flights
	Of     int    // flights of the whole study, or an estimate
	Err    error  // why; context.Canceled when it was interrupted
}

// Error says what stopped the session and what is kept.
func (e *StoppedError) Error() string {
	switch {
	case !e.Interrupted():
		return fmt.Sprintf("%v; the journal in %s keeps %s", e.Err, e.Folder, count(e.Kept, "flight"))
	case e.Kept == 0:
		return "interrupted before any flight was done"
	case e.Folder == "":
		return fmt.Sprintf("interrupted after %d of %s", e.Kept, count(e.Of, "flight"))
	}
	return fmt.Sprintf("interrupted after %d of %s; they are in %s", e.Kept, count(e.Of, "flight"), e.Folder)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Interrupted reports whether the end of the context stopped the session.
func (e *StoppedError) Interrupted() bool { return errors.Is(e.Err, context.Canceled) }

// UnmetError is a study that flew as many runs as were allowed and does not know every mean to the half-width
// asked for.
type UnmetError struct {
	Folder  string // empty for a study in memory
	UntilKm float64
	Runs    int // allowed per mean
	Unmet   int // means that are not known so well
	Means   int // of all epsilons at all points
	Points  int
}

// Error says how many means are not known well enough.
func (e *UnmetError) Error() string {
	where := ""
	if e.Points > 1 {
		where = " over the points of the sweep"
	}
	text := fmt.Sprintf("not known to %g km after %s, the most allowed: the mean of %d of %s%s",
		e.UntilKm, count(e.Runs, "run"), e.Unmet, count(e.Means, "epsilon"), where)
	if e.Folder != "" {
		text += "; the results are in " + e.Folder
	}
	return text
}

// UnfinishedError is a study on disk, or a part of one, that must be finished first.
type UnfinishedError struct {
	Folder string
	What   string // is unfinished
}

// Error names the folder.
func (e *UnfinishedError) Error() string { return fmt.Sprintf("%s: %s", e.Folder, e.What) }

// count says how many there are of something.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
