package mdp_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/planner/mdp"
	"veilpath/planner/paper"
)

type construct func(law mdp.Law, discount float64) (mdp.Solver, error)

// solvers are all solvers of any law.
var solvers = map[string]construct{
	"value iteration":  func(l mdp.Law, d float64) (mdp.Solver, error) { return mdp.NewValueIteration(l, d) },
	"policy iteration": func(l mdp.Law, d float64) (mdp.Solver, error) { return mdp.NewPolicyIteration(l, d) },
	"modified policy iteration": func(l mdp.Law, d float64) (mdp.Solver,
		error) {
		return mdp.NewModifiedPolicyIteration(l, d)
	},
	"chosen": mdp.NewSolver,
}

func TestSolversOnRandomProblems(t *testing.T) {
	problems := randomProblems(1, trials(t, 2100))
	for name, build := range solvers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, p := range problems {
				solver, err := build(p.Law, p.Discount)
				if err != nil {
					t.Fatal(err)
				}
				// Tight and loose: a certificate is only put to the test by a solve that stops early.
				tolerance := []float64{1e-10, 1e-3, 0.5}[i/7%3]
				if err := p.checkSolver(solver, tolerance); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// trials is how many random trials a test makes: a tenth under -short, which is for the race detector.
func trials(t *testing.T, count int) int {
	t.Helper()
	if testing.Short() {
		return count / 10
	}
	return count
}

func TestSolveReportsTheFloatingPointFloor(t *testing.T) {
	p := randomProblems(3, 1)[0]
	for name, build := range solvers {
		solver, err := build(p.Law, 0.99)
		if err != nil {
			t.Fatal(err)
		}
		solution := solver.Solve(p.Rewards, nil, 1e-18)
		err = solution.Within(1e-18)
		if err == nil || !strings.Contains(err.Error(), "rounding") {
			t.Errorf("%s: tolerance 1e-18 gives error %v, want one about rounding", name, err)
		}
		if !(solution.Bound > 1e-18 && solution.Bound < 1e-9) {
			t.Errorf("%s: bound %g at the floor, want it small but above the tolerance", name, solution.Bound)
		}
	}
}

func TestSolversRefuseDiscounts(t *testing.T) {
	law, _ := waypointGrid(t, 3, 3, 0.1)
	for _, discount := range []float64{0, 1, -1, 2, math.NaN()} {
		for name, build := range solvers {
			if _, err := build(law, discount); err == nil {
				t.Errorf("%s: discount %v was accepted", name, discount)
			}
		}
	}
}

// A solution is within a tolerance that its bound does not exceed, and says what it reached otherwise.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		bound, tolerance float64
		ok               bool
	}{
		{1e-9, 1e-9, true}, {0, 0, true}, {math.Nextafter(1e-9, 0), 1e-9, true},
		{math.Nextafter(1e-9, 1), 1e-9, false}, {0.276, 1e-9, false}, {1, math.NaN(), false}, {math.NaN(), 1, false},
		{math.Inf(1), 1, false},
	} {
		err := mdp.Solution{Bound: c.bound}.Within(c.tolerance)
		if (err == nil) != c.ok {
			t.Errorf("bound %v, tolerance %v: error %v", c.bound, c.tolerance, err)
		}
		if err != nil && !strings.Contains(err.Error(),
			fmt.Sprintf("certified to %.3g, not to the tolerance %.3g", c.bound, c.tolerance)) {
			t.Errorf("bound %v, tolerance %v: %v does not say both", c.bound, c.tolerance, err)
		}
	}
}

func TestSolversDoNotAllocate(t *testing.T) {
	grid, gridRewards := waypointGrid(t, 20, 20, 0.1)
	team, teamRewards := gridworld(t, 2)
	for _, problem := range []struct {
		law     mdp.Law
		rewards []float64
	}{{grid, gridRewards}, {team, teamRewards}} {
		for name, build := range solvers {
			solver, err := build(problem.law, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			solution := solver.Solve(problem.rewards, nil, 1e-6)
			policy := slices.Clone(solution.Policy)
			count := testing.AllocsPerRun(2, func() {
				solver.Solve(problem.rewards, nil, 1e-6)
				solver.ValueFrom(3, policy, problem.rewards, 0)
			})
			if count > 0 {
				t.Errorf("%s: %v allocations per solve and evaluation", name, count)
			}
		}
	}
}

func TestResultsDoNotDependOnCores(t *testing.T) {
	slip, rewards := waypointGrid(t, 80, 80, 0.1)
	model, err := mdp.Expand(slip)
	if err != nil {
		t.Fatal(err)
	}
	team, teamRewards := gridworld(t, 2) // 6400 pairs: below the threshold
	larger, largerRewards := gridworld(t, 3)
	for _, problem := range []struct {
		name     string
		law      mdp.Law
		rewards  []float64
		discount float64
	}{{"slip", slip, rewards, 0.5}, {"sparse", model, rewards, 0.5}, {"team", team, teamRewards, 0.5},
		{"larger team", larger, largerRewards, 0.3}} {
		for name, build := range solvers {
			var want mdp.Solution
			for _, cores := range []int{1, 2, 3} {
				solver, err := build(problem.law, problem.discount)
				if err != nil {
					t.Fatal(err)
				}
				solver.(interface{ LimitCores(int) }).LimitCores(cores)
				got := solver.Solve(problem.rewards, nil, 1e-3)
				if cores == 1 {
					want = got
					continue
				}
				if !slices.Equal(got.Value, want.Value) || !slices.Equal(got.Policy, want.Policy) || got.Bound != want.Bound ||
					got.Sweeps != want.Sweeps {
					t.Errorf("%s, %s: %d cores give another result than one", problem.name, name, cores)
				}
			}
		}
	}
}

// waypointGrid is the planner's waypoint problem: four moves and one towards the goal, rewarded by the
// commanded cell's distance from it.
func waypointGrid(t testing.TB, columns, rows int, slip float64) (*mdp.SlipModel, []float64) {
	t.Helper()
	goalColumn, goalRow := columns*4/5, rows*55/100
	law, err := mdp.NewSlipModel(columns*rows, 5, slip, func(state, action int) int {
		c, r := state%columns, state/columns
		switch action {
		case 0:
			r++
		case 1:
			r--
		case 2:
			c++
		case 3:
			c--
		default:
			c, r = c+sign(goalColumn-c), r+sign(goalRow-r)
		}
		if c < 0 || c >= columns || r < 0 || r >= rows {
			return state
		}
		return r*columns + c
	})
	if err != nil {
		t.Fatal(err)
	}
	rewards := make([]float64, columns*rows*5)
	for i := range rewards {
		next := law.Successor(i/5, i%5)
		rewards[i] = -2 * math.Hypot(float64(next%columns-goalColumn), float64(next/columns-goalRow))
	}
	return law, rewards
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// gridworld is Example 2 with a number of agents.
func gridworld(t testing.TB, agents int) (*mdp.Joint, []float64) {
	t.Helper()
	world := paper.Gridworld{Columns: 4, Rows: 4, Agents: agents, Slip: paper.SlipOtherActions, Probability: 0.1,
		Reward: 5, OtherReward: -1}
	problem, err := world.Problem(0.5, make([]int, agents)) // any discount: the tests have their own
	if err != nil {
		t.Fatal(err)
	}
	return problem.Law.(*mdp.Joint), problem.Rewards.Joint
}
