package planner

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Plan is a plan in one of three forms: a policy, a stochastic policy, or a path.
type Plan struct {
	// Policy has the action of every state. With a stochastic policy it is the most likely action, the first of
	// several. With a path it is the policy that is followed after the path's end. Mechanisms leave it nil in
	// these two cases: PlanBy sets it, with a path to the optimal policy for the true reward.
	Policy []int32
	// Stochastic is nil or the probability of every action, states x actions: each visit of a state draws one
	// action.
	Stochastic []float64
	// Path is nil or the visited states, the start first. States may repeat.
	Path []int32

	Value  []float64 // discounted reward of following Policy, by state
	Bound  float64   // certified largest error of Value in any state, and largest distance from the optimum
	Reward []float64 // joint reward, states x actions, for which the policy is optimal
}

// sumTolerance is the largest difference between 1 and the sum of a state's probabilities: computed rows differ
// by a few units in the last place, faulty ones by far more.
const sumTolerance = 1e-9

// complete checks a mechanism's plan and sets its policy if it has another form.
func (p *Planner) complete(plan *Plan) error {
	switch {
	case plan.Stochastic != nil && plan.Path != nil:
		return errors.New("the plan has a stochastic policy and a path; want one of them")
	case plan.Stochastic != nil:
		if err := p.checkStochastic(plan.Stochastic); err != nil {
			return err
		}
		p.likeliest = p.likeliest[:0]
		for row := range slices.Chunk(plan.Stochastic, p.problem.Law.Actions()) {
			best := 0
			for action, q := range row {
				if q > row[best] {
					best = action
				}
			}
			p.likeliest = append(p.likeliest, int32(best))
		}
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

// Check returns an error if a mechanism's plan cannot be followed: it has not one form, or has actions or
// probabilities that the problem does not allow.
func (p *Planner) Check(plan Plan) error { return p.complete(&plan) }

// check refuses a policy that cannot be followed.
func (p *Planner) check(policy []int32) error {
	states, actions := p.problem.Law.States(), p.problem.Law.Actions()
	if len(policy) != states {
		return fmt.Errorf("the policy has actions for %d states; want %d", len(policy), states)
	}
	for state, action := range policy {
		if action < 0 || int(action) >= actions || p.problem.lacks(state, int(action)) {
			return fmt.Errorf("the policy takes action %d in state %d; want one of 0 to %d that the state has",
				action, state, actions-1)
		}
	}
	return nil
}

// checkStochastic refuses probabilities outside [0, 1], sums other than 1, and actions that a state lacks.
func (p *Planner) checkStochastic(policy []float64) error {
	states, actions := p.problem.Law.States(), p.problem.Law.Actions()
	if len(policy) != states*actions {
		return fmt.Errorf("the stochastic policy has %d probabilities; want %d, "+
			"one for each of %d states and %d actions", len(policy), states*actions, states, actions)
	}
	for state := range states {
		sum := 0.0
		for action, q := range policy[state*actions : (state+1)*actions] {
			if !(q >= 0 && q <= 1+sumTolerance) || q > 0 && p.problem.lacks(state, action) {
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

// checkPath refuses a path that does not begin at the start, or with a move that no action makes.
func (p *Planner) checkPath(path []int32) error {
	if !mdp.Deterministic(p.problem.Law) {
		return errors.New("the plan is a path, which needs deterministic transitions; " +
			"the problem has slip")
	}
	if len(path) == 0 || int(path[0]) != p.problem.Start {
		return fmt.Errorf("the path begins with %v; want the start, state %d", path[:min(len(path), 1)], p.problem.Start)
	}
	for i, next := range path[1:] {
		if _, ok := p.moveReward(int(path[i]), int(next)); !ok {
			return fmt.Errorf("move %d of the path goes from state %d to state %d; no action leads there",
				i+1, path[i], next)
		}
	}
	return nil
}

// moveReward returns the largest reward of the actions that lead from one state to another; ok is false if
// there is no such action.
func (p *Planner) moveReward(from, to int) (reward float64, ok bool) {
	reward = math.Inf(-1)
	var room [1]mdp.Outcome // one outcome, because transitions are deterministic
	actions := p.problem.Law.Actions()
	for action := range actions {
		outcomes := p.problem.Law.AppendOutcomes(room[:0], from, action)
		if !p.problem.lacks(from, action) && outcomes[0].State == to {
			reward, ok = max(reward, p.problem.Rewards.Joint[from*actions+action]), true
		}
	}
	return reward, ok
}

// CostOf returns the cost of following a plan from the start, under the true reward. It evaluates policies and
// stochastic policies; for a path it sums the discounted rewards of its moves and of the policy after it. The
// plan must come from PlanBy, from Plan or from the problem.
func (p *Planner) CostOf(plan *Plan) Cost {
	var value, bound float64
	switch {
	case plan.Stochastic != nil:
		problem := p.problem
		s, err := mdp.EvaluateStochastic(problem.Law, plan.Stochastic, problem.Rewards.Joint, problem.Discount,
			problem.Accuracy)
		if err != nil {
			panic("planner: a plan that was not checked: " + err.Error())
		}
		value, bound = s.Value[problem.Start], s.Bound
	case plan.Path != nil:
		value, bound = p.valueOfPath(plan)
	default:
		return p.Cost(plan.Policy)
	}
	return cost(p.problem.Optimal.Value[p.problem.Start], p.problem.Optimal.Bound, value, bound)
}

// valueOfPath returns the discounted reward of a path and of the policy after it, and a bound of its error.
func (p *Planner) valueOfPath(plan *Plan) (value, bound float64) {
	weight, size := 1.0, 0.0
	for i, next := range plan.Path[1:] {
		reward, _ := p.moveReward(int(plan.Path[i]), int(next))
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

// Walk appends the states that a plan visits, the start first, with the given number of moves for a stochastic
// plan. Each move takes one number of the noise, so on the same noise a longer walk begins with the shorter
// one. The walk of a path is the path itself. A policy has no walk: a Route follows it for ever.
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

// Route returns the route of a plan on a grid, with a walk of the plan.
func (p *Plan) Route(g *Grid, walk []int32) Route {
	return Route{Grid: g, Policy: p.Policy, Path: walk}
}

// FirstActions appends the action of every state on its first visit. For a stochastic plan it is drawn from the
// noise. For a path it is the action with the largest reward among those that lead along the path, and the
// policy's action in states that the path does not leave.
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
