package deception

import (
	"veilpath/planner"
	"veilpath/planner/mdp"
)

// soft draws its moves from the entropy-regularised policy for the true reward, see mdp.Soft. The hotter it is,
// the more it wanders and the less its moves tell.
var soft = Way{Name: "soft",
	Meaning: "takes every move with a probability that is the larger the more it is worth: the entropy-regularised " +
		"policy at deception.temperature",
	plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		solution, err := mdp.Soft(p.Law, p.Rewards.Joint, p.Discount, s.Temperature, p.Tolerance, p.Rewards.Over())
		return planner.Plan{Stochastic: solution.Policy}, err
	}}
