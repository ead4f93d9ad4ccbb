package planner

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/privacy"
)

// RewardsFor returns the true reward of the grid with another goal, a state inside it, as the only goal: states
// x actions entries. weight is the reward lost per spacing of distance.
func (g *Grid) RewardsFor(goal int, weight float64) []float64 {
	other := *g
	other.Goal, other.Others = goal, nil
	return other.rewards(weight)
}

// FarFromStart returns the reachable states that lie at least km from the start, in the plane of the grid. If
// privacy is disabled within km of the goal, an observer at the start cannot rule out these goals.
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

// GoalPrivacy says how well noise on the reward hides the goal. The rewards for two goals differ in most
// entries, so a guarantee for one entry says little about it.
type GoalPrivacy struct {
	Candidates int           // goals that the observer considers possible, including the true one
	Nearest    privacy.Group // how well the reward is hidden among the most similar other reward
	// Named is how often an observer who knows the rewards of all goals names the goal from a released reward.
	Named privacy.Identification
}

// GoalPrivacy compares the reward for the grid's goal with the rewards for the candidates, states in the grid,
// under noise of standard deviation sigma, for a delta in (0, 1) and at least 2 draws. weight is the reward
// lost per spacing of distance. It returns an error if there is no candidate besides the goal.
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
