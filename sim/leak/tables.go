package leak

import (
	"context"
	"fmt"

	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Sampling says which private policies of every goal an observer who knows the mechanism has seen, and how many flights
// one who has learned from them.
type Sampling struct {
	Policies int // of every goal; 0 where the observer does not ask for any
	// Groups is how many groups of them, as large as each other, are counted apart too, to say what is left of an answer
	// without each; 0 for none, at most Policies.
	Groups int
	// Alike has policy k of all goals be made from one draw, so that by chance no goal looks likelier than another:
	// a hundred tell of several flights what eight hundred made apart do.
	Alike   bool
	Flights int // to goals drawn from the prior, that an observer has learned from; 0 where none does
	Seed    uint64
	Workers int // goroutines that make them; 0 for as many as there are cores
}

// Tables are what observers have seen of a mechanism at an epsilon. They count, for every goal, how many of some
// private policies take every action in every state, and have the weights that flights have taught.
type Tables struct {
	Sampling
	epsilon float64
	chosen  [][]uint32 // by goal: states x actions x (all, and the policies of every group); nil where none are counted
	learned []float64  // nil where nobody learns
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
// draws, and the flights at each that an observer learns from. done is told how many were made. It goes on after what a
// keeper has, and has it keep the others; nil for none. Where goals are drawn there are no policies to count.
func (w *World) Draw(ctx context.Context, epsilons []float64, s Sampling, keeper pool.Keeper,
	done func(n int)) ([]*Tables, error) {
	if s.Policies < 0 || s.Flights < 0 || s.Policies+s.Flights == 0 || s.Groups < 0 || s.Groups > s.Policies {
		return nil, fmt.Errorf("leak: %d private policies of every goal in %d groups, and %d flights to learn from; want at "+
			"least 1 of either, and no more groups", s.Policies, s.Groups, s.Flights)
	}
	tables := make([]*Tables, len(epsilons))
	for i := range tables {
		tables[i] = &Tables{Sampling: s, epsilon: epsilons[i]}
	}
	if s.Policies > 0 && w.decoys == nil {
		if err := w.count(ctx, tables, epsilons, s, keeper, done); err != nil {
			return nil, err
		}
	}
	if s.Flights > 0 {
		return tables, w.teach(ctx, tables, epsilons, s, keeper, done)
	}
	return tables, nil
}

// count makes the private policies and counts them in tables, by epsilon.
func (w *World) count(ctx context.Context, tables []*Tables, epsilons []float64, s Sampling, keeper pool.Keeper,
	done func(n int)) error {
	sigmas := make([]float64, len(epsilons))
	for i, epsilon := range epsilons {
		var err error
		if sigmas[i], err = w.Sigma(epsilon); err != nil {
			return err
		}
	}
	draw := func() pool.Work[int, [][]uint32] {
		return func(ctx context.Context, goal int, _ [][]uint32) ([][]uint32, error) {
			return w.draw(ctx, goal, epsilons, sigmas, s)
		}
	}
	for r, err := range pool.Resumed(ctx, s.Workers, count(len(w.Goals)), draw, pool.Common(keeper)) {
		if err != nil {
			return err
		}
		for i, chosen := range r.Value {
			tables[i].chosen = append(tables[i].chosen, chosen)
		}
		done(s.Policies * len(epsilons))
	}
	return nil
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
