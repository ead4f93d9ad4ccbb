package planner

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Plan is how to act, in one of three forms: a policy, a stochastic policy, or a path.
type Plan struct {
	// Policy is the action of every state. Beside a stochastic policy it is the likeliest action, the first of
	// those that are; beside a path it is what is followed from the path's end on. A mechanism leaves it nil there:
	// PlanBy sets it, beside a path to the policy that is optimal for the true reward.
	Policy []int32
	// Stochastic, where it is not nil, is the probability of every action, states x actions: each visit of a state
	// draws one.
	Stochastic []float64
	// Path, where it is not nil, is the states that are visited, the start first. They may come again.
	Path []int32

	Value  []float64 // discounted reward of following Policy, per state
	Bound  float64   // certified largest error of Value in any state, and distance from the optimum
	Reward []float64 // joint, states x actions, for which the policy is optimal
}

// sumTolerance is how far the probabilities of a state's actions may sum from 1: rows that are computed miss it
// by a few units in the last place, a mistake by far more.
const sumTolerance = 1e-9

// complete checks a plan of a mechanism and sets the policy beside its other forms.
func (p *Planner) complete(plan *Plan) error {
	switch {
	case plan.Stochastic != nil && plan.Path != nil:
		return errors.New("the plan has a stochastic policy and a path; want one of them")
	case plan.Stochastic != nil:
		if err := p.checkStochastic(plan.Stochastic); err != nil {
			return err
		}
		p.likeliest = likeliest(p.likeliest[:0], plan.Stochastic, p.problem.Law.Actions())
		plan.Policy = p.likeliest
	case plan.Path != nil:
		if err := p.checkPath(plan.Path); err != nil {
			return err
		}
		if plan.Policy == nil {
			plan.Policy = p.problem.Optimal.Policy
		}
	}
	return p.check(plan.Policy)
}

// check refuses a policy that cannot be followed.
func (p *Planner) check(policy []int32) error {
	states, actions := p.problem.Law.States(), p.problem.Law.Actions()
	if len(policy) != states {
		return fmt.Errorf("the policy has actions for %d states; want %d", len(policy), states)
	}
	for state, action := range policy {
		if action < 0 || int(action) >= actions || p.lacks(state, int(action)) {
			return fmt.Errorf("the policy takes action %d in state %d; want one of 0 to %d that the state has",
				action, state, actions-1)
		}
	}
	return nil
}

// lacks reports whether a state does not have an action.
func (p *Planner) lacks(state, action int) bool {
	return math.IsInf(p.problem.Rewards.Joint[state*p.problem.Law.Actions()+action], -1)
}

// checkStochastic refuses what are no probabilities of actions that the states have.
func (p *Planner) checkStochastic(policy []float64) error {
	states, actions := p.problem.Law.States(), p.problem.Law.Actions()
	if len(policy) != states*actions {
		return fmt.Errorf("the stochastic policy has %d probabilities; want %d, "+
			"one for each of %d states and %d actions", len(policy), states*actions, states, actions)
	}
	for state := range states {
		sum := 0.0
		for action, q := range policy[state*actions : (state+1)*actions] {
			if !(q >= 0 && q <= 1+sumTolerance) || q > 0 && p.lacks(state, action) {
				return fmt.Errorf("the stochastic policy takes action %d in state %d with probability %v; "+
					"want 0 to 1, and 0 for an action that the state lacks", action, state, q)
			}
			sum += q
		}
		if !(math.Abs(sum-1) <= sumTolerance) {
			return fmt.Errorf("the probabilities of the actions of state %d sum to %v; want 1", state, sum)
		}
	}
	return nil
}

// likeliest appends the likeliest action of every state, the first of those that are.
func likeliest(to []int32, policy []float64, actions int) []int32 {
	for row := range slices.Chunk(policy, actions) {
		best := 0
		for action, q := range row {
			if q > row[best] {
				best = action
			}
		}
		to = append(to, int32(best))
	}
	return to
}

// checkPath refuses a path that begins elsewhere than at the start, or goes where no action leads.
func (p *Planner) checkPath(path []int32) error {
	if !mdp.Deterministic(p.problem.Law) {
		return errors.New("the plan is a path, which takes actions that lead to one state each; " +
			"those of the problem may slip")
	}
	if len(path) == 0 || int(path[0]) != p.problem.Start {
		return fmt.Errorf("the path begins with %v; want the start, state %d", path[:min(len(path), 1)], p.problem.Start)
	}
	for i, next := range path[1:] {
		if _, ok := p.rewardOfMove(int(path[i]), int(next)); !ok {
			return fmt.Errorf("move %d of the path goes from state %d to state %d; no action leads there",
				i+1, path[i], next)
		}
	}
	return nil
}

