package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"veilpath/internal/shell"
	"veilpath/planner/reward"
)

// Command is an external mechanism: a sh command that reads a reward table on standard input and writes a
// release of it, in the same layout, on standard output.
type Command struct {
	Line  string
	Table *reward.Table // input of the command
	Limit time.Duration // of a run; 0 for none
}

// Tables returns the command's releases of its table, in which coins decide which entries are raised.
func (c Command) Tables(adjacency float64, seed uint64) Tables {
	return Tables{Rewards: slices.Concat(c.Table.Values...), Adjacency: adjacency, Seed: seed, Release: c.release}
}

// release runs the command once, on the rewards of all agents.
func (c Command) release(ctx context.Context, _ int, rewards []float64) ([]float64, error) {
	tables := make([][]float64, len(c.Table.Values))
	for i, values := range c.Table.Values {
		tables[i], rewards = rewards[:len(values)], rewards[len(values):]
	}
	out, err := c.run(ctx, tables)
	if err != nil {
		return nil, err
	}
	released, err := c.Table.ReadBack(out)
	if err != nil {
		return nil, fmt.Errorf("its output is no release: %w", err)
	}
	return slices.Concat(released...), nil
}

// errLate is the cause of a run that takes longer than its limit.
var errLate = errors.New("it takes too long")

// run passes tables to the command and returns its output, which has at most two and a half times the bytes of a table
// with numbers of full length. The process group of the command ends with the run.
func (c Command) run(ctx context.Context, tables [][]float64) (*bytes.Buffer, error) {
	var in bytes.Buffer
	if err := c.Table.Write(&in, tables); err != nil {
		return nil, err
	}
	if c.Limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, c.Limit, errLate)
		defer cancel()
		ctx = limited
	}
	const longestNumber = 25 // bytes
	out := &bounded{most: in.Len() + 2*longestNumber*c.Table.Entries() + 1<<10}
	complaint := new(shell.LastLine)
	process := shell.Command(ctx, c.Line)
	process.Stdin, process.Stdout, process.Stderr = &in, out, complaint
	err := process.Run()
	if process.Process != nil {
		_ = process.Cancel() // kills what it left behind
	}
	switch last := complaint.String(); {
	case context.Cause(ctx) == errLate:
		return nil, fmt.Errorf("it did not end within %v (exec.timeout_s)", c.Limit)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.over:
		return nil, fmt.Errorf("its output is longer than %d bytes, and a table of %d rewards is shorter", out.most,
			c.Table.Entries())
	case err != nil && last != "":
		return nil, fmt.Errorf("%w: %s", err, last)
	}
	return &out.kept, err
}

// bounded is a buffer that refuses to hold more than so many bytes.
type bounded struct {
	kept bytes.Buffer // not embedded, because its ReadFrom has no bound
	most int
	over bool
}

func (b *bounded) Write(text []byte) (int, error) {
	if b.over = b.over || b.kept.Len()+len(text) > b.most; b.over {
		return 0, errors.New("too much output")
	}
	return b.kept.Write(text)
}
