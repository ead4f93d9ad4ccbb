package shell

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// The last line that is not blank is kept, in part, with its control characters escaped.
func TestLastLine(t *testing.T) {
	for written, want := range map[string]string{
		"one\ntwo\n":                           "two",
		"one\ntwo\n\n":                         "two",
		"half":                                 "half",
		"":                                     "",
		"\x1b[2Jgone\a\n":                      `\x1b[2Jgone\a`,
		strings.Repeat("x", 9999):              strings.Repeat("x", 200),
		strings.Repeat("x", 9999) + "\nlast\n": "last",
	} {
		l := new(LastLine)
		for _, c := range []byte(written) { // however it is cut
			l.Write([]byte{c})
		}
		if got := l.String(); got != want {
			t.Errorf("%.30q: %q, want %q", written, got, want)
		}
		l = new(LastLine)
		io.WriteString(l, written)
		if got := l.String(); got != want {
			t.Errorf("%.30q at once: %q, want %q", written, got, want)
		}
	}
}

// What a command started ends with the context, also where it holds the output open.
func TestTheGroupEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	cmd := Command(ctx, "sleep 1000 & sleep 1000")
	cmd.Stdout = new(strings.Builder)
	start := time.Now()
	if err := cmd.Run(); err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("it ended after %v with %v", time.Since(start), err)
	}
	if err := kill0(cmd.Process.Pid); err == nil {
		t.Error("the group is still there")
	}
}
