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

// StoppedError is the error of work that ended before its answer was complete. The folder keeps the finished pieces,
// and the same work goes on after them.
type StoppedError struct {
	Folder   string // empty for work in memory, which keeps nothing
	Kept     int    // number of pieces kept
	Work     Kind   // that was done last
	Done, Of int    // units of it; Of is an estimate, or negative if it is unknown
	Err      error  // the cause; context.Canceled after an interruption
}

// Error returns the cause and how much is kept.
func (e *StoppedError) Error() string {
	done := fmt.Sprintf("%d %s", e.Done, e.Work)
	if e.Of > 0 {
		done = fmt.Sprintf("%d of %d %s", e.Done, e.Of, e.Work)
	}
	switch {
	case !e.Interrupted() && e.Done == 0:
		return fmt.Sprintf("%v; finished results are kept in %s", e.Err, e.Folder)
	case !e.Interrupted():
		return fmt.Sprintf("%v; %s are kept in %s", e.Err, done, e.Folder)
	case e.Kept == 0 && e.Folder != "", e.Done == 0:
		return "interrupted before anything was finished"
	case e.Folder == "":
		return "interrupted after " + done
	}
	return "interrupted after " + done + "; they are in " + e.Folder
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Interrupted reports whether the end of the context stopped the work.
func (e *StoppedError) Interrupted() bool { return errors.Is(e.Err, context.Canceled) }

// UnmetError is the error of a study that flew the maximum number of runs without reaching the requested
// half-width for every mean.
type UnmetError struct {
	UntilKm float64
	Runs    int // maximum number per mean
	Unmet   int // means with a larger half-width
	Means   int // of all epsilons at all points
	Points  int
}

// Error returns the number of means with a larger half-width.
func (e *UnmetError) Error() string { return e.Text(option.Bare) }

// Text returns the error with the names of options as write writes them.
func (e *UnmetError) Text(write func(name string) string) string {
	where := ""
	if e.Points > 1 {
		where = " over the points of the sweep"
	}
	return fmt.Sprintf("not known to %g km after %s, the most allowed: the mean of %d of %s%s; allow more with %s %d",
		e.UntilKm, table.Count(e.Runs, "run"), e.Unmet, table.Count(e.Means, "epsilon"), where, write("runs"), 10*e.Runs)
}
