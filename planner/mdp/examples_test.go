package mdp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
)

// The number of plain sweeps until no value changes by a threshold, for thresholds inside the windows in
// which an independent implementation counts 1761, the published 11,270,400 iterations / 6400 pairs,
// and just outside them.
func TestExample2SweepsToAThreshold(t *testing.T) {
	for _, c := range []struct {
		slip      mdp.GridSlip
		low, high float64 // 1761 sweeps for thresholds in (low, high]; four digits
	}{
		{mdp.SlipStay, 1.0397e-7, 1.0502e-7},
		{mdp.SlipSideways, 1.0397e-7, 1.0502e-7},
		{mdp.SlipOtherActionsUnlessStaying, 1.0397e-7, 1.0502e-7},
		{mdp.SlipOtherMovesUnlessStaying, 1.0397e-7, 1.0502e-7},
		{mdp.SlipOtherActions, 9.050e-8, 9.142e-8},
		{mdp.SlipOtherNeighbours, 7.789e-8, 7.868e-8},
		{mdp.SlipOtherNeighboursOrStay, 7.871e-8, 7.950e-8},
		{mdp.SlipEachOtherNeighbour, 4.965e-8, 5.015e-8},
	} {
		world := mdp.DefaultGridworld()
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
		if got := solver.SolveToChange(rewards, nil, (c.low+c.high)/2).Sweeps; got != 1761 {
			t.Errorf("slip %v: value iteration itself takes %d sweeps, want 1761", c.slip, got)
		}
	}
}

