// Package exec runs users' commands as mechanisms and observers. A command is a line of sh whose process answers one
// line of JSON on standard input with one on standard output; assets/guide/own.md is the protocol. A Command keeps as
// many processes as requests are made at once, which is one per worker.
//
// # Assumptions and limitations
//
// Nothing proves what a command says of its guarantee, or that it draws all that is random from the seed of its
// request. The first request to a command is made twice, and answers that differ are an error unless the command says
// that it is not deterministic. The second request to an observer has the beginning of the flight alone, so that an
// observer that looks ahead is an error too. No request is repeated after an error: the process is killed, and the next
// request starts another.
package exec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"veilpath/planner"
)

// Commands are the commands of a program. Each line is started once in each role. The zero value is ready, and safe for
// concurrent use.
type Commands struct {
	// May returns an error for a line that must not be run; nil permits every line.
	May func(line string) error

	mu  sync.Mutex
	all []*Command
}

// Mechanism returns the mechanism that a line runs. A request must be answered within the limit; a line that is running
// keeps the limit that it was started with.
func (c *Commands) Mechanism(line string, limit time.Duration) (planner.Mechanism, error) {
	command, err := c.command(line, MechanismRole, limit)
	if err != nil {
		return nil, err
	}
	return Mechanism{command}, nil
}

// Observer returns the command of an observer; see Mechanism.
func (c *Commands) Observer(line string, limit time.Duration) (*Command, error) {
	return c.command(line, observerRole, limit)
}

func (c *Commands) command(line string, role Role, limit time.Duration) (*Command, error) {
	if c == nil {
		return nil, fmt.Errorf("exec:%s: this program runs no commands", line)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.all, func(o *Command) bool { return o.Line == line && o.Role == role }); i >= 0 {
		return c.all[i], nil
	}
	if c.May != nil {
		if err := c.May(line); err != nil {
			return nil, err
		}
	}
	command, err := Start(line, role, limit)
	if err == nil {
		c.all = append(c.all, command)
	}
	return command, err
}

// Started returns the commands that were started, in order.
func (c *Commands) Started() []*Command {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.all)
}

// Close ends all processes of all commands and waits until they have ended.
func (c *Commands) Close() {
	for _, command := range c.Started() {
		command.Close()
	}
}

// Command is a user's command that answers requests. Each of the requests that are made at the same time has a process
// of its own. It is safe for concurrent use.
type Command struct {
	Line  string // of sh
	Role  Role
	Hello Hello
	// Sources are the programs that the line names, each with the start of its SHA-256; empty if it names none.
	Sources string

	limit    time.Duration // of a request
	verified atomic.Bool   // the first request was made twice, or is being made

	mu     sync.Mutex
	all    []*process
	idle   []*process
	closed bool
}

// Start starts a command, which introduces itself. Every request must be answered within the limit.
func Start(line string, role Role, limit time.Duration) (*Command, error) {
	c := &Command{Line: line, Role: role, Sources: sourcesOf(line), limit: limit}
	p, err := c.start()
	if err != nil {
		if strings.Contains(line, ",") {
			err = fmt.Errorf("%w; a command comes last in a list: all that follows exec: belongs to it", err)
		}
		return nil, fmt.Errorf("exec:%s: hello: %w", line, err)
	}
	c.put(p)
	return c, nil
}

// start starts a process, which must introduce itself as the first one did.
func (c *Command) start() (*process, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, errClosed
	}
	p, err := start(c.Line)
	if err == nil {
		c.all = append(c.all, p)
	}
	c.mu.Unlock()
	if err == nil {
		if err = c.greet(p); err != nil {
			p.kill(err)
		}
	}
	return p, err
}

// get returns a process for requests about a mission: an idle one, if possible one that knows the mission, or a new
// one.
func (c *Command) get(mission any) (*process, error) {
	c.mu.Lock()
	if len(c.idle) == 0 {
		c.mu.Unlock()
		return c.start()
	}
	defer c.mu.Unlock()
	i := max(0, slices.IndexFunc(c.idle, func(p *process) bool { return p.mission == mission }))
	p := c.idle[i]
	c.idle = slices.Delete(c.idle, i, i+1)
	return p, nil
}

// put makes a process available to the next request.
func (c *Command) put(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.idle = append(c.idle, p)
	}
}

// converse makes requests about a mission to a process. If the process does not know the mission, the message that
// describe returns goes before the first request.
func (c *Command) converse(mission any, describe func() any, requests func(*process) error) error {
	p, err := c.get(mission)
	if err != nil {
		return err
	}
	if p.mission != mission {
		p.mission, p.unsent = mission, []any{map[string]any{"mission": describe()}}
	}
	if err := requests(p); err != nil {
		p.kill(err)
		return err
	}
	c.put(p)
	return nil
}

// verifies reports whether a request must be made twice, which is the first one of a deterministic command.
func (c *Command) verifies() bool {
	return c.Hello.Deterministic && c.verified.CompareAndSwap(false, true)
}

var errClosed = errors.New("the command was closed")

// Close ends all processes and waits until they have ended. A process may end by itself once its standard input has
// ended. Requests under way fail.
func (c *Command) Close() {
	c.mu.Lock()
	c.closed = true
	all := c.all
	c.all, c.idle = nil, nil
	c.mu.Unlock()
	var ending sync.WaitGroup
	for _, p := range all {
		ending.Go(p.stop)
	}
	ending.Wait()
}

// languages are the extensions of files that contain a program. Other files that a line names may contain what is
// private, and the hash of a small table can be guessed.
var languages = []string{".py", ".js", ".mjs", ".ts", ".jl", ".r", ".rb", ".pl", ".lua", ".php", ".sh", ".m", ".jar",
	".wasm"}

// sourcesOf returns the programs that a line names with a path, each with the start of its SHA-256. It distinguishes a
// command whose program was changed from the one before. Files above 256 MiB are left out.
func sourcesOf(line string) string {
	var all []string
	for _, word := range strings.Fields(line) {
		path := strings.Trim(word, `"'`)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<28 {
			continue
		}
		executable := strings.Contains(path, "/") && info.Mode()&0o111 != 0
		if executable || slices.Contains(languages, strings.ToLower(filepath.Ext(path))) {
			if program, err := os.ReadFile(path); err == nil {
				all = append(all, fmt.Sprintf("%s %.6x", filepath.Base(path), sha256.Sum256(program)))
			}
		}
	}
	return strings.Join(all, ", ")
}
