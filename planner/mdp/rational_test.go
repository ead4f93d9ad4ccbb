package mdp_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
)

// rational is a decision problem in exact arithmetic: the true value that certificates are held against.
type rational struct {
	states, actions int
	discount        *big.Rat
	probability     [][]*big.Rat // state*actions+action -> by next state
	reward          []*big.Rat
}

func exactly(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// evaluate solves (I - discount P) v = r by elimination in whole numbers (Bareiss 1968), each equation times what makes
// its coefficients whole.
func (p rational) evaluate(policy []int) []*big.Rat {
	n := p.states
	rows := make([][]*big.Int, n)
	for s := range rows {
		rows[s] = p.equation(s, policy[s])
	}
	before, product := big.NewInt(1), new(big.Int)
	for k := range n {
		pivot := rows[k][k] // not 0: the diagonal outweighs the rest of every row
		for i := range n {
			if i == k {
				continue
			}
			factor := new(big.Int).Set(rows[i][k])
			for j := range rows[i] {
				x := rows[i][j]
				x.Sub(x.Mul(x, pivot), product.Mul(factor, rows[k][j]))
				x.Quo(x, before) // exactly
			}
		}
		before = new(big.Int).Set(pivot)
	}
	v := make([]*big.Rat, n)
	for s := range v {
		v[s] = new(big.Rat).SetFrac(rows[s][n], rows[s][s])
	}
	return v
}

// equation returns the row of a state that takes an action, and its right side, times their common denominator.
func (p rational) equation(state, action int) []*big.Int {
	pair := state*p.actions + action
	row := make([]*big.Rat, 0, p.states+1)
	for y := range p.states {
		row = append(row, new(big.Rat).Neg(new(big.Rat).Mul(p.discount, p.probability[pair][y])))
	}
	row[state].Add(row[state], big.NewRat(1, 1))
	row = append(row, p.reward[pair])
	common := big.NewInt(1)
	for _, x := range row { // their least common multiple
		gcd := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, new(big.Int).Quo(x.Denom(), gcd))
	}
	whole := make([]*big.Int, len(row))
	for j, x := range row {
		whole[j] = new(big.Int).Mul(x.Num(), new(big.Int).Quo(common, x.Denom()))
	}
	return whole
}

// optimum returns the best value of every state over all policies.
func (p rational) optimum() []*big.Rat {
	var best []*big.Rat
	policy := make([]int, p.states)
	for {
		v := p.evaluate(policy)
		if best == nil {
			best = v
		}
		for s := range v {
			if v[s].Cmp(best[s]) > 0 {
				best[s] = v[s]
			}
		}
		s := 0
		for ; s < p.states; s++ {
			if policy[s]++; policy[s] < p.actions {
				break
			}
			policy[s] = 0
		}
		if s == p.states {
			return best
		}
	}
}

// tinyModel draws a sparse model of up to 3 states and 3 actions, whose stored probabilities are taken
// at their word, and its exact twin.
func tinyModel(rng *rand.Rand, discount float64, rewards []float64, states, actions int) (mdp.Law, rational, error) {
	exact := newRational(states, actions, discount, rewards)
	model, err := mdp.NewModel(states, actions, func(state, action int) []mdp.Outcome {
		p := rng.Float64() * float64(rng.IntN(2))
		q := (1 - p) * rng.Float64()
		row := []mdp.Outcome{
			{State: rng.IntN(states), Probability: p},
			{State: rng.IntN(states), Probability: q},
			{State: rng.IntN(states), Probability: 1 - p - q},
		}
		for _, o := range row {
			at := exact.probability[state*actions+action][o.State]
			at.Add(at, exactly(o.Probability))
		}
		return row
	})
	return model, exact, err
}

// tinySlip draws a slip model and its twin, in which the weights that the solver rounds are exact.
func tinySlip(rng *rand.Rand, discount float64, rewards []float64, states, actions int) (mdp.Law, rational, error) {
	exact := newRational(states, actions, discount, rewards)
	slip := rng.Float64()
	if actions == 1 {
		slip = 0
	}
	model, err := mdp.NewSlipModel(states, actions, slip, func(int, int) int { return rng.IntN(states) })
	for s := range states {
		for a := range actions {
			for b := range actions {
				p := exactly(slip)
				if a == b {
					p.Sub(big.NewRat(1, 1), p)
				} else {
					p.Quo(p, big.NewRat(int64(actions-1), 1))
				}
				at := exact.probability[s*actions+a][model.Successor(s, b)]
				at.Add(at, p)
			}
		}
	}
	return model, exact, err
}

