package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
)

// Spec states a waypoint problem.
type Spec struct {
	Columns, Rows int
	SpacingKm     float64 // between neighbouring waypoints, km, > 0
	StartCell     Cell    // the waypoint at the vehicle's start
	RewardWeight  float64 // reward lost per spacing of distance to the goal
	Discount      float64 // of future rewards, in (0, 1)
	Slip          float64 // probability that another action's outcome happens, in [0, 1)
	Tolerance     float64 // largest loss of value that a computed policy may have in any state, > 0
}

// Mission is a waypoint problem made ready to solve: its grid, transition law, true reward and the
// policy optimal for that. It is immutable and safe for concurrent use; each goroutine takes a Planner.
type Mission struct {
	Grid      *Grid
	Law       mdp.Law
	Rewards   []float64 // the true reward R, state-major, states x 5 actions
	Discount  float64
	Tolerance float64
	Optimal   Plan // optimal for Rewards
}

// Plan is a policy and its value under the reward it was made for.
type Plan struct {
	Policy []int32   // action of every state
	Value  []float64 // discounted reward of following Policy, per state
	Bound  float64   // certified largest error of Value in any state, and distance from the optimum
}

// NewMission lays the grid, checks the specification and solves the true problem. It is an error if that
// solution is not certified to the tolerance.
func NewMission(spec Spec, start, target r3.Vec) (*Mission, error) {
	grid, err := NewGrid(spec.Columns, spec.Rows, spec.SpacingKm, spec.StartCell, start, target)
	if err != nil {
		return nil, err
	}
	if !(spec.Slip >= 0 && spec.Slip < 1) {
		return nil, fmt.Errorf("planner: slip probability %v is outside [0, 1)", spec.Slip)
	}
	if !(spec.Tolerance > 0) || math.IsInf(spec.Tolerance, 0) {
		return nil, fmt.Errorf("planner: tolerance %v, want a finite number above 0", spec.Tolerance)
	}
	law, err := grid.transitions(spec.Slip)
	if err != nil {
		return nil, err
	}
	m := &Mission{
		Grid: grid, Law: law, Rewards: grid.rewards(spec.RewardWeight),
		Discount: spec.Discount, Tolerance: spec.Tolerance,
	}
	if err := mdp.CheckRewards(law, m.Rewards); err != nil {
		return nil, err
	}
	solver, err := mdp.NewSolver(law, m.Discount)
	if err != nil {
		return nil, err
	}
	solution := solver.Solve(m.Rewards, nil, m.Tolerance)
	if err := solution.Within(m.Tolerance); err != nil {
		return nil, err
	}
	m.Optimal = Plan{
		Policy: append([]int32(nil), solution.Policy...),
		Value:  append([]float64(nil), solution.Value...),
		Bound:  solution.Bound,
	}
	return m, nil
}

// transitions returns the law in which an action has its own outcome with probability 1-slip and the
// outcomes of the other actions share slip equally.
func (g *Grid) transitions(slip float64) (mdp.Law, error) {
	return mdp.NewSlipModel(g.States(), actionCount, slip, func(state, action int) int {
		return g.Next(state, Action(action))
	})
}

// rewards returns the true reward: -weight times the distance, in spacings, of the commanded waypoint
// from the goal.
func (g *Grid) rewards(weight float64) []float64 {
	table := make([]float64, 0, g.States()*actionCount)
	for state := range g.States() {
		for action := range Action(actionCount) {
			table = append(table, -weight*g.cellsToGoal(g.Next(state, action)))
		}
	}
	return table
}
