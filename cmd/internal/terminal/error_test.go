package terminal

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Control characters of names are escaped in sentences and tables; letters of any language are not.
func TestControlCharactersAreEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"out/\x1b[2Jgone": `out/\x1b[2Jgone`, "a\rb\ac": `a\rb\ac`, "ε und Zürich": "ε und Zürich",
		"two\nlines": "two\nlines", "rtl\u202e": `rtl\u202e`,
	} {
		if got := Escaped(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		var printed bytes.Buffer
		if err := WriteText(&printed, text); err != nil || strings.TrimSuffix(printed.String(), "\n") != want {
			t.Errorf("%q is printed as %q, %v", text, &printed, err)
		}
	}
}

// A line of an error has at most 500 characters: its beginning and its end.
func TestErrorLinesAreShort(t *testing.T) {
	err := errors.New("exec:" + strings.Repeat("é", 2000) + "\x1b: what to do\nsecond")
	lines := ErrorLines("veilpath", err)
	if len(lines) != 2 || lines[1] != "veilpath: second" {
		t.Fatalf("%q", lines)
	}
	if n := utf8.RuneCountInString(lines[0]); n > 500 || n < 490 || !strings.HasPrefix(lines[0], "veilpath: exec:é") ||
		!strings.HasSuffix(lines[0], `\x1b: what to do`) {
		t.Errorf("%d characters: %q", n, lines[0])
	}
	if got := ErrorLines("veilpath", errors.New("short")); !slices.Equal(got, []string{"veilpath: short"}) {
		t.Errorf("%q", got)
	}
}
