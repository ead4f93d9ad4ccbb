// Package shell runs lines of sh. A command has a process group of its own, which ends with it: an interrupt at the
// terminal reaches this program alone, and nothing that a command started outlives it.
package shell

import (
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// Grace is how long a command may take to end once it is told to, or its standard input has ended.
const Grace = time.Second

// Command returns a command that sh runs, to be started. When the context ends, its process group is killed.
func Command(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Cancel = func() error {
		Kill(cmd)
		return nil
	}
	cmd.WaitDelay = Grace
	ownGroup(cmd)
	return cmd
}

// LastLine keeps the beginning of the last line that is written to it. The zero value is ready, and safe for concurrent
// use.
type LastLine struct {
	mu   sync.Mutex
	text []byte
}

// mostOfLine is how much of a line is kept, bytes.
const mostOfLine = 200

// Write implements io.Writer.
func (l *LastLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(text) {
		if n := len(l.text); n > 0 && l.text[n-1] == '\n' && len(bytes.TrimSpace(line)) > 0 {
			l.text = l.text[:0]
		}
		ended := line[len(line)-1] == '\n'
		l.text = append(l.text, line[:min(len(line), max(0, mostOfLine-len(l.text)))]...)
		if ended && l.text[len(l.text)-1] != '\n' {
			l.text = append(l.text, '\n')
		}
	}
	return len(text), nil
}

// String returns the line, with its control characters escaped.
func (l *LastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	quoted := strconv.Quote(string(bytes.TrimSpace(l.text)))
	return quoted[1 : len(quoted)-1]
}
