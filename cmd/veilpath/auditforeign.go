package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/planner/reward"
	"veilpath/sim/record/parquet"
)

// foreign is a mechanism of somebody else: what it promises, and how many numbers are wanted of it.
type foreign struct {
	claim audit.Claim
	flags auditFlags
	seed  uint64
}

// checkForeign refuses flags that go with another kind of audit.
func checkForeign(cmd *cobra.Command, f auditFlags) error {
	changed := func(name string) bool { return cmd.Flag(name).Changed }
	if f.from != "" && f.command != "" {
		return usageError{errors.New("--from and --command each name a mechanism; leave one of them out")}
	}
	without := []string{"of", "entry", "tables", "calibration"}
	switch {
	case f.from != "":
		without = append(without, "samples", "rewards", "header")
	case f.command == "":
		without = []string{"sigma", "rewards", "header"}
	}
	for _, name := range without {
		if changed(name) {
			switch {
			case f.from != "":
				return usageError{fmt.Errorf("--%s says nothing of releases that are there already; leave it out", name)}
			case f.command != "":
				return usageError{fmt.Errorf("--%s is for this program's own mechanism; leave it out with --command", name)}
			}
			return usageError{fmt.Errorf("--%s is for mechanisms of others; add --from FILE or --command COMMAND", name)}
		}
	}
	if f.command != "" && f.rewards == "" {
		return usageError{errors.New("--command needs a table to release; add --rewards FILE")}
	}
	for _, name := range []string{"epsilon", "delta", "adjacency"} {
		if (f.from != "" || f.command != "") && !changed(name) {
			return usageError{fmt.Errorf("--%s is missing: it is part of the promise of a mechanism that is not this program's", name)}
		}
	}
	return nil
}

// foreignClaim is what a mechanism of somebody else promises.
func foreignClaim(c configs.Config, sigma float64) audit.Claim {
	claim := audit.Claim{Epsilon: c.Privacy.Epsilon, Delta: c.Privacy.Delta, Adjacency: c.Privacy.Adjacency}
	if !math.IsNaN(sigma) {
		claim.Sigma = sigma
	}
	return claim
}

// auditForeign judges releases that are there, or that a command makes.
func (a *app) auditForeign(ctx context.Context, f foreign) (*audit.Report, error) {
	var recorded *audit.Recorded
	var err error
	if f.flags.from != "" {
		recorded, err = a.recordedReleases(f.flags.from, f.claim.Adjacency)
	} else {
		recorded, err = a.commandReleases(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	r, err := f.claim.JudgeRecorded(recorded, f.flags.falseAlarms)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s%s: %w", f.flags.from, f.flags.command, err)}
	}
	return r, nil
}

// recordedReleases reads releases from a file.
func (a *app) recordedReleases(path string, adjacency float64) (*audit.Recorded, error) {
	recorded, err := a.openReleases(path, adjacency)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return recorded, nil
}

// mostReleaseBytes is the size of the largest CSV file of releases that is read.
const mostReleaseBytes = 1 << 30

func (a *app) openReleases(path string, adjacency float64) (*audit.Recorded, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, terminal.Innermost(err)
	}
	defer file.Close()
	var columns audit.Columns
	if strings.HasSuffix(strings.ToLower(path), ".parquet") {
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		if columns, err = parquet.ReadNumbers(file, info.Size()); err != nil {
			return nil, err
		}
	} else {
		text := &io.LimitedReader{R: file, N: mostReleaseBytes}
		columns, err = audit.ReadCSV(text)
		if text.N == 0 {
			err = fmt.Errorf("more than %d MiB; split it", mostReleaseBytes>>20)
		}
		if err != nil {
			return nil, err
		}
	}
	return columns.Record(adjacency)
}

// commandReleases has a command release a table, a coin raising every entry or not, as often as the samples take.
func (a *app) commandReleases(ctx context.Context, f foreign) (*audit.Recorded, error) {
	table, err := a.readTable(ctx, f.flags.rewards, f.flags.header)
	if err != nil {
		return nil, err
	}
	runs := max(audit.LeastReleases, (2*f.flags.samples+table.Entries()-1)/table.Entries())
	bar := a.newProgress(runs, "releases")
	defer bar.End()
	recorded := new(audit.Recorded)
	var noise privacy.Noise
	coins := make([]float64, table.Entries())
	for k := range runs {
		noise.Seek(privacy.Address{Seed: f.seed, Run: uint64(k), Purpose: purposeCommand})
		noise.Normals(coins)
		r, err := releaseBy(ctx, f.flags.command, table, coins, f.claim.Adjacency)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("--command %s: release %d: %w", f.flags.command, k+1, err)
		}
		recorded.Releases = append(recorded.Releases, r)
		bar.Add(1)
	}
	recorded.Table, recorded.Neighbour = audit.Pool(recorded.Releases)
	return recorded, nil
}

// purposeCommand names the stream of the coins for commands.
const purposeCommand = 30

// releaseBy has a command release a table with an entry raised where its coin is above 0.
func releaseBy(ctx context.Context, command string, table *reward.Table, coins []float64, adjacency float64) (audit.Release, error) {
	var given []float64
	raised := make([]bool, len(coins))
	tables := make([][]float64, len(table.Values))
	next := 0
	for i, values := range table.Values {
		for _, v := range values {
			if coins[next] > 0 {
				raised[next] = true
				v += adjacency
			}
			tables[i] = append(tables[i], v)
			next++
		}
		given = append(given, values...)
	}
	var in, out, complaint bytes.Buffer
	if err := table.Write(&in, tables); err != nil {
		return audit.Release{}, err
	}
	process := exec.CommandContext(ctx, "sh", "-c", command)
	process.Stdin, process.Stdout, process.Stderr = &in, &limited{&out, reward.MaxBytes}, &limited{&complaint, mostComplaint}
	if err := process.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			last := strings.Split(text, "\n")
			err = fmt.Errorf("%w: %s", err, last[len(last)-1])
		}
		return audit.Release{}, err
	}
	released, err := table.ReadBack(&out)
	if err != nil {
		return audit.Release{}, fmt.Errorf("what it wrote is no release: %w", err)
	}
	r := audit.Release{Raised: raised}
	for _, values := range released {
		r.Values = append(r.Values, values...)
	}
	for i := range r.Values {
		r.Values[i] -= given[i]
	}
	return r, nil
}

// mostComplaint is how much is kept of what a command says of its troubles.
const mostComplaint = 64 << 10

// limited takes so many bytes and drops the rest.
type limited struct {
	*bytes.Buffer
	most int
}

func (l *limited) Write(text []byte) (int, error) {
	l.Buffer.Write(text[:max(0, min(len(text), l.most-l.Len()))])
	return len(text), nil
}
