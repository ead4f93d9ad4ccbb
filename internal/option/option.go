// Package option is errors that name what a caller may set: a field of a request, or a setting. A library does not know
// how its user sets it, so its error has the bare name, and a program that has a flag of that name asks [Text] for
// the error with the flag.
package option

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// named matches an option in a format.
var named = regexp.MustCompile(`\{[a-z][a-z-]*\}`)

// optionError is an error whose format names options.
type optionError struct {
	format string
	args   []any
	plain  error // of the same format and arguments, which knows what they wrap
}

// Errorf is [fmt.Errorf] for a format that names options in braces, as "{runs} %d: want at least 1". The text of the
// error has them without braces.
func Errorf(format string, args ...any) error {
	return &optionError{format, args, fmt.Errorf(format, args...)}
}

func (e *optionError) Error() string { return e.Text(Bare) }

// Bare writes an option by its name.
func Bare(name string) string { return name }

// Text returns the text of the error with the options as write writes them.
func (e *optionError) Text(write func(name string) string) string {
	args := slices.Clone(e.args)
	for i, arg := range args {
		if cause, ok := arg.(error); ok {
			args[i] = errors.New(Text(cause, write))
		}
	}
	format := Expand(e.format, func(name string) string { return strings.ReplaceAll(write(name), "%", "%%") })
	return fmt.Errorf(format, args...).Error()
}

// Expand returns a text with every option in braces as write writes it.
func Expand(text string, write func(name string) string) string {
	return named.ReplaceAllStringFunc(text, func(name string) string { return write(strings.Trim(name, "{}")) })
}

// Unwrap returns what gives the errors among the arguments of %w.
func (e *optionError) Unwrap() error { return e.plain }

// Text returns the text of an error, with every option that it or an error that it wraps names as write writes it.
// Options are named by errors of [Errorf], and by those that have a method Text of their own.
func Text(err error, write func(name string) string) string {
	if own, ok := err.(interface {
		Text(write func(name string) string) string
	}); ok {
		return own.Text(write)
	}
	var text strings.Builder
	rest := err.Error()
	for _, cause := range causes(err) {
		if before, after, found := strings.Cut(rest, cause.Error()); found {
			text.WriteString(before + Text(cause, write))
			rest = after
		}
	}
	return text.String() + rest
}

// causes returns the errors that an error wraps.
func causes(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil {
			return []error{cause}
		}
	}
	return nil
}
