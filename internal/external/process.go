package external

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"veilpath/internal/shell"
)

// process is a running command. It serves one goroutine at a time.
type process struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	lines     chan []byte  // of standard output, from the one goroutine that reads it
	most      atomic.Int64 // length of a line, bytes
	tooLong   atomic.Bool  // a line was longer
	complaint *shell.LastLine

	told  any // the mission that it knows
	asked int // requests it has answered
	ended bool
}

const (
	// longestHello bounds the answer to the hello, bytes. Other answers are bounded by the numbers that they may hold.
	longestHello = 1 << 14
	// digits is what a number of an answer takes at most, bytes, with what separates it from the next one.
	digits = 32
	// watched is after how many answers, the hello included, a process gets a pause in which it must print nothing.
	watched = 2
	pause   = 20 * time.Millisecond
)

// start starts a command.
func start(line string) (*process, error) {
	p := &process{cmd: shell.Command(context.Background(), line), lines: make(chan []byte),
		complaint: new(shell.LastLine)}
	p.most.Store(longestHello)
	p.cmd.Stderr = p.complaint
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	return p, nil
}

// read sends the lines of standard output until it ends or a line is too long. Whoever floods waits: no line is read
// before the one before it is taken.
func (p *process) read(out io.Reader) {
	defer close(p.lines)
	from := bufio.NewReaderSize(out, 1<<16)
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		if line = append(line, part...); int64(len(line)) > p.most.Load() {
			p.tooLong.Store(true)
			shell.Kill(p.cmd)
			return
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return
		}
		p.lines <- bytes.Clone(line)
		line = line[:0]
	}
}

// tell writes a message that has no answer, and ask one that has, both within a time. The answer has at most so many
// bytes. After an error the process is of no further use.
func (p *process) tell(message any, limit time.Duration) error {
	return p.within(limit, func() error { return p.write(message) })
}

func (p *process) ask(message any, limit time.Duration, most int) (answer []byte, err error) {
	if rest := p.unasked(0); rest != nil {
		return nil, fmt.Errorf("it printed %s after its answer to the request before this one; %s", quoted(rest), oneLine)
	}
	p.most.Store(int64(max(most, longestHello)))
	err = p.within(limit, func() error {
		if err := p.write(message); err != nil {
			return err
		}
		var more bool
		if answer, more = <-p.lines; !more {
			return p.why()
		}
		return nil
	})
	if p.asked++; err != nil || p.asked > watched {
		return answer, err
	}
	if rest := p.unasked(pause); rest != nil {
		return nil, fmt.Errorf("it printed %s and then %s for one request; %s", quoted(answer), quoted(rest), oneLine)
	}
	return answer, nil
}

const oneLine = "print one line for every request, none for a mission, and all else to standard error"

// within does something that must not take longer than a time, after which the process is killed.
func (p *process) within(limit time.Duration, do func() error) error {
	timer := time.AfterFunc(limit, func() { shell.Kill(p.cmd) })
	err := do()
	if !timer.Stop() {
		return fmt.Errorf("it did not answer within %v (exec.timeout_s); a command ends every answer with a newline and "+
			"flushes it, as print(answer, flush=True) does in Python", limit)
	}
	return err
}

// unasked returns a line that the process printed since its last answer, or prints within a time, nil for none: it
// would be taken for the next answer.
func (p *process) unasked(wait time.Duration) []byte {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		select {
		case line := <-p.lines:
			return line
		default:
		}
		if time.Since(start) >= wait {
			return nil
		}
	}
}

func (p *process) write(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return p.why()
	}
	return nil
}

// why returns the error of a process that ended, with its last line on standard error.
func (p *process) why() error {
	ended := p.stop()
	if p.tooLong.Load() {
		return fmt.Errorf("its answer is longer than %d bytes", p.most.Load())
	}
	how := "it ended without an answer"
	if ended != nil {
		how += ": " + ended.Error()
	}
	if last := p.complaint.String(); last != "" {
		how += ": " + last
	}
	var exit *exec.ExitError
	if errors.As(ended, &exit) && exit.ExitCode() == notFound {
		how += "; check the name of the program, and that it is on the PATH"
	}
	return errors.New(how)
}

// notFound is the exit code of a shell that does not find a program.
const notFound = 127

// stop ends the process and waits for that. What it still prints is dropped.
func (p *process) stop() error {
	p.ended = true
	p.in.Close()
	timer := time.AfterFunc(shell.Grace, func() { shell.Kill(p.cmd) })
	defer timer.Stop()
	for range p.lines {
	}
	err := p.cmd.Wait()
	shell.Kill(p.cmd) // what it started and left behind
	return err
}