func exampleSolver(t *testing.T, world mdp.Gridworld) (*mdp.ValueIteration, []float64) {
	t.Helper()
	joint, err := world.Joint(0)
	if err != nil {
		t.Fatal(err)
	}
	rewards, err := joint.Rewards(world.AgentRewards(joint), nil)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := mdp.NewValueIteration(joint, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	return solver, rewards
}

// The predicted number of sweeps is the one that value iteration takes.
func TestSweepsToChangeCountsWhatSolveToChangeDoes(t *testing.T) {
	joint, rewards := gridworld(t, 2)
	solver, err := mdp.NewValueIteration(joint, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(31, 32))
	private := make([]float64, len(rewards))
	for trial := range 40 {
		for i := range private {
			private[i] = rewards[i] + float64(trial%4)*rng.NormFloat64()
		}
		threshold := math.Pow(10, -8*rng.Float64())
		got, done := solver.SweepsToChange(private, nil, threshold)
		if want := solver.SolveToChange(private, nil, threshold).Sweeps; got != want {
			t.Errorf("trial %d, threshold %g: predicted %d sweeps after %d, value iteration takes %d", trial, threshold, got, done, want)
		}
	}
}

// No reward is below -1, so that no policy of Example 1 can cost more than (v + 1)/v of the optimum v
// per step: 129 % for three agents and 142 % for six.
func TestExample1CostCeiling(t *testing.T) {
	const discount = 0.99
	for agents, percent := range map[int]string{3: "129", 6: "142"} {
		team := mdp.DefaultTwoStateTeam(agents)
		joint, err := team.Joint(0)
		if err != nil {
			t.Fatal(err)
		}
		rewards, err := joint.Rewards(team.AgentRewards(joint), nil)
		if err != nil {
			t.Fatal(err)
		}
		solver, err := mdp.NewSolver(joint, discount)
		if err != nil {
			t.Fatal(err)
		}
		v := (1 - discount) * solver.Solve(rewards, nil, 1e-8).Value[team.Start()]
		if got := fmt.Sprintf("%.0f", 100*(v+1)/v); got != percent {
			t.Errorf("%d agents: no policy costs more than %s %%, want %s", agents, got, percent)
		}
	}
}

// One agent's value in closed form: staying in state 1 by action a with probability p, and returning
// by action b with probability p.
func TestTwoStateAgentClosedForm(t *testing.T) {
	const p, g = 0.91, 0.99
	team := mdp.DefaultTwoStateTeam(1)
	joint, err := team.Joint(0)
	if err != nil {
		t.Fatal(err)
	}
	rewards, err := joint.Rewards(team.AgentRewards(joint), nil)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := mdp.NewSolver(joint, g)
	if err != nil {
		t.Fatal(err)
	}
	// v1 = 5 + g (p v1 + (1-p) v0), v0 = -1 + g (p v1 + (1-p) v0): they differ by 6.
	v1 := (5 - 6*g*(1-p)) / (1 - g)
	got := solver.Solve(rewards, nil, 1e-10)
	const tolerance = 1e-9 // absolute, of values near 450: the solver's and the rounding of the closed form
	if d := math.Abs(got.Value[1] - v1); d > tolerance {
		t.Errorf("state 1 is worth %v, want %v", got.Value[1], v1)
	}
	if d := math.Abs(got.Value[0] - (v1 - 6)); d > tolerance {
		t.Errorf("state 0 is worth %v, want %v", got.Value[0], v1-6)
	}
	if got.Policy[0] != mdp.TwoStateLeave || got.Policy[1] != mdp.TwoStateKeep {
		t.Errorf("policy %v, want leave in 0 and keep in 1", got.Policy)
	}
}

// Slips by hand, in the corner (cell 0) and inside (cell 5) of the 4 x 4 grid.
func TestGridSlips(t *testing.T) {
	const p = 0.1
	for _, c := range []struct {
		slip         mdp.GridSlip
		cell, action int
		want         map[int]float64
	}{
		{mdp.SlipOtherActions, 5, mdp.GridRight, map[int]float64{6: 0.9, 4: p / 4, 1: p / 4, 9: p / 4, 5: p / 4}},
		{mdp.SlipOtherActions, 0, mdp.GridStay, map[int]float64{0: 0.9 + 2*p/4, 1: p / 4, 4: p / 4}},
		{mdp.SlipOtherNeighbours, 5, mdp.GridRight, map[int]float64{6: 0.9, 4: p / 3, 1: p / 3, 9: p / 3}},
		{mdp.SlipOtherNeighbours, 0, mdp.GridLeft, map[int]float64{0: 0.9, 1: p / 2, 4: p / 2}},
		{mdp.SlipStay, 5, mdp.GridUp, map[int]float64{1: 0.9, 5: p}},
		{mdp.SlipStay, 0, mdp.GridUp, map[int]float64{0: 1}},
		{mdp.SlipOtherNeighboursOrStay, 5, mdp.GridRight, map[int]float64{6: 0.9, 4: p / 4, 1: p / 4, 9: p / 4, 5: p / 4}},
		{mdp.SlipOtherNeighboursOrStay, 0, mdp.GridRight, map[int]float64{1: 0.9, 4: p / 2, 0: p / 2}},
		{mdp.SlipOtherNeighboursOrStay, 0, mdp.GridStay, map[int]float64{0: 0.9, 1: p / 2, 4: p / 2}},
		{mdp.SlipSideways, 5, mdp.GridRight, map[int]float64{6: 0.9, 1: p / 2, 9: p / 2}},
		{mdp.SlipSideways, 5, mdp.GridUp, map[int]float64{1: 0.9, 4: p / 2, 6: p / 2}},
		{mdp.SlipSideways, 5, mdp.GridStay, map[int]float64{5: 1}},
		{mdp.SlipEachOtherAction, 5, mdp.GridStay, map[int]float64{5: 1 - 4*p, 4: p, 6: p, 1: p, 9: p}},
		{mdp.SlipAnyAction, 5, mdp.GridStay, map[int]float64{5: 1 - p + p/5, 4: p / 5, 6: p / 5, 1: p / 5, 9: p / 5}},
		{mdp.SlipOtherActionsUnlessStaying, 5, mdp.GridStay, map[int]float64{5: 1}},
		{mdp.SlipOtherActionsUnlessStaying, 5, mdp.GridUp, map[int]float64{1: 0.9, 4: p / 4, 6: p / 4, 9: p / 4, 5: p / 4}},
		{mdp.SlipEachOtherNeighbour, 0, mdp.GridRight, map[int]float64{1: 0.9, 4: p}},
		{mdp.SlipEachOtherNeighbour, 5, mdp.GridStay, map[int]float64{5: 1 - 4*p, 4: p, 6: p, 1: p, 9: p}},
		{mdp.SlipOtherMovesUnlessStaying, 5, mdp.GridUp, map[int]float64{1: 0.9, 4: p / 3, 6: p / 3, 9: p / 3}},
		{mdp.SlipOtherMovesUnlessStaying, 5, mdp.GridStay, map[int]float64{5: 1}},
	} {
		world := mdp.DefaultGridworld()
		world.Slip = c.slip
		agent, err := world.Agent()
		if err != nil {
			t.Fatal(err)
		}
		for cell := range 16 {
			if got := probability(agent, c.cell, c.action, cell); math.Abs(got-c.want[cell]) > 1e-15 { // roundings of numbers below 1
				t.Errorf("%v: cell %d, action %d: probability of %d is %v, want %v", c.slip, c.cell, c.action, cell, got, c.want[cell])
			}
		}
	}
	world := mdp.DefaultGridworld()
	world.Slip = mdp.SlipAnywhere
	agent, err := world.Agent()
	if err != nil {
		t.Fatal(err)
	}
	if got := probability(agent, 5, mdp.GridRight, 15); math.Abs(got-p/15) > 1e-15 {
		t.Errorf("anywhere: probability of the far corner is %v, want %v", got, p/15)
	}
}

func TestExamplesRefuseBadInput(t *testing.T) {
	world := mdp.DefaultGridworld()
	world.Probability = 1.5
	if _, err := world.Agent(); err == nil {
		t.Error("slip probability 1.5 was accepted")
	}
	world = mdp.DefaultGridworld()
	world.Slip, world.Probability = mdp.SlipEachOtherAction, 0.3 // 1.2 in all
	if _, err := world.Agent(); err == nil {
		t.Error("four slips of 0.3 were accepted")
	}
	world = mdp.DefaultGridworld()
	world.Columns = 0
	if _, err := world.Agent(); err == nil {
		t.Error("a grid of 0 columns was accepted")
	}
	world = mdp.DefaultGridworld()
	world.Slip = 99
	if _, err := world.Agent(); err == nil {
		t.Error("slip 99 was accepted")
	}
	team := mdp.DefaultTwoStateTeam(2)
	team.Obedience = math.NaN()
	if _, err := team.Agent(); err == nil {
		t.Error("probability NaN was accepted")
	}
	if _, err := mdp.DefaultTwoStateTeam(0).Joint(0); err == nil {
		t.Error("a team of none was accepted")
	}
	if _, err := mdp.DefaultTwoStateTeam(40).Joint(0); err == nil {
		t.Error("forty agents were accepted")
	}
	for slip := mdp.SlipOtherActions; slip <= mdp.SlipOtherMovesUnlessStaying; slip++ {
		if got, err := mdp.ParseGridSlip(slip.String()); err != nil || got != slip {
			t.Errorf("ParseGridSlip(%q) = %v, %v", slip.String(), got, err)
		}
	}
	if _, err := mdp.ParseGridSlip("M0"); err == nil {
		t.Error("slip \"M0\" was accepted")
	}
}

func TestCostOfPrivacy(t *testing.T) {
	// Two states, certain moves: staying in 1 earns 2 a step, staying in 0 earns 1.
	const g = 0.5
	law, err := mdp.NewSlipModel(2, 2, 0, func(_, action int) int { return action })
	if err != nil {
		t.Fatal(err)
	}
	rewards := []float64{1, 0, 0, 2}
	evaluator, err := mdp.NewEvaluator(law, g)
	if err != nil {
		t.Fatal(err)
	}
	cost := mdp.CostOfPrivacy(evaluator, 1, []int32{1, 1}, []int32{0, 0}, rewards)
	// Optimal: 2/(1-g) = 4. Private: leaves for 0, then earns 1 a step: g/(1-g) = 1.
	const tolerance = 1e-14 // a few units in the last place of 4
	for what, c := range map[string][2]float64{
		"optimal": {cost.Optimal, 4}, "private": {cost.Private, 1}, "absolute": {cost.Absolute, 3}, "relative": {cost.Relative, 0.75},
	} {
		if math.Abs(c[0]-c[1]) > tolerance {
			t.Errorf("%s cost is %v, want %v", what, c[0], c[1])
		}
	}
	if !(cost.Bound > 0 && cost.Bound < 1e-13) {
		t.Errorf("bound %g, want a few roundings", cost.Bound)
	}
	if c := mdp.CompareValues(0, 1); !math.IsInf(c.Relative, 1) {
		t.Errorf("relative cost over a value of 0 is %v, want +Inf", c.Relative)
	}
}

func ExampleSolve() {
	// A vehicle on a row of five cells moves left or right and slips the other way once in ten times;
	// the rightmost cell earns 1 a step.
	law, err := mdp.NewSlipModel(5, 2, 0.1, func(state, action int) int {
		return min(max(state+2*action-1, 0), 4)
	})
	if err != nil {
		panic(err)
	}
	rewards := make([]float64, 10)
	rewards[8], rewards[9] = 1, 1
	solver, err := mdp.NewSolver(law, 0.9)
	if err != nil {
		panic(err)
	}
	solution := solver.Solve(rewards, nil, 1e-9)
	fmt.Println("policy", solution.Policy)
	fmt.Printf("value  %.6f\n", solution.Value)
	fmt.Println("certified to 1e-9:", solution.Bound <= 1e-9)
	// Output:
	// policy [1 1 1 1 1]
	// value  [5.472404 6.148010 6.982091 7.936753 9.022672]
	// certified to 1e-9: true
}
