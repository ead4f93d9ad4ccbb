package mdp_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
)

// newFunctional expands a certain law for the functional solver.
func newFunctional(t testing.TB, law mdp.Law, discount float64) *mdp.Functional {
	t.Helper()
	model, err := mdp.Expand(law)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := mdp.NewFunctional(model, discount)
	if err != nil {
		t.Fatal(err)
	}
	return solver
}

func TestFunctionalOnRandomGraphs(t *testing.T) {
	for _, p := range randomProblems(4, trials(t, 7000)) {
		model, ok := p.Law.(*mdp.Model)
		if !ok || !model.Deterministic() {
			continue
		}
		solver := newFunctional(t, model, p.Discount)
		if err := p.checkSolver(solver, 1e-9); err != nil {
			t.Fatal(err)
		}
	}
}

// Closed forms: what a cycle, a self loop and a single state are worth.
func TestFunctionalClosedForms(t *testing.T) {
	const g = 0.9
	const tolerance = 1e-12 // relative to values of about ten: a few units in the last place
	for name, c := range map[string]struct {
		next    [][]int // per state and action
		rewards []float64
		want    []float64
	}{
		"single state": {next: [][]int{{0, 0}}, rewards: []float64{1, 2}, want: []float64{2 / (1 - g)}},
		"self loop or leave": {next: [][]int{{0, 1}, {1, 1}}, rewards: []float64{1, 0, 3, 3},
			want: []float64{3 * g / (1 - g), 3 / (1 - g)}},
		"cycle of two": {next: [][]int{{1}, {0}}, rewards: []float64{1, 4},
			want: []float64{(1 + 4*g) / (1 - g*g), (4 + g) / (1 - g*g)}},
		"tail into a cycle":   {next: [][]int{{1}, {2}, {3}, {1}}, rewards: []float64{5, 1, 2, 3}, want: tail(g)},
		"all rewards at zero": {next: [][]int{{1, 0}, {0, 1}}, rewards: make([]float64, 4), want: []float64{0, 0}},
	} {
		actions := len(c.next[0])
		model, err := mdp.NewModel(len(c.next), actions, func(s, a int) []mdp.Outcome {
			return []mdp.Outcome{{State: c.next[s][a], Probability: 1}}
		})
		if err != nil {
			t.Fatal(err)
		}
		solver := newFunctional(t, model, g)
		got := solver.Solve(c.rewards, nil, 1e-9)
		for s, want := range c.want {
			if d := math.Abs(got.Value[s] - want); !(d <= tolerance*(1+math.Abs(want))) {
				t.Errorf("%s: state %d is worth %v, want %v", name, s, got.Value[s], want)
			}
		}
		policy := append([]int32(nil), got.Policy...)
		for s, want := range c.want {
			if got, bound := solver.ValueFrom(s, policy, c.rewards, 0); !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) ||
				!(bound <= 1e-10) {
				t.Errorf("%s: ValueFrom(%d) is %v within %g, want %v", name, s, got, bound, want)
			}
		}
	}
}

// tail is the value of state 0 -> 1 -> 2 -> 3 -> 1 with rewards 5, 1, 2, 3.
func tail(g float64) []float64 {
	turn := 1 - g*g*g
	v1, v2, v3 := (1+2*g+3*g*g)/turn, (2+3*g+g*g)/turn, (3+g+2*g*g)/turn
	return []float64{5 + g*v1, v1, v2, v3}
}

