package mdp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"veilpath/planner/mdp"
)

// decisionProblem is a problem to solve by an independent method: the reference expands the law to dense matrices and
// solves linear systems with gonum, so it is for a few dozen states.
type decisionProblem struct {
	Name     string
	Law      mdp.Law
	Discount float64
	Rewards  []float64

	known func() []float64 // returns the optimal value; nil: compute it
}

// discounts are the discounts of the random problems.
var discounts = []float64{0.3, 0.9, 0.95, 0.99}

// randomProblems returns random problems of all shapes in turn: dense and sparse rows, slipping vehicles, absorbing
// states, single states, deterministic transitions and teams.
func randomProblems(seed uint64, count int) []decisionProblem {
	problems := make([]decisionProblem, count)
	for i := range problems {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		shape := shapes[i%len(shapes)]
		law, err := shape.draw(rng)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", shape.name, err)) // a bug in the generators below
		}
		rewards := make([]float64, law.States()*law.Actions())
		for r := range rewards {
			rewards[r] = rng.NormFloat64()
		}
		problems[i] = decisionProblem{
			Name: fmt.Sprintf("%s %d/%d", shape.name, seed, i), Law: law,
			Discount: discounts[rng.IntN(len(discounts))], Rewards: rewards,
		}
		problems[i].known = sync.OnceValue(problems[i].solve)
	}
	return problems
}

var shapes = []struct {
	name string
	draw func(rng *rand.Rand) (mdp.Law, error)
}{
	{"dense", func(rng *rand.Rand) (mdp.Law, error) { return sparse(rng, 1+rng.IntN(8), 1+rng.IntN(5), 1) }},
	{"sparse", func(rng *rand.Rand) (mdp.Law, error) { return sparse(rng, 2+rng.IntN(12), 1+rng.IntN(5), 0.2) }},
	{"slip", slip},
	{"absorbing", absorbing},
	{"single state", func(rng *rand.Rand) (mdp.Law, error) { return sparse(rng, 1, 1+rng.IntN(4), 1) }},
	{"deterministic", deterministic},
	{"team", team},
}

// sparse draws rows in which every state but one is reached with the given probability.
func sparse(rng *rand.Rand, states, actions int, density float64) (*mdp.Model, error) {
	return mdp.NewModel(states, actions, func(int, int) []mdp.Outcome { return row(rng, states, density) })
}

func row(rng *rand.Rand, states int, density float64) (outcomes []mdp.Outcome) {
	sure, sum := rng.IntN(states), 0.0
	for s := range states {
		if s == sure || rng.Float64() < density {
			p := rng.ExpFloat64()
			outcomes = append(outcomes, mdp.Outcome{State: s, Probability: p})
			sum += p
		}
	}
	for i := range outcomes {
		outcomes[i].Probability /= sum
	}
	return outcomes
}

func slip(rng *rand.Rand) (mdp.Law, error) {
	states, actions := 1+rng.IntN(12), 2+rng.IntN(5)
	return mdp.NewSlipModel(states, actions, rng.Float64(), func(int, int) int { return rng.IntN(states) })
}

func absorbing(rng *rand.Rand) (mdp.Law, error) {
	states := 2 + rng.IntN(8)
	return mdp.NewModel(states, 3, func(state, _ int) []mdp.Outcome {
		if state < states/2 {
			return []mdp.Outcome{{State: state, Probability: 1}}
		}
		return row(rng, states, 0.3)
	})
}

func deterministic(rng *rand.Rand) (mdp.Law, error) {
	states := 1 + rng.IntN(12)
	return mdp.NewModel(states, 1+rng.IntN(4), func(int, int) []mdp.Outcome {
		return []mdp.Outcome{{State: rng.IntN(states), Probability: 1}}
	})
}

func team(rng *rand.Rand) (mdp.Law, error) {
	agents := make([]*mdp.Model, 1+rng.IntN(3))
	for i := range agents {
		agent, err := sparse(rng, 1+rng.IntN(3), 1+rng.IntN(3), 0.7)
		if err != nil {
			return nil, err
		}
		agents[i] = agent
	}
	return mdp.NewJoint(agents, 0)
}

// referenceError bounds the error of optimum and evaluate relative to 1 + the largest value: elimination
// of a few dozen unknowns with condition number 2/(1 - 0.99) loses three to four of sixteen digits.
const referenceError = 1e-12

// evaluate returns the value of a policy, by solving the linear system (I - discount P) v = r.
func (p decisionProblem) evaluate(policy []int32) []float64 {
	n, m := p.Law.States(), p.Law.Actions()
	matrix, right := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	var outcomes []mdp.Outcome
	for s := range n {
		outcomes = p.Law.AppendOutcomes(outcomes[:0], s, int(policy[s]))
		for _, o := range outcomes {
			matrix.Set(s, o.State, matrix.At(s, o.State)-p.Discount*o.Probability)
		}
		matrix.Set(s, s, matrix.At(s, s)+1)
		right.SetVec(s, p.Rewards[s*m+int(policy[s])])
	}
	var v mat.VecDense
	if err := v.SolveVec(matrix, right); err != nil {
		panic(fmt.Sprintf("%s: %v", p.Name, err)) // strictly diagonally dominant: cannot be
	}
	return v.RawVector().Data
}

