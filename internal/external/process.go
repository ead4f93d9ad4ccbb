package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running command. It serves one goroutine at a time.
type process struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	pipe      io.Reader     // its standard output
	out       *bufio.Reader // of pipe
	complaint *lastLine
	line      []byte // of an answer that is longer than the reader's buffer
	request   []byte // storage

	told    any // the mission that it knows
	asked   int // requests it has answered
	answers int // its answers, the hello included
	ended   bool
}

const (
	// longestAnswer bounds the length of an answer, bytes: 5 million rewards in 20 digits take 100 MB.
	longestAnswer = 1 << 28
	// grace is how long a process may take to end once its standard input has ended.
	grace = time.Second
	// watched is after how many answers, the hello included, a process gets a pause in which it must print nothing.
	watched = 2
	pause   = 20 * time.Millisecond
)

// start starts a command.
func start(line string) (*process, error) {
	p := &process{cmd: exec.Command("sh", "-c", line), complaint: new(lastLine)}
	p.cmd.Stderr, p.cmd.WaitDelay = p.complaint, grace
	ownGroup(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.pipe, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(p.pipe, 1<<16)
	return p, p.cmd.Start()
}

// tell writes a line that has no answer, and ask one that has, both within a time. After an error the process is of no
// further use. The answer holds until the next.
func (p *process) tell(line []byte, limit time.Duration) error {
	return p.within(limit, func() error { return p.write(line) })
}

func (p *process) ask(line []byte, limit time.Duration) (answer []byte, err error) {
	if rest := p.unasked(); len(rest) > 0 {
		return nil, fmt.Errorf("it printed %s after its answer to the request before this one; %s", quoted(rest), oneLine)
	}
	err = p.within(limit, func() error {
		if err := p.write(line); err != nil {
			return err
		}
		answer, err = p.read()
		return err
	})
	if p.answers++; err != nil || p.answers > watched {
		return answer, err
	}
	time.Sleep(pause)
	if rest := p.unasked(); len(rest) > 0 {
		return nil, fmt.Errorf("it printed %s and then %s for one request; %s", quoted(answer), quoted(rest), oneLine)
	}
	return answer, nil
}

const oneLine = "print one line for every request, none for a mission, and all else to standard error"

// within does something that must not take longer than a time, after which the process is killed.
func (p *process) within(limit time.Duration, do func() error) error {
	timer := time.AfterFunc(limit, func() { kill(p.cmd) })
	err := do()
	if !timer.Stop() {
		return fmt.Errorf("it did not answer within %v (exec.timeout_s); a command ends every answer with a newline and "+
			"flushes it, as print(answer, flush=True) does in Python", limit)
	}
	return err
}

// unasked returns what the process printed since its last answer, which would be taken for the next one.
func (p *process) unasked() []byte {
	if rest, _ := p.out.Peek(p.out.Buffered()); len(rest) > 0 {
		return rest
	}
	return waiting(p.pipe)
}

func (p *process) write(line []byte) error {
	_, err := p.in.Write(line)
	return p.why(err)
}

// read returns the next line.
func (p *process) read() ([]byte, error) {
	line, err := p.out.ReadSlice('\n')
	if err == nil {
		return line, nil
	}
	p.line = p.line[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		if p.line = append(p.line, line...); len(p.line) > longestAnswer {
			return nil, fmt.Errorf("its answer is longer than %d MB", longestAnswer>>20)
		}
		line, err = p.out.ReadSlice('\n')
	}
	p.line = append(p.line, line...)
	return p.line, p.why(err)
}

// why returns the error of a process that ended, with its last line on standard error.
func (p *process) why(err error) error {
	if err == nil {
		return nil
	}
	how := "it ended without an answer"
	ended := p.stop()
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

// stop ends the process and waits for that.
func (p *process) stop() error {
	p.ended = true
	p.in.Close()
	timer := time.AfterFunc(grace, func() { kill(p.cmd) })
	defer timer.Stop()
	return p.cmd.Wait()
}

// lastLine keeps the last line that is written to it. It is safe for concurrent use.
type lastLine struct {
	mu   sync.Mutex
	text []byte
}

// mostComplaint is how much of a line is kept, bytes.
const mostComplaint = 1 << 10

// Write implements io.Writer.
func (l *lastLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(string(text)) {
		if n := len(l.text); n > 0 && l.text[n-1] == '\n' && strings.TrimSpace(line) != "" {
			l.text = l.text[:0]
		}
		l.text = append(l.text, line...)
		if len(l.text) > mostComplaint {
			l.text = append(l.text[:mostComplaint-1], '\n')
		}
	}
	return len(text), nil
}

// String returns the line.
func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(string(l.text))
}
