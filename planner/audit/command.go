package audit

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"veilpath/internal/pool"
	"veilpath/planner/privacy"
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
	return max(LeastReleases, (2*samples+c.Table.Entries()-1)/c.Table.Entries())
}

// Release runs the command the given number of times, one run after the other, and calls progress after every
// run. The keeper, which may be nil, holds the releases made before and stores the new ones.
func (c Command) Release(ctx context.Context, runs int, keeper pool.Keeper, progress func(int)) (*Recorded, error) {
	recorded := new(Recorded)
	newWork := func() pool.Work[int, Release] {
		return func(ctx context.Context, k int, _ Release) (Release, error) { return c.run(ctx, k) }
	}
	for r, err := range pool.Resumed(ctx, 1, pool.Numbers(0, runs), newWork, keeper) {
		if err != nil {
			return nil, err
		}
		recorded.Releases = append(recorded.Releases, r.Value)
		progress(1)
	}
	recorded.Table, recorded.Neighbour = gathered(recorded.Releases)
	return recorded, nil
}

// run makes release number k.
func (c Command) run(ctx context.Context, k int) (Release, error) {
	var noise privacy.Noise
	coins := make([]float64, c.Table.Entries())
	noise.Seek(privacy.Address{Seed: c.Seed, Run: uint64(k), Purpose: purposeCommand})
	noise.Normals(coins)
	r, err := c.release(ctx, coins)
	switch {
	case ctx.Err() != nil:
		return Release{}, ctx.Err()
	case err != nil:
		return Release{}, fmt.Errorf("release %d: %w", k+1, err)
	}
	return r, nil
}

// release runs the command once, on a table with an entry raised where its coin is above 0.
func (c Command) release(ctx context.Context, coins []float64) (Release, error) {
	var given []float64
	raised := make([]bool, len(coins))
	tables := make([][]float64, len(c.Table.Values))
	next := 0
	for i, values := range c.Table.Values {
		for _, v := range values {
			if coins[next] > 0 {
				raised[next] = true
				v += c.Adjacency
			}
			tables[i] = append(tables[i], v)
			next++
		}
		given = append(given, values...)
	}
	out, err := c.give(ctx, tables)
	if err != nil {
		return Release{}, err
	}
	released, err := c.Table.ReadBack(out)
	if err != nil {
		return Release{}, fmt.Errorf("its output is no release: %w", err)
	}
	r := Release{Raised: raised}
	for _, values := range released {
		r.Values = append(r.Values, values...)
	}
	for i := range r.Values {
		r.Values[i] -= given[i]
	}
	return r, nil
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
