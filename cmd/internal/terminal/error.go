package terminal

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

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
