package planner

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/privacy"
)

// RewardsFor returns the true reward that the grid has for another goal, a state inside it: states x
// actions entries. It is the only goal then. weight is the reward lost per spacing of distance.
func (g *Grid) RewardsFor(goal int, weight float64) []float64 {
	other := *g
	other.Goal, other.Others = goal, nil
	return other.rewards(weight)
}

// FarFromStart returns the states that ways lead to and that lie at least that many km from the start, in the plane of
// the grid: the goals that an observer of the start cannot rule out, when privacy is disabled nearer to a goal than
// that.
func (g *Grid) FarFromStart(km float64) []int {
	var far []int
	reached := g.reached()
	for state := range g.States() {
		if reached[state] && r3.Norm(r3.Sub(g.Position(state), g.Position(g.Start))) >= km {
			far = append(far, state)
		}
	}
	return far
}

// GoalPrivacy is what noise on the reward leaves of the goal's secrecy. The rewards for two goals differ in
// most entries, so a guarantee for one entry says little about it.
type GoalPrivacy struct {
	Candidates int           // goals that the observer deems possible, with the true one
	Nearest    privacy.Group // how well the reward is hidden among the most similar of the others
	// Named is how often a released reward names the goal, to an observer who knows how rewards follow from goals.
	Named privacy.Identification
}

// GoalPrivacy compares the reward for the grid's goal with those for the candidates, states in the grid, under
// noise of standard deviation sigma, for a delta in (0, 1) and at least 2 draws. weight is the reward lost per
// spacing of distance. It is an error if there is no candidate beside the goal.
func (g *Grid) GoalPrivacy(ctx context.Context, candidates []int, weight, delta, sigma float64, draws int,
	noise *privacy.Noise, drawn func()) (GoalPrivacy, error) {
	own := g.RewardsFor(g.Goal, weight)
	var others [][]float64
	var found GoalPrivacy
	for _, goal := range candidates {
		if goal == g.Goal {
			continue
		}
		other := g.RewardsFor(goal, weight)
		group, err := privacy.GroupPrivacy(own, other, delta, sigma)
		if err != nil {
			return GoalPrivacy{}, err
		}
		if others = append(others, other); len(others) == 1 || group.Distance < found.Nearest.Distance {
			found.Nearest = group
		}
	}
	if len(others) == 0 {
		return GoalPrivacy{}, errors.New("planner: no other goal is possible")
	}
	found.Candidates = 1 + len(others)
	var err error
	found.Named, err = privacy.Identify(ctx, own, others, sigma, draws, noise, drawn)
	return found, err
}

// purposePair names the noise of releases that may name a goal of two.
const purposePair = 0x70616972 // "pair"

// Pair is what noise on the reward leaves of the secrecy between two goals.
type Pair struct {
	Group privacy.Group // of the rewards of the two, exact
	// NamedOne and NamedOther are how often a released reward names the one goal, and the other, among all candidates.
	NamedOne, NamedOther privacy.Identification
}

// Between compares the rewards for two different goals, states of the grid. Arguments are those of GoalPrivacy; the
// releases of a goal are those of the seed, whatever the other goal and sigma.
func (g *Grid) Between(ctx context.Context, one, other int, candidates []int, weight, delta, sigma float64, draws int,
	seed uint64, drawn func()) (Pair, error) {
	if one == other {
		return Pair{}, fmt.Errorf("planner: the two goals are one, cell %d; want different ones", one)
	}
	var p Pair
	var err error
	if p.Group, err = privacy.GroupPrivacy(g.RewardsFor(one, weight), g.RewardsFor(other, weight), delta,
		sigma); err != nil {
		return Pair{}, err
	}
	for _, of := range []struct {
		goal  int
		named *privacy.Identification
	}{{one, &p.NamedOne}, {other, &p.NamedOther}} {
		own := *g
		own.Goal = of.goal
		var noise privacy.Noise
		noise.Seek(privacy.Address{Seed: seed, Cell: uint64(of.goal), Purpose: purposePair})
		found, err := own.GoalPrivacy(ctx, candidates, weight, delta, sigma, draws, &noise, drawn)
		if err != nil {
			return Pair{}, err
		}
		*of.named = found.Named
	}
	return p, nil
}
