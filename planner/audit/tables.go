package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Tables makes releases of whole reward tables. Coins decide which entries of a table are raised by the adjacency, so
// that each release tells of raised and of unraised entries.
type Tables struct {
	Rewards   []float64
	Adjacency float64
	Seed      uint64 // of the coins
	// Release returns a release of rewards, which are those with some raised. Runs are numbered from 0.
	Release func(ctx context.Context, run int, rewards []float64) ([]float64, error)

	public  func(entry int) bool // entries that are not compared; nil for none
	purpose uint64               // of the coins; 0 for purposeCommand
}

// LeastReleases is the least number of releases of whole tables that are made.
const LeastReleases = 8

// Runs is the number of releases that yield the given number of raised and of unraised entries.
func (t Tables) Runs(samples int) int {
	entries := len(t.Rewards)
	return max(LeastReleases, (2*samples+entries-1)/entries)
}

// Record makes the given number of releases on some workers and calls progress after each. The pieces hold the
// releases made before and receive the new ones; they may be nil.
func (t Tables) Record(ctx context.Context, runs, workers int, kept *pieces.Work, progress func(int)) (*Recorded,
	error) {
	releases, err := t.releases(ctx, runs, workers, kept, progress)
	if err != nil {
		return nil, err
	}
	rec := recorded(releases)
	for _, r := range releases {
		for i, v := range r.Values {
			rec.released = append(rec.released, v+t.Rewards[i])
		}
	}
	return rec, nil
}

// releases makes the releases of Record.
func (t Tables) releases(ctx context.Context, runs, workers int, kept *pieces.Work, progress func(int)) ([]Release,
	error) {
	var releases []Release
	newWork := func() pool.Work[int, Release] {
		return func(ctx context.Context, k int, _ Release) (Release, error) { return t.run(ctx, k) }
	}
	for r, err := range pieces.Ordered(ctx, kept, workers, pool.Numbers(0, runs), newWork) {
		if err != nil {
			return nil, err
		}
		releases = append(releases, r.Value)
		progress(1)
	}
	return releases, nil
}

// toss tosses coins, which decide the entries that are raised.
func toss(of privacy.Address, coins int) []bool {
	var noise privacy.Noise
	normals, heads := make([]float64, coins), make([]bool, coins)
	noise.Seek(of)
	noise.Normals(normals)
	for i, z := range normals {
		heads[i] = z > 0
	}
	return heads
}

// run makes release number k: of a table with an entry raised where its coin is above 0.
func (t Tables) run(ctx context.Context, k int) (Release, error) {
	raised := toss(privacy.Address{Seed: t.Seed, Run: uint64(k), Purpose: cmp.Or(t.purpose, purposeCommand)},
		len(t.Rewards))
	rewards := slices.Clone(t.Rewards)
	for i := range rewards {
		if raised[i] {
			rewards[i] += t.Adjacency
		}
	}
	released, err := t.Release(ctx, k, rewards)
	switch {
	case ctx.Err() != nil:
		return Release{}, ctx.Err()
	case err != nil:
		return Release{}, fmt.Errorf("release %d: %w", k+1, err)
	case len(released) != len(t.Rewards):
		return Release{}, fmt.Errorf("release %d has %d entries; want %d", k+1, len(released), len(t.Rewards))
	}
	var r Release
	for i, x := range released {
		if t.public == nil || !t.public(i) {
			r.Raised, r.Values = append(r.Raised, raised[i]), append(r.Values, x-t.Rewards[i])
		}
	}
	return r, nil
}