func newRational(states, actions int, discount float64, rewards []float64) rational {
	p := rational{states: states, actions: actions, discount: exactly(discount)}
	for _, r := range rewards {
		p.reward = append(p.reward, exactly(r))
		row := make([]*big.Rat, states)
		for s := range row {
			row[s] = new(big.Rat)
		}
		p.probability = append(p.probability, row)
	}
	return p
}

func TestCertificatesHoldTheExactOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range trials(t, 2000) {
		states, actions := 1+rng.IntN(3), 1+rng.IntN(3)
		discount := []float64{0.5, 0.9, 0.99, 0.999}[trial%4]
		scale := []float64{1, 1e-9, 1e9}[trial%3]
		rewards := make([]float64, states*actions)
		for i := range rewards {
			rewards[i] = scale * rng.NormFloat64()
		}
		draw := tinyModel
		if trial%2 == 1 {
			draw = tinySlip
		}
		law, exact, err := draw(rng, discount, rewards, states, actions)
		if err != nil {
			t.Fatal(err)
		}
		optimum := exact.optimum()
		for name, build := range solvers {
			if name == "chosen" {
				continue // one of the others, or Functional, which has its own tests
			}
			solver, err := build(law, discount)
			if err != nil {
				t.Fatal(err)
			}
			// 0 asks for the floor, where the certificate is all rounding.
			tolerance := scale * []float64{0, 1e-8, 1e-2, 1}[trial/4%4]
			checkExact(t, name, solver, rewards, tolerance, optimum, exact)
		}
	}
}

func checkExact(t *testing.T, name string, solver mdp.Solver, rewards []float64, tolerance float64, optimum []*big.Rat,
	exact rational) {
	t.Helper()
	solution := solver.Solve(rewards, nil, tolerance)
	policy := make([]int, len(optimum))
	for s, a := range solution.Policy {
		policy[s] = int(a)
	}
	worth := exact.evaluate(policy)
	for s := range optimum {
		low, high := solution.Bounds(s)
		for what, v := range map[string]*big.Rat{"optimal value": optimum[s], "policy's value": worth[s]} {
			if v.Cmp(exactly(low)) < 0 || v.Cmp(exactly(high)) > 0 {
				t.Fatalf("%s, tolerance %g: %s %s outside [%v, %v]", name, tolerance, what, v.FloatString(20), low, high)
			}
		}
	}
}

func TestEvaluationHoldsTheExactValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range trials(t, 1000) {
		states, actions := 1+rng.IntN(3), 1+rng.IntN(3)
		discount := []float64{0.5, 0.9, 0.99, 0.999}[trial%4]
		rewards := make([]float64, states*actions)
		for i := range rewards {
			rewards[i] = rng.NormFloat64()
		}
		draw := tinyModel
		if trial%2 == 1 {
			draw = tinySlip
		}
		law, exact, err := draw(rng, discount, rewards, states, actions)
		if err != nil {
			t.Fatal(err)
		}
		policy, choice := make([]int32, states), make([]int, states)
		for s := range policy {
			choice[s] = rng.IntN(actions)
			policy[s] = int32(choice[s])
		}
		want := exact.evaluate(choice)
		direct, err := mdp.NewEvaluator(law, discount)
		if err != nil {
			t.Fatal(err)
		}
		sweeping, err := mdp.NewValueIteration(law, discount)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name      string
			evaluate  func(policy []int32, rewards []float64, tolerance float64) mdp.Solution
			tolerance float64
		}{{"elimination", direct.Evaluate, 0}, {"sweeps", sweeping.Evaluate, 0}, {"few sweeps", sweeping.Evaluate, 0.01}} {
			got := c.evaluate(policy, rewards, c.tolerance)
			if got.Bound > max(c.tolerance, 1e-8) {
				t.Fatalf("%s: bound %g, want rounding alone or %g", c.name, got.Bound, c.tolerance)
			}
			for s := range want {
				low, high := got.Bounds(s)
				if want[s].Cmp(exactly(low)) < 0 || want[s].Cmp(exactly(high)) > 0 {
					t.Fatalf("%s: value %s outside [%v, %v]", c.name, want[s].FloatString(20), low, high)
				}
			}
		}
	}
}
