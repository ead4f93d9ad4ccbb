package external

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"veilpath/adversary"
	"veilpath/planner"
)

// Commands are the commands of a program: each line is started once in each role. The zero value is ready, and safe for
// concurrent use.
type Commands struct {
	// May, where it is not nil, returns an error for a line that must not be run.
	May func(line string) error

	mu  sync.Mutex
	all []*Command
}

// Mechanism returns the mechanism that a line is. A request may take so long; of a line that runs already that stays.
func (c *Commands) Mechanism(line string, limit time.Duration) (planner.Mechanism, error) {
	command, err := c.command(line, MechanismRole, limit)
	if err != nil {
		return nil, err
	}
	return Mechanism{command}, nil
}

// Observer is Mechanism for an observer.
func (c *Commands) Observer(line string, limit time.Duration) (*Observer, error) {
	command, err := c.command(line, ObserverRole, limit)
	if err != nil {
		return nil, err
	}
	return &Observer{command}, nil
}

// command returns the command of a line in a role.
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
	c.mu.Lock()
	all := c.all
	c.all = nil
	c.mu.Unlock()
	for _, command := range all {
		command.Close()
	}
}

// Named is an observer that has a name before its command is started, which is when it is asked to watch.
func Named(name string) adversary.Model {
	return adversary.Model{Name: name, Meaning: "is a command of the user's",
		New: func(adversary.Settings) (adversary.Observer, error) {
			return nil, fmt.Errorf("%s: the command is not run here", name)
		}}
}
