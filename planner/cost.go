package planner

import (
	"math"

	"veilpath/planner/mdp"
)

// Cost is the cost of privacy: the values at the start of the optimal policy and of a policy made for a private
// reward, both under the true reward (arXiv 2309.12476, Section 6).
type Cost struct {
	Optimal, Private   float64
	Absolute, Relative float64 // |Private - Optimal|, and that over |Optimal|
	Bound              float64 // certified error of Absolute
}

// cost compares a private value with the optimal one, each known to within its bound. If the optimal value is
// 0, the relative cost is 0 for a policy that attains it and +Inf for any other.
func cost(optimal, optimalBound, private, privateBound float64) Cost {
	c := Cost{Optimal: optimal, Private: private, Absolute: math.Abs(private - optimal),
		Bound: optimalBound + privateBound}
	if c.Absolute != 0 {
		c.Relative = c.Absolute / math.Abs(optimal)
	}
	return c
}

// Cost returns the cost of following a policy, under the true reward.
func (p *Planner) Cost(policy []int32) Cost {
	value, bound := p.solver.ValueFrom(p.problem.Start, policy, p.problem.Rewards.Joint, p.problem.Accuracy)
	return cost(p.problem.Optimal.Value[p.problem.Start], p.problem.Optimal.Bound, value, bound)
}

// CostOfPrivacy returns the relative Cost of a policy: |v_policy - v_optimal| / |v_optimal| (paper, Section 8).
func (p *Planner) CostOfPrivacy(policy []int32) float64 { return p.Cost(policy).Relative }

// ActionValues returns Q(s, a), states x actions: the value of taking an action in a state and following the
// optimal plan afterwards, on the true joint reward.
func (s *Solved) ActionValues() []float64 {
	actions := s.Law.Actions()
	values := append([]float64(nil), s.Rewards.Joint...)
	var outcomes []mdp.Outcome
	for i := range values {
		outcomes = s.Law.AppendOutcomes(outcomes[:0], i/actions, i%actions)
		for _, o := range outcomes {
			values[i] += s.Discount * o.Probability * s.Optimal.Value[o.State]
		}
	}
	return values
}
