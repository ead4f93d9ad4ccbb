package deception

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// journey is a grid's moves until a goal is reached, with what they cost. Pairs of states and actions are numbered
// state*actions+action.
type journey struct {
	law    *mdp.Model
	start  int
	cost   []float64 // of every pair: planner.Grid.MoveCost; +Inf for moves that stay, which are not made
	ends   []int     // states in which it ends: goals, and those that no move leaves
	solver mdp.Solver
}

// almostOne is the discount of journeys, which have none: what is due after a hundred moves counts for 1e-7 less.
const almostOne = 1 - 1e-9

// newJourney returns the journey on a grid by the law of its moves; nil for one in which they do not slip.
func newJourney(g *planner.Grid, law mdp.Law) (*journey, error) {
	if !(g.RewardWeight > 0) {
		return nil, errors.New("deception: paths have no length with planner.reward_weight 0; want it above 0")
	}
	actions := g.Moves.Count()
	j := &journey{start: g.Start, cost: make([]float64, g.States()*actions)}
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

// rewards returns the table of what a solver earns by paying a price for every pair that can be taken.
func (j *journey) rewards(price func(pair int) float64) []float64 {
	table := make([]float64, len(j.cost))
	for pair, cost := range j.cost {
		switch {
		case math.IsInf(cost, 1):
			table[pair] = math.Inf(-1)
		case cost > 0: // it has not ended
			table[pair] = -price(pair)
		}
	}
	return table
}

// course is a policy for a journey and how often it is expected to take each pair from the start to the end.
type course struct {
	policy []int32
	taken  []float64
}

// best returns the course that pays the least.
func (j *journey) best(price func(pair int) float64) course {
	const tolerance = 1e-9
	c := course{policy: slices.Clone(j.solver.Solve(j.rewards(price), nil, tolerance).Policy)}
	c.taken = j.follow(c.policy)
	return c
}

// lost is how much of the probability may be left on the way when pairs are counted, and mostMoves how many moves
// that may take.
const (
	lost      = 1e-15
	mostMoves = 1 << 20
)

// follow returns how often a policy takes every pair.
func (j *journey) follow(policy []int32) []float64 {
	taken := make([]float64, len(j.cost))
	ended := make([]bool, j.law.States())
	for _, state := range j.ends {
		ended[state] = true
	}
	here, next := make([]float64, len(ended)), make([]float64, len(ended))
	here[j.start] = 1
	for range mostMoves {
		left := 0.0
		clear(next)
		for state, p := range here {
			if p == 0 || ended[state] {
				continue
			}
			left += p
			taken[state*j.law.Actions()+int(policy[state])] += p
			to, q := j.law.Transition(state, int(policy[state]))
			for i, s := range to {
				next[s] += p * q[i]
			}
		}
		if left <= lost {
			break
		}
		here, next = next, here
	}
	return taken
}

// total returns what a course is expected to pay.
func (c *course) total(price []float64) (sum float64) {
	for pair, n := range c.taken {
		if n > 0 {
			sum += n * price[pair]
		}
	}
	return sum
}

// bounded returns the stochastic policy with which a journey is expected to pay the least price, at an expected
// cost of no more than (1 + detour) times that of the cheapest one, and what it pays and costs. That is a linear
// program in how often pairs are taken,
//
//	min sum price x  where  sum_a x(s, a) - sum_pairs P(s | pair) x(pair) = [s = start], sum cost x <= bound, x >= 0,
//
// with one constraint beside those of a journey. Its dual is concave in the multiplier of that one and made of
// pieces, one for each course, so that the best courses on both sides of its maximum are found by a few journeys
// without the constraint at multipliers where known pieces meet (Handler and Zang 1980, for shortest paths). The
// optimum mixes the two, so that the bound is met exactly.
func (j *journey) bounded(price []float64, detour float64) (policy []float64, paid, cost float64) {
	at := func(multiplier float64) course {
		return j.best(func(pair int) float64 { return price[pair] + multiplier*j.cost[pair] })
	}
	short := j.best(func(pair int) float64 { return j.cost[pair] })
	bound := (1 + detour) * short.total(j.cost)
	long := at(leastMultiplier)
	if long.total(j.cost) <= bound {
		return j.mix(long, short, 1), long.total(price), long.total(j.cost)
	}
	for range mostPieces {
		multiplier := (short.total(price) - long.total(price)) / (long.total(j.cost) - short.total(j.cost))
		between := at(multiplier)
		dual := func(c *course) float64 { return c.total(price) + multiplier*c.total(j.cost) }
		const rounding = 1e-9
		if known := dual(&short); !(multiplier > 0) || dual(&between) >= known-rounding*(1+math.Abs(known)) {
			break
		}
		if between.total(j.cost) <= bound {
			short = between
		} else {
			long = between
		}
	}
	share := (bound - short.total(j.cost)) / (long.total(j.cost) - short.total(j.cost))
	return j.mix(long, short, share), share*long.total(price) + (1-share)*short.total(price), bound
}

// leastMultiplier is that of the cost where it is not bounded: of courses that pay the same the shorter is taken,
// and none goes round for ever. A journey takes fewer than mostPieces to find its multiplier.
const (
	leastMultiplier = 1e-6
	mostPieces      = 100
)

// mix returns the policy that takes pairs as often as two courses do, by the share of the first; where neither
// comes, it follows the second.
func (j *journey) mix(one, other course, share float64) []float64 {
	actions := j.law.Actions()
	policy := make([]float64, len(j.cost))
	for state := range j.law.States() {
		row, sum := policy[state*actions:(state+1)*actions], 0.0
		for action := range row {
			pair := state*actions + action
			row[action] = share*one.taken[pair] + (1-share)*other.taken[pair]
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
