package deception

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// pathProblem is the stochastic shortest path problem of a grid: its moves, and their costs, until a goal is reached.
// Pairs of states and actions are numbered state*actions+action.
type pathProblem struct {
	law    *mdp.Model
	start  int
	cost   []float64 // of every pair: planner.Grid.MoveCost; +Inf for moves that stay, which are excluded
	ends   []int     // terminal states: goals, and states that no move leaves
	solver mdp.Solver
}

// almostOne stands for a discount of 1, which solvers refuse: a cost after a hundred moves counts 1e-7 less.
const almostOne = 1 - 1e-9

// newPathProblem returns the problem of a grid and the law of its moves; a nil law stands for moves without slip.
func newPathProblem(g *planner.Grid, law mdp.Law) (*pathProblem, error) {
	if !(g.RewardWeight > 0) {
		return nil, errors.New("deception: paths have no length with planner.reward_weight 0; want it above 0")
	}
	actions := g.Moves.Count()
	j := &pathProblem{start: g.Start, cost: make([]float64, g.States()*actions)}
	for state := range g.States() {
		leaves := false
		for action := range actions {
			next, cost := g.MoveCost(g.RewardWeight, state, planner.Action(action))
			j.cost[state*actions+action] = cost
			if next == state {
				j.cost[state*actions+action] = math.Inf(1)
			}
			leaves = leaves || next != state
		}
		if !leaves || slices.Contains(g.Goals(), state) {
			j.ends = append(j.ends, state)
			clear(j.cost[state*actions : (state+1)*actions])
		}
	}
	var outcomes []mdp.Outcome
	var err error
	j.law, err = mdp.NewModel(g.States(), actions, func(state, action int) []mdp.Outcome {
		switch {
		case slices.Contains(j.ends, state):
			outcomes = append(outcomes[:0], mdp.Outcome{State: state, Probability: 1})
		case law == nil:
			outcomes = append(outcomes[:0], mdp.Outcome{State: g.Next(state, planner.Action(action)), Probability: 1})
		default:
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
		}
		return outcomes
	})
	if err != nil {
		return nil, err
	}
	j.solver, err = mdp.NewSolver(j.law, almostOne)
	return j, err
}

// rewards returns the reward table of a solver that pays a price for every pair.
func (j *pathProblem) rewards(price func(pair int) float64) []float64 {
	table := make([]float64, len(j.cost))
	for pair, cost := range j.cost {
		switch {
		case math.IsInf(cost, 1):
			table[pair] = math.Inf(-1)
		case cost > 0: // not in a terminal state
			table[pair] = -price(pair)
		}
	}
	return table
}

// occupancy is a policy with its occupancy measure: the expected number of visits of every pair from the start to the
// end.
type occupancy struct {
	policy []int32
	visits []float64
}

// best returns the policy that pays the least, with its visits.
func (j *pathProblem) best(price func(pair int) float64) occupancy {
	const tolerance = 1e-9
	c := occupancy{policy: slices.Clone(j.solver.Solve(j.rewards(price), nil, tolerance).Policy)}
	certain := make([]float64, len(j.cost))
	for state, action := range c.policy {
		certain[state*j.law.Actions()+int(action)] = 1
	}
	c.visits = j.visits(certain, 1)
	return c
}

// Counting visits ends when the discounted probability of not having arrived is at most minProbability, or after
// maxMoves.
const (
	minProbability = 1e-15
	maxMoves       = 1 << 20
)

