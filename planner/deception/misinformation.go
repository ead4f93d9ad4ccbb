package deception

import (
	"math"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// misinformation is the Max Misinformation of Chirra, Varakantham and Paruchuri (Preserving the Privacy of Reward
// Functions in MDPs through Deception, ECAI 2024, arXiv 2407.09809). It is made against an observer who infers rewards
// from moves: it maximises the expected sum of another reward, the anti-reward, and keeps at least a given expected
// value. Their program (github.com/shshnkreddy/DeceptiveRL) has several anti-rewards, all for tables, each of which is
// large where a nearly optimal policy does not go. This is the simplest: -log(x + 1e-8), where x are the expected
// discounted visits of a state and an action, here by the policy soft. (That program also has the policy's probability
// of the action in place of x, which says nothing of states that are far from its ways.)
//
// Their problems last a fixed time, where a constant that is added to the anti-reward changes nothing. A mission ends
// at its goal, and a reward for every move would be earned by circling. So the constant is such that a move that soft
// never makes costs 1. The value that is kept is a path cost of at most 1 + deception.detour times the least, as for
// exaggeration and ambiguity, so that all flights arrive. Their program searches for the weight of the true reward
// against the anti-reward, with policies that are nearly deterministic; pathProblem.bounded solves the linear program.
var misinformation = Way{Name: "misinformation",
	Meaning: "makes the moves that the policy soft makes least, at a limited detour, to mislead who infers rewards",
	plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		if p.Grid == nil {
			return planner.Plan{}, errNoGrid
		}
		j, err := newPathProblem(p.Grid, p.Law)
		if err != nil {
			return planner.Plan{}, err
		}
		price, err := j.expectation(s.Temperature, p)
		if err != nil {
			return planner.Plan{}, err
		}
		policy, _, _ := j.bounded(price, s.Detour)
		return planner.Plan{Stochastic: policy}, nil
	}}

// expectation returns the price of every pair: 1 + log((x + 1e-8)/1e-8), for x discounted visits that an observer who
// expects the policy soft expects.
func (j *pathProblem) expectation(temperature float64, p *planner.Solved) ([]float64, error) {
	const least = 1e-8 // of the authors' program
	expected, err := mdp.Soft(p.Law, p.Rewards.Joint, p.Discount, temperature, p.Tolerance, p.Rewards.Over())
	if err != nil {
		return nil, err
	}
	price := j.visits(expected.Policy, p.Discount)
	for pair, x := range price {
		price[pair] = 1 + math.Log1p(x/least)
	}
	return price, nil
}
