package planner

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// pair is two agents with two states each, who go where they are sent with probability 0.8.
func pair(tb testing.TB) *Problem {
	tb.Helper()
	agent, err := mdp.NewModel(2, 2, func(_, action int) []mdp.Outcome {
		return []mdp.Outcome{{State: action, Probability: 0.8}, {State: 1 - action, Probability: 0.2}}
	})
	if err != nil {
		tb.Fatal(err)
	}
	joint, err := mdp.NewJoint([]*mdp.Model{agent, agent}, 0)
	if err != nil {
		tb.Fatal(err)
	}
	rewards := [][]float64{{0, 1, 2, 3, 4, 5, 6, 9}, {5, 1, 4, 0, 3, 2, 8, 7}}
	problem, err := NewProblem(joint, rewards, 0.9, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return problem
}

func mustSolve(tb testing.TB, p *Problem, tolerance, accuracy float64) *Solved {
	tb.Helper()
	s, err := p.Solve(tolerance, accuracy)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Every mechanism makes any problem private, and any problem is planned and priced: a team's private plan costs
// what the difference of the two policies' exact values is.
func TestProblemsOfAnyKindArePlanned(t *testing.T) {
	mission := mustMission(t, paperSpec(), paperStart, r3.Vec{})
	rng := rand.New(rand.NewPCG(7, 0))
	for name, solved := range map[string]*Solved{"mission": mission.Solved, "team": mustSolve(t, pair(t), 1e-9, 0)} {
		for _, on := range privacy.Mechanisms() {
			mechanism, is := on.(privacy.Linear)
			if !is {
				continue
			}
			of := on.Name()
			p, err := NewPlanner(solved, mechanism)
			if err != nil {
				t.Fatal(err)
			}
			reference, err := mdp.NewEvaluator(solved.Law, solved.Discount)
			if err != nil {
				t.Fatal(err)
			}
			costly := 0
			for range 20 {
				policy := p.Plan(p.Privatize(10, normals(rng, p.Normals()))).Policy
				cost := p.Cost(policy)
				value := reference.Evaluate(policy, solved.Rewards.Joint, 0).Value[solved.Start]
				if d := math.Abs(cost.Absolute - (solved.Optimal.Value[solved.Start] - value)); d > cost.Bound ||
					cost.Bound > 1e-8 {
					t.Errorf("%s, %s: cost %v is off by %g, bound %g", name, of, cost.Absolute, d, cost.Bound)
				}
				if want := cost.Absolute / math.Abs(cost.Optimal); cost.Relative != want || p.CostOfPrivacy(policy) != want {
					t.Errorf("%s, %s: relative cost %v, want %v", name, of, cost.Relative, want)
				}
				if cost.Absolute > cost.Bound {
					costly++
				}
			}
			if costly == 0 {
				t.Errorf("%s, %s: noise of 10 costs nothing", name, of)
			}
		}
	}
}

// The bound of a cost has room for the error of either value: of an optimum that is known roughly, and of a
// policy's value that is evaluated roughly, by sweeps on a grid too large for elimination.
func TestCostBoundHoldsBothErrors(t *testing.T) {
	spec := paperSpec()
	spec.Columns, spec.Rows, spec.Slip = 30, 30, 0.15
	m := mustMission(t, spec, paperStart, r3.Vec{})
	north := make([]int32, m.Law.States())
	cost := func(s Solved) Cost {
		p, err := NewPlanner(&s, privacy.InputPerturbation{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Cost(north)
	}
	truth := cost(*m.Solved)

	const off = 0.25
	optimum := *m.Solved
	optimum.Optimal.Value = append([]float64(nil), m.Optimal.Value...)
	optimum.Optimal.Value[m.Start] += off
	optimum.Optimal.Bound += off
	evaluation := *m.Solved
	evaluation.Accuracy = off
	for name, s := range map[string]Solved{"optimum": optimum, "evaluation": evaluation} {
		c := cost(s)
		if d := math.Abs(c.Absolute - truth.Absolute); d > c.Bound || d < off/1e3 || c.Bound > 1.01*off {
			t.Errorf("%s within %g: cost %v within %g, want %v within %g", name, off, c.Absolute, c.Bound, truth.Absolute,
				truth.Bound)
		}
	}
}

func TestProblemErrors(t *testing.T) {
	law, err := mdp.NewSlipModel(3, 2, 0, func(state, action int) int { return (state + action) % 3 })
	if err != nil {
		t.Fatal(err)
	}
	good := [][]float64{make([]float64, 6)}
	for _, c := range []struct {
		rewards  [][]float64
		discount float64
		start    int
		says     string
	}{
		{good, 1, 0, "discount"}, {good, math.NaN(), 0, "discount"}, {good, 0.9, -1, "start state -1"},
		{good, 0.9, 3, "start state 3"},
		{nil, 0.9, 0, "0 agents"}, {append(good, good...), 0.9, 0, "2 agents"},
		{[][]float64{make([]float64, 5)}, 0.9, 0, "5 rewards"},
		{[][]float64{{0, 0, 0, 0, 0, math.Inf(1)}}, 0.9, 0, "entry 5"},
		{[][]float64{{0, 0, 0, -1e308, 1e308, 0}}, 0.9, 0, "reward -1e+308 of agent 0, state 1, action 1 is too large"},
		{[][]float64{{0, 0, 0, 0, 1.01e149, 0}}, 0.9, 0, "reward 1.01e+149 of agent 0, state 2, action 0 is too large"},
	} {
		if _, err := NewProblem(law, c.rewards, c.discount, c.start); err == nil || !strings.Contains(err.Error(), c.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: error %v, want one line that says %q", c, err, c.says)
		}
	}
	if _, err := NewProblem(law, [][]float64{{0, 0, 0, 0, 0.99e149, 0}}, 0.9, 0); err != nil {
		t.Errorf("values just below the largest: %v", err)
	}
	problem, err := NewProblem(law, good, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := problem.Solve(0, 0); err != nil {
		t.Errorf("rewards of zero are certified to 0: %v", err)
	}
}
