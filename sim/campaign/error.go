package campaign

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"veilpath/internal/option"
	"veilpath/internal/table"
)

// RequestError is an error in a request. Nothing was flown or written.
type RequestError struct{ Err error }

func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// RequestErrorf returns a RequestError. The format may name options, see [option.Errorf].
func RequestErrorf(format string, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok && strings.ContainsFunc(text, unicode.IsControl) {
			args[i] = strconv.Quote(text) // control characters in user input must not break the line
		}
	}
	return &RequestError{option.Errorf(format, args...)}
}

// StoppedError is the error of a session that ended before its study was complete. The folder keeps its flights,
// and resuming the study continues after them.
type StoppedError struct {
	Folder string // empty for a study in memory, which keeps nothing
	Kept   int    // flights kept and counted
	Pieces int    // pieces kept, also of flights that are not counted yet
	Of     int    // flights of the whole study, or an estimate
	Err    error  // the cause; context.Canceled after an interruption
}

// Error returns the cause and the number of flights kept.
func (e *StoppedError) Error() string {
	switch {
	case !e.Interrupted():
		return fmt.Sprintf("%v; %s keeps %s", e.Err, e.Folder, table.Count(e.Kept, "flight"))
	case e.Pieces == 0 && e.Folder != "", e.Kept == 0 && e.Folder == "":
		return "interrupted before the first flight was finished"
	case e.Folder == "":
		return fmt.Sprintf("interrupted after %d of %s", e.Kept, table.Count(e.Of, "flight"))
	}
	return fmt.Sprintf("interrupted after %d of %s; they are in %s", e.Kept, table.Count(e.Of, "flight"), e.Folder)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Interrupted reports whether the end of the context stopped the session.
func (e *StoppedError) Interrupted() bool { return errors.Is(e.Err, context.Canceled) }

// UnmetError is the error of a study that flew the maximum number of runs without reaching the requested
// half-width for every mean.
type UnmetError struct {
	Folder  string // empty for a study in memory
	UntilKm float64
	Runs    int // maximum number per mean
	Unmet   int // means with a larger half-width
	Means   int // of all epsilons at all points
	Points  int
}

// Error returns the number of means with a larger half-width.
func (e *UnmetError) Error() string {
	where := ""
	if e.Points > 1 {
		where = " over the points of the sweep"
	}
	text := fmt.Sprintf("not known to %g km after %s, the most allowed: the mean of %d of %s%s",
		e.UntilKm, table.Count(e.Runs, "run"), e.Unmet, table.Count(e.Means, "epsilon"), where)
	if e.Folder != "" {
		text += "; the results are in " + e.Folder
	}
	return text
}

// UnfinishedError is the error for an unfinished study on disk, or an unfinished part.
type UnfinishedError struct {
	Folder string
	What   string // message after the folder
}

func (e *UnfinishedError) Error() string { return fmt.Sprintf("%s: %s", e.Folder, e.What) }
