package external

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"veilpath/internal/shell"
)

// Command is a command of the user's that answers requests, by one of its processes for each that is made at the same
// time. It is safe for concurrent use.
type Command struct {
	Line  string // of sh
	Role  Role
	Hello Hello
	// Sources are the programs that the line names, each with the start of its SHA-256; empty if it names none.
	Sources string

	limit time.Duration // of a request

	mu     sync.Mutex
	all    []*process
	idle   []*process
	closed bool

	verified atomic.Bool // a request was made twice, or is being made
}

// Start starts a command and has it say hello. A request may take so long.
func Start(line string, role Role, limit time.Duration) (*Command, error) {
	c := &Command{Line: line, Role: role, Sources: sourcesOf(line), limit: limit}
	p, err := c.start()
	if err != nil {
		if strings.Contains(line, ",") {
			err = fmt.Errorf("%w; a command comes last in a list: all that follows exec: belongs to it", err)
		}
		return nil, fmt.Errorf("exec:%s: hello: %w", line, err)
	}
	c.idle = append(c.idle, p)
	return c, nil
}

// start starts a process, which must say of itself what the first one did.
func (c *Command) start() (*process, error) {
	p, err := start(c.Line)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.all = append(c.all, p)
	closed := c.closed
	c.mu.Unlock()
	if closed {
		err = errors.New("the command was closed")
	} else {
		err = c.greet(p)
	}
	if err != nil {
		c.drop(p)
		return nil, err
	}
	return p, nil
}

// greet has a process say hello. It refuses a hello that is not that of the processes before.
func (c *Command) greet(p *process) error {
	line, err := p.ask(map[string]helloMessage{"hello": {Protocol, c.Role}}, c.limit, 0)
	if err != nil {
		return err
	}
	hello, err := parseHello(line, c.Role)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Hello.Protocol == 0 {
		c.Hello = hello
	}
	if hello != c.Hello {
		return fmt.Errorf("a process calls itself %s, and another one %s", &hello, &c.Hello)
	}
	return nil
}

// take returns a process for one request after the other: one that knows a mission where there is one that is idle.
func (c *Command) take(mission any) (*process, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 && !c.closed {
		i := slices.IndexFunc(c.idle, func(p *process) bool { return p.told == mission })
		p := c.idle[max(i, 0)]
		c.idle = slices.DeleteFunc(c.idle, func(q *process) bool { return q == p })
		c.mu.Unlock()
		return p, nil
	}
	c.mu.Unlock()
	return c.start()
}

// give takes a process back.
func (c *Command) give(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.idle = append(c.idle, p)
	}
}

// drop ends a process that is of no use.
func (c *Command) drop(p *process) {
	c.mu.Lock()
	c.all = slices.DeleteFunc(c.all, func(q *process) bool { return q == p })
	c.mu.Unlock()
	if !p.ended {
		shell.Kill(p.cmd)
		_ = p.stop() // whose error is that it was killed
	}
}

// Close ends all processes and waits until they have ended. Requests under way fail.
func (c *Command) Close() {
	c.mu.Lock()
	c.closed = true
	all, idle := c.all, c.idle
	c.all, c.idle = nil, nil
	c.mu.Unlock()
	var ending sync.WaitGroup
	for _, p := range all {
		ending.Go(func() {
			if !slices.Contains(idle, p) {
				shell.Kill(p.cmd) // whoever waits for its answer waits for its end too
				return
			}
			_ = p.stop() // whatever it ends with
		})
	}
	ending.Wait()
}

// verifies reports whether a request is to be made twice, which is once for a command.
func (c *Command) verifies() bool {
	return c.Hello.Deterministic && c.verified.CompareAndSwap(false, true)
}