// optimum returns the optimal value, which callers leave as it is.
func (p decisionProblem) optimum() []float64 {
	if p.known != nil {
		return p.known()
	}
	return p.solve()
}

// solve finds the optimal value by policy iteration with evaluate.
func (p decisionProblem) solve() []float64 {
	policy := make([]int32, p.Law.States())
	for {
		v := p.evaluate(policy)
		if !p.improve(policy, v) {
			return v
		}
	}
}

// improve changes the actions that gain more than rounding and reports whether there are any.
func (p decisionProblem) improve(policy []int32, v []float64) (changed bool) {
	slack := referenceError * (1 + largest(v))
	for s := range policy {
		best := p.backup(s, int(policy[s]), v) + slack
		for a := range p.Law.Actions() {
			if q := p.backup(s, a, v); q > best {
				best, policy[s], changed = q, int32(a), true
			}
		}
	}
	return changed
}

func (p decisionProblem) backup(s, a int, v []float64) float64 {
	q := 0.0
	for _, o := range p.Law.AppendOutcomes(nil, s, a) {
		q += o.Probability * v[o.State]
	}
	return p.Rewards[s*p.Law.Actions()+a] + p.Discount*q
}

func largest(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}

// checkSolver solves the problem with a solver of its law and discount. It returns an error about the first
// fault: an optimal value or policy value outside the certificate, a tolerance that is not met although
// rounding allows it, a warm start that makes the certificate false, a result that depends on earlier solves,
// or a wrong ValueFrom.
func (p decisionProblem) checkSolver(solver mdp.Solver, tolerance float64) error {
	optimum := p.optimum()
	slack := referenceError * (1 + largest(optimum)) / (1 - p.Discount)
	first := keep(solver.Solve(p.Rewards, nil, tolerance))
	worth := p.evaluate(first.Policy)
	if err := p.checkSolution(first, worth, optimum, slack); err != nil {
		return err
	}
	if first.Bound > tolerance+slack {
		return fmt.Errorf("%s: bound %g for tolerance %g", p.Name, first.Bound, tolerance)
	}
	warm := keep(solver.Solve(p.Rewards, noisy(optimum), tolerance))
	warmWorth := worth
	if !slices.Equal(warm.Policy, first.Policy) {
		warmWorth = p.evaluate(warm.Policy)
	}
	if err := p.checkSolution(warm, warmWorth, optimum, slack); err != nil {
		return fmt.Errorf("warm start: %w", err)
	}
	again := keep(solver.Solve(p.Rewards, nil, tolerance))
	if !slices.Equal(first.Value, again.Value) || !slices.Equal(first.Policy, again.Policy) || first.Bound != again.Bound {
		return fmt.Errorf("%s: a second solve differs from the first", p.Name)
	}
	for s := range worth {
		tolerance := []float64{0, 1e-3, 1e-3, 1e-3}[s%4] // 0 requests the smallest bound, which takes many sweeps
		v, bound := solver.ValueFrom(s, first.Policy, p.Rewards, tolerance)
		if !(math.Abs(v-worth[s]) <= bound+slack) || bound > tolerance+slack {
			return fmt.Errorf("%s: ValueFrom(%d) = %v within %g, want %v within %g", p.Name, s, v, bound, worth[s],
				tolerance)
		}
	}
	return nil
}

// checkSolution checks whether a solution's bounds contain the optimum and its policy's value.
func (p decisionProblem) checkSolution(solution mdp.Solution, worth, optimum []float64, slack float64) error {
	if !(solution.Bound >= 0) || math.IsInf(solution.Bound, 0) {
		return fmt.Errorf("%s: bound %v", p.Name, solution.Bound)
	}
	for s, want := range optimum {
		low, high := solution.Bounds(s)
		if want < low-slack || want > high+slack {
			return fmt.Errorf("%s: state %d: optimal value %v outside [%v, %v]", p.Name, s, want, low, high)
		}
		if worth[s] < low-slack || worth[s] > high+slack {
			return fmt.Errorf("%s: state %d: the policy's value %v outside [%v, %v]", p.Name, s, worth[s], low, high)
		}
	}
	return nil
}

// keep copies a solution out of the solver's buffers.
func keep(s mdp.Solution) mdp.Solution {
	s.Policy, s.Value = slices.Clone(s.Policy), slices.Clone(s.Value)
	return s
}

// noisy returns a guess that is good in some states and bad in others.
func noisy(v []float64) []float64 {
	guess := slices.Clone(v)
	for s := range guess {
		guess[s] += float64(s%3) * (1 + math.Abs(guess[s]))
	}
	return guess
}
