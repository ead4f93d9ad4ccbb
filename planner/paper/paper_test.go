package paper_test

import (
	"math"
	"testing"

	"veilpath/planner/mdp"
	"veilpath/planner/paper"
)

// The number of plain sweeps until no value changes by a threshold, for thresholds inside the windows in
// which an independent implementation counts 1761, the published 11,270,400 iterations / 6400 pairs,
// and just outside them.
func TestExample2SweepsToAThreshold(t *testing.T) {
	for _, c := range []struct {
		slip      paper.Slip
		low, high float64 // 1761 sweeps for thresholds in (low, high]; four digits
	}{
		{paper.SlipStay, 1.0397e-7, 1.0502e-7},
		{paper.SlipOtherActions, 9.050e-8, 9.142e-8},
	} {
		world := gridworld()
		world.Slip = c.slip
		solver, rewards := exampleSolver(t, world)
		const rounded = 2e-4 // relative: the windows are printed with four digits
		for _, want := range []struct {
			threshold float64
			sweeps    int
		}{
			{c.low * (1 - rounded), 1762}, {c.low * (1 + rounded), 1761},
			{c.high * (1 - rounded), 1761}, {c.high * (1 + rounded), 1760},
		} {
			if got, _ := solver.SweepsToChange(rewards, nil, want.threshold); got != want.sweeps {
				t.Errorf("slip %v, threshold %g: %d sweeps, want %d", c.slip, want.threshold, got, want.sweeps)
			}
		}
	}
}

// gridworld is Example 2 with the paper's sizes and probability, goal reward 5 and the best-fitting slip.
func gridworld() paper.Gridworld {
	return paper.Gridworld{Columns: 4, Rows: 4, Agents: 2, Slip: paper.SlipOtherActions, Probability: 0.1, Reward: 5,
		OtherReward: -1}
}

// twoStates is Example 1 with the paper's rewards and the best-fitting p.
func twoStates(agents int) paper.TwoStateTeam {
	return paper.TwoStateTeam{Agents: agents, Obedience: 0.91, Reward: 5, OtherReward: -1}
}

func exampleSolver(t *testing.T, world paper.Gridworld) (*mdp.ValueIteration, []float64) {
	t.Helper()
	const discount = 0.99
	problem, err := world.Problem(discount, []int{0, 15})
	if err != nil {
		t.Fatal(err)
	}
	solver, err := mdp.NewValueIteration(problem.Law, discount)
	if err != nil {
		t.Fatal(err)
	}
	return solver, problem.Rewards.Joint
}

// One agent's value in closed form: staying in state 1 by action a with probability p, and returning
// by action b with probability p.
func TestTwoStateAgentClosedForm(t *testing.T) {
	const p, g = 0.91, 0.99
	team := twoStates(1)
	problem, err := team.Problem(g)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := problem.Solve(1e-10, 0)
	if err != nil {
		t.Fatal(err)
	}
	// v1 = 5 + g (p v1 + (1-p) v0), v0 = -1 + g (p v1 + (1-p) v0): they differ by 6.
	v1 := (5 - 6*g*(1-p)) / (1 - g)
	got := solved.Optimal
	const tolerance = 1e-9 // absolute, of values near 450: the solver's and the rounding of the closed form
	if d := math.Abs(got.Value[1] - v1); d > tolerance {
		t.Errorf("state 1 is worth %v, want %v", got.Value[1], v1)
	}
	if d := math.Abs(got.Value[0] - (v1 - 6)); d > tolerance {
		t.Errorf("state 0 is worth %v, want %v", got.Value[0], v1-6)
	}
	if got.Policy[0] != paper.TwoStateLeave || got.Policy[1] != paper.TwoStateKeep {
		t.Errorf("policy %v, want leave in 0 and keep in 1", got.Policy)
	}
}

// Slips by hand, in the corner (cell 0) and inside (cell 5) of the 4 x 4 grid.
func TestSlips(t *testing.T) {
	const p = 0.1
	for _, c := range []struct {
		slip         paper.Slip
		cell, action int
		want         map[int]float64
	}{
		{paper.SlipOtherActions, 5, paper.GridRight, map[int]float64{6: 0.9, 4: p / 4, 1: p / 4, 9: p / 4, 5: p / 4}},
		{paper.SlipOtherActions, 0, paper.GridStay, map[int]float64{0: 0.9 + 2*p/4, 1: p / 4, 4: p / 4}},
		{paper.SlipStay, 5, paper.GridUp, map[int]float64{1: 0.9, 5: p}},
		{paper.SlipStay, 0, paper.GridUp, map[int]float64{0: 1}},
	} {
		world := gridworld()
		world.Slip = c.slip
		agent, err := world.Agent()
		if err != nil {
			t.Fatal(err)
		}
		for cell := range 16 {
			// roundings of numbers below 1
			if got := probability(agent, c.cell, c.action, cell); !(math.Abs(got-c.want[cell]) <= 1e-15) {
				t.Errorf("%v: cell %d, action %d: probability of %d is %v, want %v", c.slip, c.cell, c.action, cell, got,
					c.want[cell])
			}
		}
	}
}

func TestExamplesRefuseBadInput(t *testing.T) {
	world := gridworld()
	world.Probability = 1.5
	if _, err := world.Agent(); err == nil {
		t.Error("slip probability 1.5 was accepted")
	}
	world = gridworld()
	world.Columns = 0
	if _, err := world.Agent(); err == nil {
		t.Error("a grid of 0 columns was accepted")
	}
	world = gridworld()
	world.Slip = "M0"
	if _, err := world.Agent(); err == nil {
		t.Error("slip M0 was accepted")
	}
	team := twoStates(2)
	team.Obedience = math.NaN()
	if _, err := team.Agent(); err == nil {
		t.Error("probability NaN was accepted")
	}
	for _, agents := range []int{-1, 0, 40} {
		if _, err := twoStates(agents).Problem(0.9); err == nil {
			t.Errorf("a team of %d was accepted", agents)
		}
	}
	for _, start := range [][]int{nil, {0}, {0, 16}, {-1, 0}} {
		if _, err := gridworld().Problem(0.9, start); err == nil {
			t.Errorf("start cells %v were accepted", start)
		}
	}
	for _, name := range paper.SlipNames() {
		if got, err := paper.ParseSlip(name); err != nil || string(got) != name {
			t.Errorf("ParseSlip(%q) = %v, %v", name, got, err)
		}
	}
	if _, err := paper.ParseSlip("M0"); err == nil {
		t.Error("slip \"M0\" was accepted")
	}
}

func probability(m *mdp.Model, s, a, y int) (sum float64) {
	for _, o := range m.AppendOutcomes(nil, s, a) {
		if o.State == y {
			sum += o.Probability
		}
	}
	return sum
}
