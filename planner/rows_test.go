package planner

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// onRows is a guarantee of rows of probabilities.
var onRows = privacy.Guarantee{Epsilon: 1, Delta: 0.01, Rows: privacy.Rows{Adjacency: 0.01, Uniform: 0.2}}

// gate is a problem of three states. In the first, action 0 waits and action 1 tries a gate, which opens with a
// probability of 0.3 and breaks with one of 0.1, told in two parts; the second state lacks action 1.
func gate(t *testing.T) *Solved {
	t.Helper()
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome {
		if s == 0 && a == 1 {
			return []mdp.Outcome{{State: 2, Probability: 0.3}, {State: 0, Probability: 0.4}, {State: 1, Probability: 0.1},
				{State: 0, Probability: 0.2}}
		}
		return []mdp.Outcome{{State: s, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(law, [][]float64{{0, -1, -1, math.Inf(-1), 1, 1}}, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	return mustSolve(t, p, 1e-10, 0)
}

// The private rows of a law have every next state once; those of a policy every action that a state has.
func TestRows(t *testing.T) {
	problem := gate(t)
	rows := Transitions{}.Rows(problem)
	if len(rows) != 6 || rows[1].State != 0 || rows[1].Action != 1 || len(rows[1].Of) != 3 ||
		!(math.Abs(rows[1].Probabilities[0]-0.6) <= 1e-15) || rows[1].Probabilities[1] != 0.1 ||
		rows[1].Probabilities[2] != 0.3 || len(rows[0].Of) != 1 {
		t.Errorf("%+v", rows)
	}
	rows = StochasticPolicy{}.Rows(problem)
	if len(rows) != 3 || len(rows[0].Of) != 2 || rows[0].Probabilities[1] != 1 || len(rows[1].Of) != 1 ||
		rows[1].Probabilities[0] != 1 {
		t.Errorf("%+v", rows)
	}
}

// Action values are the reward and what is expected to follow under the optimal plan: trying the gate is worth v = -1 +
// 0.9 (0.6 v + 0.1 (-10) + 0.3 10).
func TestActionValues(t *testing.T) {
	const v = 0.8 / 0.46
	got := gate(t).ActionValues()
	for action, want := range []float64{0.9 * v, v} {
		if !(math.Abs(got[action]-want) <= 1e-9) { // of the solver
			t.Errorf("action %d is worth %v, want %v", action, got[action], want)
		}
	}
}

// The plan for a private law is the best of all policies of that law, which is drawn again here and solved by trying
// them all.
func TestTransitionsPlanForThePrivateLaw(t *testing.T) {
	problem := gate(t)
	p, err := NewPlanner(problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	// So that the gate is at times better left alone, it opens a little more seldom than is worth it.
	taken := [2]int{}
	g := onRows
	g.Rows.Uniform, g.Epsilon = 0.5, 0.02
	for run := range 200 {
		var noise, again privacy.Noise
		noise.Seek(privacy.Address{Run: uint64(run)})
		again.Seek(privacy.Address{Run: uint64(run)})
		plan, err := p.PlanBy(Transitions{}, g, &noise)
		if err != nil {
			t.Fatal(err)
		}
		private, err := PrivateRows(Transitions{}.Rows(problem), g, &again, new(privacy.RowCalibration))
		if err != nil {
			t.Fatal(err)
		}
		// Waiting is worth 0. Trying is worth v = -1 + 0.9 (stay v + broken -10 + open 10).
		stay, broken, open := private[1][0], private[1][1], private[1][2]
		v := (-1 + 0.9*(open*10-broken*10)) / (1 - 0.9*stay)
		best := 0
		if v > 0 {
			best = 1
		}
		if int(plan.Policy[0]) != best {
			t.Errorf("run %d: action %d where trying is worth %g", run, plan.Policy[0], v)
		}
		taken[best]++
	}
	if taken[0] == 0 || taken[1] == 0 {
		t.Errorf("one plan is the best of all private laws: %v", taken)
	}
}

// A stochastic policy has all actions that a state has; with next to no noise it is the optimal one with its share of
// the uniform one.
func TestStochasticPolicy(t *testing.T) {
	problem := gate(t)
	p, err := NewPlanner(problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := onRows
	g.Epsilon = 1e4
	plan, err := p.PlanBy(StochasticPolicy{}, g, new(privacy.Noise))
	if err != nil || plan.Policy[0] != 1 || plan.Stochastic[3] != 0 || plan.Stochastic[2] != 1 ||
		!(math.Abs(plan.Stochastic[1]-0.9) <= 0.01) || !(math.Abs(plan.Stochastic[0]+plan.Stochastic[1]-1) <= 1e-12) {
		t.Errorf("%+v, %v", plan, err)
	}
}

// Rows of a team are those of its agents, and where every action leads to one state nothing is hidden.
func TestRowsOfTeams(t *testing.T) {
	team := mustSolve(t, pair(t), 1e-9, 0)
	joint := team.Law.(*mdp.Joint)
	want := 0
	for i := range joint.Agents() {
		want += joint.Agent(i).States() * joint.Agent(i).Actions()
	}
	if rows := (Transitions{}).Rows(team); len(rows) != want || rows[len(rows)-1].Agent != joint.Agents()-1 {
		t.Errorf("%d rows; want %d", len(rows), want)
	}
	p, err := NewPlanner(team, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.PlanBy(Transitions{}, onRows, new(privacy.Noise)); err != nil {
		t.Error(err)
	}
	certain := mustMission(t, paperSpec(), paperStart, r3.Vec{})
	if p, err = NewPlanner(certain.Solved, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := p.PlanBy(Transitions{}, onRows, new(privacy.Noise)); err == nil ||
		!strings.Contains(err.Error(), "planner.slip") {
		t.Errorf("certain moves: %v", err)
	}
}
