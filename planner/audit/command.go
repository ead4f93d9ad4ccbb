package audit

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"veilpath/internal/pool"
	"veilpath/planner/reward"
)

// Command is an external mechanism: a sh command that reads a reward table on standard input and writes a
// release of it, in the same layout, on standard output.
type Command struct {
	Line      string
	Table     *reward.Table // input of the command; coins decide which entries are raised by Adjacency
	Adjacency float64
	Seed      uint64 // of the coins
}

// Runs is the number of runs of the command that yield the given number of releases of raised and of unraised
// entries.
func (c Command) Runs(samples int) int {
	return tablesFor(samples, c.Table.Entries())
}

// Release runs the command the given number of times, one run after the other, and calls progress after every
// run. The keeper, which may be nil, holds the releases made before and stores the new ones.
func (c Command) Release(ctx context.Context, runs int, keeper pool.Keeper, progress func(int)) (*Recorded, error) {
	t := Tables{Rewards: slices.Concat(c.Table.Values...), Adjacency: c.Adjacency, Seed: c.Seed, Release: c.release}
	return t.Record(ctx, runs, 1, keeper, progress)
}

// release runs the command once, on the rewards of all agents.
func (c Command) release(ctx context.Context, _ int, rewards []float64) ([]float64, error) {
	tables := make([][]float64, len(c.Table.Values))
	for i, values := range c.Table.Values {
		tables[i], rewards = rewards[:len(values)], rewards[len(values):]
	}
	out, err := c.give(ctx, tables)
	if err != nil {
		return nil, err
	}
	released, err := c.Table.ReadBack(out)
	if err != nil {
		return nil, fmt.Errorf("its output is no release: %w", err)
	}
	return slices.Concat(released...), nil
}

// mostComplaint is the number of bytes kept of a command's standard error.
const mostComplaint = 64 << 10

// give passes tables to the command and returns its output. An error ends with the command's last line on
// standard error.
func (c Command) give(ctx context.Context, tables [][]float64) (*bytes.Buffer, error) {
	var in, out, complaint bytes.Buffer
	if err := c.Table.Write(&in, tables); err != nil {
		return nil, err
	}
	process := exec.CommandContext(ctx, "sh", "-c", c.Line)
	process.Stdin, process.Stdout, process.Stderr = &in, &limited{&out, reward.MaxBytes},
		&limited{&complaint, mostComplaint}
	if err := process.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			last := strings.Split(text, "\n")
			err = fmt.Errorf("%w: %s", err, last[len(last)-1])
		}
		return nil, err
	}
	return &out, nil
}

// limited keeps the first bytes, up to most, and drops the rest.
type limited struct {
	*bytes.Buffer
	most int
}

func (l *limited) Write(text []byte) (int, error) {
	l.Buffer.Write(text[:max(0, min(len(text), l.most-l.Len()))])
	return len(text), nil
}
