package configs

import (
	"cmp"
	"errors"
	"math"
	"strings"
	"unicode"

	"github.com/agext/levenshtein"

	"veilpath/internal/option"
)

// Error is one fault in the settings. [Load] joins all that it finds; errors.As finds the first.
type Error struct {
	Key     string // as given, or the option with the fault; empty if a file as a whole is wrong
	Value   string // as given, shortened
	Origin  string // "flag --set", "environment VEILPATH_SIM_STEP_S", "my.yaml:12", "preset quick"; may be empty
	Problem string
	Allowed string
	Fix     string // the remedy
	Picture string // lines that show the fault, for people; usually empty

	keys   []string // of a fault in a combination of values; Key is one of them
	option bool     // the key is an option, and the fix may name options in braces
	cause  error    // why a file was not read; nil for other faults
}

// because adds the problem, the allowed values and the remedy to an error.
func (e *Error) because(problem, allowed, fix string) *Error {
	e.Problem, e.Allowed, e.Fix = problem, allowed, fix
	return e
}

// Unwrap returns the error of reading a file, if that is the fault.
func (e *Error) Unwrap() error { return e.cause }

// Error returns one line: KEY = VALUE (ORIGIN): PROBLEM; allowed: ALLOWED; FIX.
func (e *Error) Error() string { return e.Text(option.Bare) }

// Text returns the line; write formats the names of options.
func (e *Error) Text(write func(name string) string) string {
	var line strings.Builder
	key, fix := e.Key, e.Fix
	if e.option {
		key, fix = write(key), option.Expand(fix, write)
	}
	line.WriteString(cmp.Or(key, e.Value, e.Origin))
	if e.Key != "" && e.Value != "" {
		line.WriteString(" = " + e.Value)
	}
	if e.Origin != "" && cmp.Or(e.Key, e.Value) != "" {
		line.WriteString(" (" + e.Origin + ")")
	}
	problem := e.Problem
	if problem == "" && e.cause != nil {
		problem = option.Text(e.cause, write)
	}
	line.WriteString(": " + problem)
	if e.Allowed != "" {
		line.WriteString("; allowed: " + e.Allowed)
	}
	if fix != "" {
		line.WriteString("; " + fix)
	}
	return strings.Map(printable, line.String())
}

// printable keeps an error on one line of a terminal, whatever the content of a file or a flag.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

func joinErrors(problems []*Error) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// NearestOf returns the name with the spelling most similar to text, empty if none is similar. A part of the name
// that begins with one of its words, such as vehicle.speed or speed of vehicle.speed_km_s, counts as one letter away,
// and so does the last part of the text alone, so that "planner.epsilon" finds privacy.epsilon. Other names are
// similar if at most a third of the letters differ.
func NearestOf(text string, names []string) string {
	best, fewest := "", math.MaxInt-1
	for _, name := range names {
		if away := min(edits(text, name), edits(lastPart(text), lastPart(name))+1); away < fewest {
			best, fewest = name, away
		}
	}
	return best
}

// edits returns how many letters a text is away from a name, and very many if they are not similar.
func edits(text, name string) int {
	const longest, shortestPart = 100, 3 // no name is longer; a shorter text is part of many names
	text = strings.ReplaceAll(strings.ToLower(text[:min(len(text), longest)]), ".", "_")
	name = strings.ReplaceAll(strings.ToLower(name), ".", "_")
	if len(text) >= shortestPart && text != name && strings.Contains("_"+name, "_"+text) {
		return 1
	}
	if n := levenshtein.Distance(text, name, nil); n <= (min(len(text), len(name))+2)/3 {
		return n
	}
	return math.MaxInt - 1
}

func lastPart(key string) string { return key[strings.LastIndex(key, ".")+1:] }
