// Package option has errors that name an option: a field of a request, or a setting. A library does not know
// whether its user sets the option with a flag, so its error contains the bare name. A program with flags calls
// [Text], which writes the names as flags.
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
	plain  error // the same error of package fmt, for Unwrap
}

// Errorf is [fmt.Errorf] for a format that names options in braces, as "{runs} %d: want at least 1". The text of
// the error contains the names without braces.
func Errorf(format string, args ...any) error {
	return &optionError{format, args, fmt.Errorf(format, args...)}
}

// Error returns the error of a text that names options in braces.
func Error(text string) error {
	return &optionError{format: strings.ReplaceAll(text, "%", "%%"), plain: errors.New(text)}
}

func (e *optionError) Error() string { return e.Text(Bare) }

// Bare returns the name of an option unchanged.
func Bare(name string) string { return name }

// Text returns the text of the error, with write(name) for every option.
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

// Expand replaces every {name} in a text by write(name).
func Expand(text string, write func(name string) string) string {
	return named.ReplaceAllStringFunc(text, func(name string) string { return write(strings.Trim(name, "{}")) })
}

// Unwrap returns the error of package fmt, which wraps the arguments of %w.
func (e *optionError) Unwrap() error { return e.plain }

// Text returns the text of an error with write(name) for every option that it or an error that it wraps names.
// Errors of [Errorf] name options, and so do other errors with a method Text.
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
