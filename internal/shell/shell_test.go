package shell

import (
	"context"
	"io"
	"os"
	"path/filepath"
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

// What a command started ends with the context, also if it holds the output open. A process in a group of its own does
// not end, and holds up nothing.
func TestTheGroupEndsWithTheContext(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	cmd := Command(ctx, "while sleep 0.02; do echo x >>'"+trace+"'; done & setsid sleep 5 & sleep 1000")
	cmd.Stdout = new(strings.Builder)
	start := time.Now()
	if err := cmd.Run(); err == nil || time.Since(start) > 4*time.Second {
		t.Errorf("it ended after %v with %v", time.Since(start), err)
	}
	written := func() int {
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		return len(text)
	}
	before := written()
	time.Sleep(300 * time.Millisecond)
	if after := written(); after != before {
		t.Error("what the command started goes on")
	}
}