// rewardOfMove returns the largest reward of the actions that lead from one state to another, false where none
// does.
func (p *Planner) rewardOfMove(from, to int) (reward float64, ok bool) {
	reward = math.Inf(-1)
	var room [1]mdp.Outcome // for certain moves
	actions := p.problem.Law.Actions()
	for action := range actions {
		outcomes := p.problem.Law.AppendOutcomes(room[:0], from, action)
		if !p.lacks(from, action) && outcomes[0].State == to {
			reward, ok = max(reward, p.problem.Rewards.Joint[from*actions+action]), true
		}
	}
	return reward, ok
}

// CostOf returns what following a plan costs, as judged on the true reward, which it earns from the start: a
// policy and a stochastic one by evaluation, a path the discounted rewards of its moves and then of the policy
// that goes on. It is for plans of PlanBy, Plan and the problem.
func (p *Planner) CostOf(plan *Plan) Cost {
	var value, bound float64
	switch {
	case plan.Stochastic != nil:
		value, bound = p.valueOfStochastic(plan.Stochastic)
	case plan.Path != nil:
		value, bound = p.valueOfPath(plan)
	default:
		return p.Cost(plan.Policy)
	}
	return cost(p.problem.Optimal.Value[p.problem.Start], p.problem.Optimal.Bound, value, bound)
}

// valueOfStochastic returns the value of a stochastic policy at the start and a bound of its error.
func (p *Planner) valueOfStochastic(policy []float64) (value, bound float64) {
	problem := p.problem
	s, err := mdp.EvaluateStochastic(problem.Law, policy, problem.Rewards.Joint, problem.Discount, problem.Accuracy)
	if err != nil {
		panic("planner: a plan that was not checked: " + err.Error())
	}
	return s.Value[p.problem.Start], s.Bound
}

// valueOfPath returns the discounted reward of a path and of the policy from its end, and a bound of its error.
func (p *Planner) valueOfPath(plan *Plan) (value, bound float64) {
	weight, size := 1.0, 0.0
	for i, next := range plan.Path[1:] {
		reward, _ := p.rewardOfMove(int(plan.Path[i]), int(next))
		value += weight * reward
		size += weight * math.Abs(reward)
		weight *= p.problem.Discount
	}
	end := int(plan.Path[len(plan.Path)-1])
	rest, restBound := p.solver.ValueFrom(end, plan.Policy, p.problem.Rewards.Joint, p.problem.Accuracy)
	const rounding = 0x1p-53
	n := float64(len(plan.Path))
	return value + weight*rest, weight*restBound + 2*n*rounding*(size+weight*math.Abs(rest))
}

// Walk appends the states that a plan visits, the start first, with so many moves where it is stochastic: each
// takes a number of the noise, so that the longer of two walks on the same noise begins with the shorter. The
// walk of a path is that path; a policy has none, since a Route follows it for ever.
func (p *Plan) Walk(to []int32, g *Grid, moves int, noise *privacy.Noise) []int32 {
	if p.Stochastic == nil {
		return append(to, p.Path...)
	}
	actions := len(p.Stochastic) / g.States()
	state := g.Start
	to = append(to, int32(state))
	for range moves {
		action := privacy.DrawFrom(p.Stochastic[state*actions:(state+1)*actions], noise.Uniform())
		state = g.Next(state, Action(action))
		to = append(to, int32(state))
	}
	return to
}

// Route returns how a plan is flown on a grid, with a walk of it.
func (p *Plan) Route(g *Grid, walk []int32) Route {
	return Route{Grid: g, Policy: p.Policy, Path: walk}
}

// FirstActions appends the action of every state on its first visit: drawn from the noise where the plan is
// stochastic; where it is a path, an action that leads on along it and earns the most, and that of the policy in
// states that it does not visit or ends in.
func (p *Plan) FirstActions(to []int32, m *Mission, noise *privacy.Noise) []int32 {
	actions := m.Law.Actions()
	if p.Stochastic != nil {
		for row := range slices.Chunk(p.Stochastic, actions) {
			to = append(to, int32(privacy.DrawFrom(row, noise.Uniform())))
		}
		return to
	}
	first := append(to, p.Policy...)
	for i := len(p.Path) - 2; i >= 0; i-- { // the first visit is set last
		state, next := int(p.Path[i]), int(p.Path[i+1])
		best := math.Inf(-1)
		for action, reward := range m.Rewards.Joint[state*actions : (state+1)*actions] {
			if reward > best && m.Grid.Next(state, Action(action)) == next {
				first[len(to)+state], best = int32(action), reward
			}
		}
	}
	return first
}