// switches has two states and two actions: to stay for a reward, or to go to the other state for that much
// more. Staying everywhere loses more/(1 - discount).
func switches(t *testing.T, discount float64) *mdp.Functional {
	t.Helper()
	law, err := mdp.NewModel(2, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: (s + a) % 2, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	return newFunctional(t, law, discount)
}

// The bound holds in exact arithmetic where the policy loses as much as it may: at the largest gain in every
// state that the solver does not take. That gain lies above the floor by some roundings.
func TestFunctionalBoundHoldsExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const stay = -10
	tightest := 0.0
	for trial := range trials(t, 4000) {
		discount := []float64{0.5, 0.9, 0.95, 0.99, 0.9999}[trial%5]
		tolerance := []float64{0, 1e-11, 1e-8, 1e-3}[trial%4]
		solver := switches(t, discount)
		reward := stay - rng.Float64()
		solve := func(more float64) (stays bool, bound float64) {
			// The guess makes staying look best in both states.
			solution := solver.Solve([]float64{reward, reward + more, reward, reward + more}, []float64{1, 0}, tolerance)
			return solution.Policy[0] == 0 && solution.Policy[1] == 0, solution.Bound
		}
		low, high := 0.0, 1.0
		for high-low > 0x1p-55 && low != (low+high)/2 {
			if stays, _ := solve((low + high) / 2); stays {
				low = (low + high) / 2
			} else {
				high = (low + high) / 2
			}
		}
		_, bound := solve(low)
		more := new(big.Rat).Sub(exactly(reward+low), exactly(reward))
		loss := more.Quo(more, new(big.Rat).Sub(big.NewRat(1, 1), exactly(discount)))
		if loss.Cmp(exactly(bound)) > 0 {
			t.Fatalf("discount %g, tolerance %g, reward %v: staying loses %s, the bound is %v", discount, tolerance, reward,
				loss.FloatString(25), bound)
		}
		share, _ := new(big.Rat).Quo(loss, exactly(bound)).Float64()
		if tolerance > 0 && bound == tolerance {
			tightest = max(tightest, share)
		} else if share < 0.3 { // half of it is for rounding
			t.Fatalf("discount %g, tolerance %g: a bound of %v for a loss of %.3g of it", discount, tolerance, bound, share)
		}
	}
	if tightest < 0.999 {
		t.Errorf("no policy lost more than %.4f of the tolerance: the bound is not put to the test", tightest)
	}
}

// A plan that an earlier one leads to is kept only if none within the bound differs: here one does, by nine
// tenths of what a solution may lose.
func TestResolveSeesNearTies(t *testing.T) {
	const discount, tolerance = 0.9, 1e-6
	law, err := mdp.NewModel(2, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: (s + a) % 2, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	// State 0 stays for 1 a step, or goes to state 1, which stays for 0.
	rewards := func(gap float64) []float64 { return []float64{1, 1/(1-discount) - gap, 0, -100} }
	guess := []float64{-5, 0} // makes going look best
	for _, gap := range []float64{0.9 * tolerance, 0.6 * tolerance, 0.1 * tolerance} {
		warm, cold := newFunctional(t, law, discount), newFunctional(t, law, discount)
		if got := warm.Solve(rewards(1), guess, tolerance).Policy[0]; got != 0 {
			t.Fatalf("action %d where going loses 1", got)
		}
		want := cold.Solve(rewards(gap), guess, tolerance)
		if want.Policy[0] != 1 {
			t.Fatalf("gap %g: action %d, want the near tie that the guess leads to", gap, want.Policy[0])
		}
		got := warm.Resolve(rewards(gap), guess, tolerance)
		if got.Policy[0] != want.Policy[0] || got.Value[0] != want.Value[0] {
			t.Errorf("gap %g: an earlier plan leads to action %d worth %v, a fresh one to %d worth %v", gap, got.Policy[0],
				got.Value[0], want.Policy[0], want.Value[0])
		}
	}
}

// Where rounding of the largest possible value leaves the tolerance out of reach, that of the actual ones
// may not: rewards are large here and nobody earns them.
func TestFunctionalCertifiesByTheActualValues(t *testing.T) {
	solver := switches(t, 0.99)
	const tolerance = 1e-9
	solution := solver.Solve([]float64{1, -1e6, 1, -1e6}, nil, tolerance)
	if err := solution.Within(tolerance); err != nil {
		t.Error(err)
	}
	if d := math.Abs(solution.Value[0] - 100); d > tolerance {
		t.Errorf("worth %v, want 100", solution.Value[0])
	}
}

func TestFunctionalRefusesUncertainTransitions(t *testing.T) {
	grid, _ := waypointGrid(t, 3, 3, 0.1)
	model, err := mdp.Expand(grid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mdp.NewFunctional(model, 0.9); err == nil {
		t.Error("a model with slip was accepted")
	}
	certain, _ := waypointGrid(t, 3, 3, 0)
	model, err = mdp.Expand(certain)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mdp.NewFunctional(model, 1); err == nil {
		t.Error("discount 1 was accepted")
	}
}
