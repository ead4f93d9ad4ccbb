package leak

import (
	"context"
	"fmt"

	"veilpath/planner/privacy"
)

// Pair says what the noise of a guarantee for one entry means between two goals, whose rewards differ in most entries.
type Pair struct {
	Epsilon, Sigma float64
	Group          privacy.Group // of the rewards of the two, exact
	AdjacencyB     float64       // by which a neighbour differs
	// NamedOne and NamedOther are how often a released reward names the one goal, and the other, among all candidates.
	NamedOne, NamedOther privacy.Identification
}

// Pairs compares two goals, states of the grid, at several epsilons. candidates are the goals that an observer of a release
// deems possible, draws how many releases of each are drawn, at least 2.
func (s *Setting) Pairs(ctx context.Context, one, other int, candidates []int, epsilons []float64, draws int, seed uint64, done func(n int)) ([]Pair, error) {
	if one == other {
		return nil, fmt.Errorf("leak: the two goals are one, cell %d; want different ones", one)
	}
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	weight, delta := s.Spec.RewardWeight, s.Guarantee.Delta
	var pairs []Pair
	for _, epsilon := range epsilons {
		p := Pair{Epsilon: epsilon, AdjacencyB: s.Guarantee.Adjacency}
		if p.Sigma, err = s.Guarantee.At(epsilon).Sigma(); err != nil {
			return nil, err
		}
		if p.Group, err = privacy.GroupPrivacy(grid.RewardsFor(one, weight), grid.RewardsFor(other, weight), delta, p.Sigma); err != nil {
			return nil, err
		}
		for _, g := range []struct {
			goal  int
			named *privacy.Identification
		}{{one, &p.NamedOne}, {other, &p.NamedOther}} {
			own := *grid
			own.Goal = g.goal
			var noise privacy.Noise
			noise.Seek(privacy.Address{Seed: seed, Cell: uint64(g.goal), Purpose: drawReleases})
			found, err := own.GoalPrivacy(ctx, candidates, weight, delta, p.Sigma, draws, &noise, func() { done(1) })
			if err != nil {
				return nil, err
			}
			*g.named = found.Named
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}
