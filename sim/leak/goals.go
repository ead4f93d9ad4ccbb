package leak

import (
	"context"
	"fmt"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Pair describes how well the noise of a guarantee for one entry hides which of two goals a reward belongs to.
// The rewards of two goals differ in most entries.
type Pair struct {
	Epsilon, Sigma float64
	AdjacencyB     float64 // by how much one entry of a neighbouring reward differs at most
	planner.Pair
}

// Pairs compares two goals, which are states of the grid, at several epsilons. candidates are the goals that an
// observer of a release considers possible. draws, at least 2, is how many releases are drawn for each of the
// two goals.
func (s *Setting) Pairs(ctx context.Context, one, other int, candidates []int, epsilons []float64, draws int,
	seed uint64, done func(n int)) ([]Pair, error) {
	if _, input := planner.LinearOf(s.Mechanism).(privacy.InputPerturbation); !input && s.Mechanism != nil {
		return nil, fmt.Errorf("leak: comparing two goals needs Gaussian noise on every reward, which mechanism "+
			"%s does not add; remove the mechanism from the setting", s.Mechanism.Name())
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
