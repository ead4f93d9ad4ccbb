package leak

import (
	"context"
	"fmt"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Pair says what the noise of a guarantee for one entry means between two goals, whose rewards differ in most entries.
type Pair struct {
	Epsilon, Sigma float64
	AdjacencyB     float64 // by which a neighbour differs
	planner.Pair
}

// Pairs compares two goals, states of the grid, at several epsilons. candidates are the goals that an observer of a
// release deems possible, draws how many releases of each are drawn, at least 2.
func (s *Setting) Pairs(ctx context.Context, one, other int, candidates []int, epsilons []float64, draws int,
	seed uint64, done func(n int)) ([]Pair, error) {
	if _, input := planner.LinearOf(s.Mechanism).(privacy.InputPerturbation); !input && s.Mechanism != nil {
		return nil, fmt.Errorf("leak: two goals are compared with Gaussian noise on every reward, and not for mechanism %s; "+
			"leave it out of the setting", s.Mechanism.Name())
	}
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for _, epsilon := range epsilons {
		p := Pair{Epsilon: epsilon, AdjacencyB: s.Guarantee.Adjacency}
		if p.Sigma, err = s.Guarantee.At(epsilon).Sigma(); err != nil {
			return nil, err
		}
		if p.Pair, err = grid.Between(ctx, one, other, candidates, s.Spec.RewardWeight, s.Guarantee.Delta, p.Sigma, draws,
			seed, func() { done(1) }); err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}
