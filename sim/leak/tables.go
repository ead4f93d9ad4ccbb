package leak

import (
	"context"
	"fmt"

	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Sampling says how many private policies an observer knows who knows the mechanism, and how many training
// flights one who learns has.
type Sampling struct {
	Policies int // of every goal; 0 if the observer uses none
	// Groups divides the policies into groups of nearly equal size, which are also counted separately, for the
	// jackknife; 0 for none, at most Policies.
	Groups int
	// Alike says that policy k of all goals is made from the same draw, so that no goal looks likelier by chance.
	// For several flights, a hundred such policies give the accuracy of eight hundred made from separate draws.
	Alike   bool
	Flights int // training flights, to goals drawn from the prior; 0 if no observer learns
	Seed    uint64
	Workers int // goroutines; 0 for as many as there are cores
}

// Tables holds what observers know of a mechanism at an epsilon: for every goal, how many private policies take
// every action in every state, and the weights learned from training flights.
type Tables struct {
	Sampling
	epsilon float64
	chosen  [][]uint32 // by goal: states x actions x (all policies, and each group); nil if none are counted
	learned []float64  // nil if no observer learns
}

// counts returns the fields Policies and Chosen of adversary.Knowledge, without the policies of a group; -1 for none.
func (t *Tables) counts(without int) (policies float64, chosen func(goal, state int, to []float64)) {
	stride, left := 1+t.Groups, t.Policies
	if without >= 0 {
		left -= (t.Policies - without + t.Groups - 1) / t.Groups // policy k is in group k mod Groups
	}
	return float64(left), func(goal, state int, to []float64) {
		from := t.chosen[goal][state*len(to)*stride:]
		for action := range to {
			n := from[action*stride]
			if without >= 0 {
				n -= from[action*stride+1+without]
			}
			to[action] = float64(n)
		}
	}
}

// Purposes of random draws other than those of flights.
const (
	drawGoals    = 0x676f616c // "goal"
	drawPolicies = 0x706f6c69 // "poli"
	drawActions  = 0x61637469 // "acti": actions of stochastic policies
)

// Draw makes, at each epsilon (Unprivate for none), private policies for every goal and the training flights.
// The epsilons share the draws. If goals are drawn, it makes no policies. It calls done with the number of
// those it has completed. The pieces, if not nil, hold the results before and receive new ones.
func (w *World) Draw(ctx context.Context, epsilons []float64, s Sampling, kept *pieces.Work,
	done func(n int)) ([]*Tables, error) {
	if s.Policies < 0 || s.Flights < 0 || s.Policies+s.Flights == 0 || s.Groups < 0 || s.Groups > s.Policies {
		return nil, fmt.Errorf("leak: %d private policies of every goal in %d groups, and %d training flights; want at "+
			"least 1 of either, and no more groups", s.Policies, s.Groups, s.Flights)
	}
	tables := make([]*Tables, len(epsilons))
	for i := range tables {
		tables[i] = &Tables{Sampling: s, epsilon: epsilons[i]}
	}
	if s.Policies > 0 && w.decoys == nil {
		if err := w.countActions(ctx, tables, epsilons, s, kept, done); err != nil {
			return nil, err
		}
	}
	if s.Flights > 0 {
		return tables, w.teach(ctx, tables, epsilons, s, kept, done)
	}
	return tables, nil
}

// countActions makes the private policies and counts their actions in tables, by epsilon.
func (w *World) countActions(ctx context.Context, tables []*Tables, epsilons []float64, s Sampling, kept *pieces.Work,
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
			return w.countActionsOf(ctx, goal, epsilons, sigmas, s)
		}
	}
	for r, err := range pieces.Ordered(ctx, kept.Common(), s.Workers, pool.Numbers(0, len(w.Goals)), draw) {
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

// countActionsOf makes the private policies of one goal and counts their actions, by epsilon.
func (w *World) countActionsOf(ctx context.Context, goal int, epsilons, sigmas []float64,
	s Sampling) ([][]uint32, error) {
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
		pool.Rest(ctx)
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
