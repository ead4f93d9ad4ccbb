// Package shell runs lines of sh. A command has a process group of its own, which ends with it: an interrupt at the
// terminal reaches this program alone, and nothing that a command started outlives it.
package shell

import (
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"time"
)

// Grace is how long a command may take to end once it is told to, or its standard input has ended.
const Grace = time.Second

// Command returns a command that sh runs, to be started. When the context ends, the process group is killed. What the
// command leaves behind when it ends by itself is killed by its Cancel.
func Command(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.WaitDelay = Grace
	ownGroup(cmd)
	return cmd
}

// LastLine keeps the last line that is written to it, as the standard error of a command. The zero value is ready.
// String is for a command that has ended.
type LastLine struct{ tail []byte }

// Write implements io.Writer.
func (l *LastLine) Write(text []byte) (int, error) {
	const longest = 1 << 12 // bytes
	l.tail = append(l.tail, text[max(0, len(text)-longest):]...)
	l.tail = l.tail[:copy(l.tail, l.tail[max(0, len(l.tail)-longest):])]
	return len(text), nil
}

// String returns the beginning of the last line that is not blank, with its control characters escaped.
func (l *LastLine) String() string {
	const shown = 200 // bytes
	line := bytes.TrimSpace(l.tail)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	quoted := strconv.Quote(string(line[:min(len(line), shown)]))
	return quoted[1 : len(quoted)-1]
}
