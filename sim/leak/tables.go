package leak

import (
	"context"
	"fmt"

	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Sampling says which private policies of every goal an observer who knows the mechanism has seen.
type Sampling struct {
	Policies int // of every goal; 0 where the observer does not ask for any
	// Groups is how many groups of them, as large as each other, are counted apart too, to say what is left of an answer
	// without each; 0 for none, at most Policies.
	Groups int
	// Alike has policy k of all goals be made from one draw, so that by chance no goal looks likelier than another:
	// a hundred tell of several flights what eight hundred made apart do.
	Alike   bool
	Seed    uint64
	Workers int // goroutines that make them; 0 for as many as there are cores
}

// Tables count, for every goal, how many of some private policies take every action in every state.
type Tables struct {
	Sampling
	chosen [][]uint32 // by goal: states x actions x (all, and the policies of every group)
}

// counts returns what adversary.Knowledge has of the policies.
func (t *Tables) counts() (policies float64, chosen func(goal, state int, to []float64)) {
	stride := 1 + t.Groups
	return float64(t.Policies), func(goal, state int, to []float64) {
		from := t.chosen[goal][state*len(to)*stride:]
		for action := range to {
			to[action] = float64(from[action*stride])
		}
	}
}

// countsWithout is counts of the policies that are not in a group.
func (t *Tables) countsWithout(group int) (policies float64, chosen func(goal, state int, to []float64)) {
	stride := 1 + t.Groups
	size := (t.Policies - group + t.Groups - 1) / t.Groups // policy k is in group k mod Groups
	return float64(t.Policies - size), func(goal, state int, to []float64) {
		from := t.chosen[goal][state*len(to)*stride:]
		for action := range to {
			to[action] = float64(from[action*stride] - from[action*stride+1+group])
		}
	}
}

// Purposes of numbers drawn, beside those of flights.
const (
	drawGoals    = 0x676f616c // "goal"
	drawPolicies = 0x706f6c69 // "poli"
	drawActions  = 0x61637469 // "acti": of those that are stochastic
)

// Draw makes private policies for every goal at every one of some epsilons, Unprivate for none, which share their
// draws. done is told how many were made. It goes on after what a keeper has, and has it keep the others; nil for none.
func (w *World) Draw(ctx context.Context, epsilons []float64, s Sampling, keeper pool.Keeper,
	done func(n int)) ([]*Tables, error) {
	if s.Policies < 1 || s.Groups < 0 || s.Groups > s.Policies {
		return nil, fmt.Errorf("leak: %d private policies of every goal in %d groups; want at least 1, and no more groups",
			s.Policies, s.Groups)
	}
	tables := make([]*Tables, len(epsilons))
	for i := range tables {
		tables[i] = &Tables{Sampling: s}
	}
	sigmas := make([]float64, len(epsilons))
	for i, epsilon := range epsilons {
		var err error
		if sigmas[i], err = w.Sigma(epsilon); err != nil {
			return nil, err
		}
	}
	draw := func() pool.Work[int, [][]uint32] {
		return func(ctx context.Context, goal int, _ [][]uint32) ([][]uint32, error) {
			return w.draw(ctx, goal, epsilons, sigmas, s)
		}
	}
	for r, err := range pool.Resumed(ctx, s.Workers, count(len(w.Goals)), draw, pool.Common(keeper)) {
		if err != nil {
			return nil, err
		}
		for i, chosen := range r.Value {
			tables[i].chosen = append(tables[i].chosen, chosen)
		}
		done(s.Policies * len(epsilons))
	}
	return tables, nil
}

// draw makes the private policies of one goal and counts them, by epsilon.
func (w *World) draw(ctx context.Context, goal int, epsilons, sigmas []float64, s Sampling) ([][]uint32, error) {
	mission := w.Goals[goal].Mission
	p, err := w.newPlans(mission)
	if err != nil {
		return nil, err
	}
	stride := 1 + s.Groups
	counts := make([][]uint32, len(sigmas))
	for i := range counts {
		counts[i] = make([]uint32, len(w.values[goal])*stride)
	}
	actions := len(w.values[goal]) / mission.Grid.States()
	address := privacy.Address{Seed: s.Seed, Purpose: drawPolicies}
	if !s.Alike {
		address.Cell = uint64(w.Goals[goal].State)
	}
	for k := range s.Policies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		address.Run = uint64(k)
		for i, epsilon := range epsilons {
			policy, err := p.policy(epsilon, sigmas[i], address)
			if err != nil {
				return nil, err
			}
			for state, action := range policy {
				at := (state*actions + int(action)) * stride
				counts[i][at]++
				if s.Groups > 0 {
					counts[i][at+1+k%s.Groups]++
				}
			}
		}
	}
	return counts, nil
}
