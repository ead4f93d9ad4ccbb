package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"veilpath/internal/shell"
)

// process is a running command. It serves one goroutine at a time, except for stop.
type process struct {
	in    io.WriteCloser
	lines chan []byte  // of standard output
	line  []byte       // of standard output, as far as it was written
	most  atomic.Int64 // length of a line, bytes

	ctx   context.Context // of the process, which is killed when it ends
	kills context.CancelCauseFunc
	ended chan struct{} // is closed when the process has ended
	err   error         // how it ended

	mission  any   // of the requests
	unsent   []any // messages that go before the next request
	answered int   // requests
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
	p := &process{lines: make(chan []byte), ended: make(chan struct{})}
	p.ctx, p.kills = context.WithCancelCause(context.Background())
	p.most.Store(longestHello)
	complaint := new(shell.LastLine)
	cmd := shell.Command(p.ctx, line)
	cmd.Stdout, cmd.Stderr = p, complaint
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.kills(err)
		return nil, err
	}
	p.in = in
	go func() {
		_ = cmd.Wait()   // the state says how it ended
		_ = cmd.Cancel() // kills what it started and left behind
		if p.err = context.Cause(p.ctx); p.err == nil {
			p.err = fmt.Errorf("it ended without an answer: %s", cmd.ProcessState)
			if last := complaint.String(); last != "" {
				p.err = fmt.Errorf("%w: %s", p.err, last)
			}
		}
		p.kills(nil)
		close(p.ended)
	}()
	return p, nil
}

// Write implements io.Writer for the standard output of the process. It hands over one line at a time: a process that
// prints more has to wait.
func (p *process) Write(text []byte) (int, error) {
	for part := range bytes.Lines(text) {
		if p.line = append(p.line, part...); int64(len(p.line)) > p.most.Load() {
			p.kills(fmt.Errorf("its answer is longer than %d bytes", p.most.Load()))
			return 0, p.ctx.Err()
		}
		if part[len(part)-1] != '\n' {
			break
		}
		select {
		case p.lines <- p.line:
			p.line = nil
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
	}
	return len(text), nil
}

// ask writes a message and returns the answer to it, of at most so many bytes. After the limit it kills the process. It
// refuses what the process prints beside its answers, because that would be taken for the next answer. After an error
// the process is of no further use.
func (p *process) ask(message any, limit time.Duration, most int) (answer []byte, err error) {
	if 0 < p.answered && p.answered <= watched {
		time.Sleep(pause)
	}
	select {
	case rest := <-p.lines:
		return nil, fmt.Errorf("it printed %s after its answer to the request before this one; print one line for every "+
			"request, none for a mission, and all else to standard error", quoted(rest))
	default:
	}
	var text bytes.Buffer
	for _, m := range append(p.unsent, message) {
		if err := json.NewEncoder(&text).Encode(m); err != nil {
			return nil, err
		}
	}
	p.unsent = nil
	p.most.Store(int64(max(most, longestHello)))
	timer := time.AfterFunc(limit, func() {
		p.kills(fmt.Errorf("it did not answer within %v (exec.timeout_s); a command ends every answer with a newline and "+
			"flushes it, as print(answer, flush=True) does in Python", limit))
	})
	if _, err = p.in.Write(text.Bytes()); err == nil {
		select {
		case answer = <-p.lines:
			p.answered++
		case <-p.ended:
			return nil, p.err
		}
	}
	if err != nil || !timer.Stop() {
		<-p.ended
		return nil, p.err
	}
	return answer, nil
}

// kill ends the process, and all that it started, because of an error. It waits for the end.
func (p *process) kill(err error) {
	p.kills(err)
	<-p.ended
}

// stop ends the standard input of the process and waits for its end. What the process still prints is dropped.
func (p *process) stop() {
	p.in.Close()
	defer time.AfterFunc(shell.Grace, func() { p.kills(errClosed) }).Stop()
	for {
		select {
		case <-p.lines:
		case <-p.ended:
			return
		}
	}
}