// visits returns the expected number of visits of every pair under a stochastic policy; the visit by move k counts
// discount^k.
func (j *pathProblem) visits(policy []float64, discount float64) []float64 {
	visits := make([]float64, len(j.cost))
	ended := make([]bool, j.law.States())
	for _, state := range j.ends {
		ended[state] = true
	}
	at, next := make([]float64, len(ended)), make([]float64, len(ended))
	at[j.start] = 1
	for range maxMoves {
		left := 0.0
		clear(next)
		for state, p := range at {
			if p == 0 || ended[state] {
				continue
			}
			left += p
			for action := range j.law.Actions() {
				pair := state*j.law.Actions() + action
				made := p * policy[pair]
				if made == 0 {
					continue
				}
				visits[pair] += made
				to, q := j.law.Transition(state, action)
				for i, s := range to {
					next[s] += discount * made * q[i]
				}
			}
		}
		if left <= minProbability {
			break
		}
		at, next = next, at
	}
	return visits
}

// total returns the expected sum of prices.
func (c *occupancy) total(price []float64) (sum float64) {
	for pair, n := range c.visits {
		if n > 0 {
			sum += n * price[pair]
		}
	}
	return sum
}

// bounded returns the stochastic policy with the least expected price among those whose expected cost is at most (1 +
// detour) times that of the cheapest policy, with its price and its cost. This is a linear program in the visits x of
// pairs,
//
//	min sum price x  where  sum_a x(s, a) - sum_pairs P(s | pair) x(pair) = [s = start], sum cost x <= bound, x >= 0,
//
// with one constraint more than a path problem. Its dual is a concave function of the multiplier of that constraint,
// with one linear piece per policy. So the best policies on both sides of its maximum are found by solving a few path
// problems without the constraint, at the multipliers where known pieces intersect (Handler and Zang 1980, for shortest
// paths). The optimum mixes the two policies so that the bound is met exactly.
func (j *pathProblem) bounded(price []float64, detour float64) (policy []float64, paid, cost float64) {
	solve := func(multiplier float64) occupancy {
		return j.best(func(pair int) float64 { return price[pair] + multiplier*j.cost[pair] })
	}
	lowCost := j.best(func(pair int) float64 { return j.cost[pair] })
	bound := (1 + detour) * lowCost.total(j.cost)
	lowPrice := solve(minMultiplier)
	if lowPrice.total(j.cost) <= bound {
		return j.mix(lowPrice, lowCost, 1), lowPrice.total(price), lowPrice.total(j.cost)
	}
	for range maxPieces {
		multiplier := (lowCost.total(price) - lowPrice.total(price)) / (lowPrice.total(j.cost) - lowCost.total(j.cost))
		between := solve(multiplier)
		dual := func(c *occupancy) float64 { return c.total(price) + multiplier*c.total(j.cost) }
		const rounding = 1e-9
		if known := dual(&lowCost); !(multiplier > 0) || dual(&between) >= known-rounding*(1+math.Abs(known)) {
			break
		}
		if between.total(j.cost) <= bound {
			lowCost = between
		} else {
			lowPrice = between
		}
	}
	share := (bound - lowCost.total(j.cost)) / (lowPrice.total(j.cost) - lowCost.total(j.cost))
	return j.mix(lowPrice, lowCost, share), share*lowPrice.total(price) + (1-share)*lowCost.total(price), bound
}

// minMultiplier is the multiplier without a bound on the cost: of policies with equal prices the cheaper one is taken,
// and none moves in circles for ever. The search for the multiplier takes fewer than maxPieces steps.
const (
	minMultiplier = 1e-6
	maxPieces     = 100
)

// mix returns the stochastic policy whose visits are the mean of those of two policies, weighted by share and 1-share.
// In states that neither visits it follows the second.
func (j *pathProblem) mix(one, other occupancy, share float64) []float64 {
	actions := j.law.Actions()
	policy := make([]float64, len(j.cost))
	for state := range j.law.States() {
		row, sum := policy[state*actions:(state+1)*actions], 0.0
		for action := range row {
			pair := state*actions + action
			row[action] = share*one.visits[pair] + (1-share)*other.visits[pair]
			sum += row[action]
		}
		if sum == 0 {
			row[other.policy[state]], sum = 1, 1
		}
		for action := range row {
			row[action] /= sum
		}
	}
	return policy
}
