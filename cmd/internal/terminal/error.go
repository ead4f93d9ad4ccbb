package terminal

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode"

	"veilpath/internal/option"
)

// formatError returns the text of an error with options as flags. An interruption is called that, once.
func formatError(err error) string {
	text := option.Text(err, Flag)
	if !errors.Is(err, context.Canceled) {
		return text
	}
	message := strings.ReplaceAll(text, ": "+context.Canceled.Error(), "")
	rest := strings.TrimPrefix(message, context.Canceled.Error())
	switch {
	case rest != message: // the text begins with the cause
		return "interrupted" + rest
	case strings.Contains(message, "interrupted"):
		return message
	}
	return "interrupted: " + message
}

// Flag writes an option as a flag.
func Flag(name string) string { return "--" + name }

// Built returns the version, commit and Go version of the program, as far as Go recorded them.
func Built(version string) string {
	info, ok := debug.ReadBuildInfo()
	return builtFrom(version, info, ok)
}

func builtFrom(version string, info *debug.BuildInfo, ok bool) string {
	if !ok {
		return version + " (commit unknown, " + runtime.Version() + ")"
	}
	commit, changed := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	return fmt.Sprintf("%s (commit %s%s, %s)", version, commit, changed, info.GoVersion)
}

// Escaped returns a text in which control characters other than line breaks are escaped, so that names of files,
// problems and commands cannot move the cursor or change the order of what is read.
func Escaped(text string) string {
	isControl := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r)
	}
	if !strings.ContainsFunc(text, isControl) {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if !isControl(r) {
			escaped.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		escaped.WriteString(quoted[1 : len(quoted)-1])
	}
	return escaped.String()
}

// longestLine bounds a line of an error, characters.
const longestLine = 500

// shortened leaves the middle out of a line that is longer than longestLine: what is wrong stands at its beginning,
// and what to do at its end.
func shortened(line string) string {
	const gap = " ... "
	runes := []rune(line)
	if len(runes) <= longestLine {
		return line
	}
	half := (longestLine - len(gap)) / 2
	return string(runes[:half]) + gap + string(runes[len(runes)-half:])
}

// ErrorLines returns the lines of an error as people read them, each with the name of the program, escaped and not too
// long.
func ErrorLines(program string, err error) (lines []string) {
	for line := range strings.Lines(formatError(err)) {
		lines = append(lines, shortened(program+": "+Escaped(strings.TrimSuffix(line, "\n"))))
	}
	return lines
}
