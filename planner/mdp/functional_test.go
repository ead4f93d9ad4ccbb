package mdp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
	"veilpath/planner/mdp/mdptest"
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

// The waypoint problem under thousands of privatized rewards: the policy of exact policy iteration is
// worth what plain value iteration says the optimum is.
func TestFunctionalAgainstValueIterationOnPrivatizedRewards(t *testing.T) {
	const (
		discount = 0.95
		// policyTolerance is absolute: values are of the order of a thousand, so that this is the
		// thirteenth digit, and value iteration certifies a tenth of it.
		policyTolerance = 1e-10
	)
	grid, rewards := waypointGrid(t, 20, 20, 0)
	functional := newFunctional(t, grid, discount)
	plain, err := mdp.NewValueIteration(grid, discount)
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := mdp.NewEvaluator(grid, discount)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	private := make([]float64, len(rewards))
	guess := make([]float64, grid.States())
	for trial := range trials(t, 3000) {
		sigma := []float64{0.75, 2.5, 11.8}[trial%3] // epsilon 4, 1 and 0.2
		for i := range private {
			private[i] = rewards[i] + sigma*rng.NormFloat64()
		}
		got := functional.Solve(private, guess, policyTolerance/2)
		// Value iteration certifies its result whatever it starts from; from zero it takes ten times as long.
		from, worth := got.Value, got.Value
		if trial%10 == 0 {
			from, worth = nil, evaluator.Evaluate(got.Policy, private, 0).Value
		}
		want := plain.Solve(private, from, policyTolerance/10)
		for s := range want.Value {
			if d := math.Abs(worth[s] - want.Value[s]); !(d <= policyTolerance+want.Bound) {
				t.Fatalf("trial %d, state %d: the policy is worth %v, the optimum is %v", trial, s, worth[s], want.Value[s])
			}
		}
	}
}

func TestFunctionalOnRandomGraphs(t *testing.T) {
	for _, p := range mdptest.Problems(4, trials(t, 7000)) {
		model, ok := p.Law.(*mdp.Model)
		if !ok || !model.Deterministic() {
			continue
		}
		solver := newFunctional(t, model, p.Discount)
		if err := p.CheckSolver(solver, 1e-9); err != nil {
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
		"single state":        {next: [][]int{{0, 0}}, rewards: []float64{1, 2}, want: []float64{2 / (1 - g)}},
		"self loop or leave":  {next: [][]int{{0, 1}, {1, 1}}, rewards: []float64{1, 0, 3, 3}, want: []float64{3 * g / (1 - g), 3 / (1 - g)}},
		"cycle of two":        {next: [][]int{{1}, {0}}, rewards: []float64{1, 4}, want: []float64{(1 + 4*g) / (1 - g*g), (4 + g) / (1 - g*g)}},
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
			if d := math.Abs(solver.ValueFrom(s, policy, c.rewards) - want); !(d <= tolerance*(1+math.Abs(want))) {
				t.Errorf("%s: ValueFrom(%d) is off by %g", name, s, d)
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

func TestFunctionalDoesNotAllocate(t *testing.T) {
	grid, rewards := waypointGrid(t, 20, 20, 0)
	solver := newFunctional(t, grid, 0.95)
	policy := append([]int32(nil), solver.Solve(rewards, nil, 1e-9).Policy...)
	count := testing.AllocsPerRun(20, func() {
		solver.Solve(rewards, nil, 1e-9)
		solver.ValueFrom(0, policy, rewards)
	})
	if count > 0 {
		t.Errorf("%v allocations per solve and evaluation", count)
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
