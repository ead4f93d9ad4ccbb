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

// Mission is the problem of choosing waypoints on a grid, solved for its true reward: that of one agent, with
// states x 5 entries.
type Mission struct {
	Grid *Grid
	*Solved
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
	problem, err := NewProblem(law, [][]float64{grid.rewards(spec.RewardWeight)}, spec.Discount, grid.Start)
	if err != nil {
		return nil, err
	}
	solved, err := problem.Solve(spec.Tolerance, 0)
	if err != nil {
		return nil, err
	}
	return &Mission{Grid: grid, Solved: solved}, nil
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
