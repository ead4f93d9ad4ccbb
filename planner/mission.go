package planner

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
)

// Spec specifies a waypoint problem.
type Spec struct {
	Columns, Rows int
	SpacingKm     float64 // between neighbouring waypoints, km, > 0
	StartCell     Cell    // the waypoint at the vehicle's start
	Moves         Moves   // empty: PaperMoves
	KeepOut       []Area  // cells in which no waypoint is commanded
	Goals         []Cell  // further goals besides the one nearest to the target
	RewardWeight  float64 // reward lost per spacing of distance to the nearest goal
	// Rewards are further rewards: one for every cell, earned by commanding it, or one for every cell and action.
	// The entries of keep-out cells are not used.
	Rewards  []float64
	Discount float64 // of future rewards, in (0, 1)
	Slip     float64 // probability that the outcome of another action happens, in [0, 1)
	// Tolerance is the largest loss of value that a computed policy may have in any state, > 0. Where rounding allows
	// no such value, it is what rounding allows, at most roundingShare of the largest possible value.
	Tolerance float64
}

// roundingShare bounds what rounding may cost in shares of the largest possible value, the largest reward divided by
// 1 - discount. It is far below any difference between paths, and reached only with slip at discounts near 1.
const roundingShare = 1e-9

// Grid returns the grid with its moves, goals and keep-out cells. The error is a *CutOffError if no path leads
// from the start to a goal.
func (s *Spec) Grid(start, target r3.Vec) (*Grid, error) {
	g, err := NewGrid(s.Columns, s.Rows, s.SpacingKm, s.StartCell, start, target)
	if err != nil {
		return nil, err
	}
	if s.Moves != "" {
		g.Moves = s.Moves
	}
	if g.Moves.Count() == 0 {
		return nil, fmt.Errorf("planner: no moves called %q; there are %q and %q", s.Moves, PaperMoves, EightMoves)
	}
	for _, c := range s.Goals {
		if !g.holds(c) {
			return nil, fmt.Errorf("planner: the grid of %d x %d waypoints does not hold the goal (%d, %d)", g.Columns, g.Rows,
				c.Column, c.Row)
		}
		if state := g.State(c); !slices.Contains(g.Goals(), state) {
			g.Others = append(g.Others, state)
		}
	}
	if n := len(s.Rewards); n != 0 && n != g.States() && n != g.States()*g.Moves.Count() {
		return nil, fmt.Errorf("planner: %d further rewards, want one for each of %d cells, or for each of their %d moves", n,
			g.States(), g.Moves.Count())
	}
	if g.furtherRewards, g.RewardWeight = s.Rewards, s.RewardWeight; len(g.furtherRewards) > 0 {
		g.maxFurtherReward = slices.Max(g.furtherRewards)
	}
	return g, g.keepOut(s.KeepOut)
}

// Mission is the problem of choosing waypoints on a grid, solved for its true reward: one agent, states x
// actions entries. Keep-out cells are terminal states: they are public, earn nothing and hold nothing private.
type Mission struct {
	Grid *Grid
	*Solved
}

// NewMission builds the grid, checks the specification and solves the true problem. It returns a *mdp.ToleranceError
// if the solution is certified neither to the tolerance nor to roundingShare, and a *CutOffError if no path leads to a
// goal.
func NewMission(spec Spec, start, target r3.Vec) (*Mission, error) {
	grid, err := spec.Grid(start, target)
	if err != nil {
		return nil, err
	}
	if !(spec.Slip >= 0 && spec.Slip < 1) {
		return nil, fmt.Errorf("planner: slip probability %v is outside [0, 1)", spec.Slip)
	}
	if !(spec.Tolerance > 0) || math.IsInf(spec.Tolerance, 0) {
		return nil, fmt.Errorf("planner: tolerance %v, want a finite number above 0", spec.Tolerance)
	}
	law, err := mdp.NewSlipModel(grid.States(), grid.Moves.Count(), spec.Slip, func(state, action int) int {
		return grid.Next(state, Action(action))
	})
	if err != nil {
		return nil, err
	}
	problem, err := NewProblem(law, [][]float64{grid.rewards(spec.RewardWeight)}, spec.Discount, grid.Start,
		grid.terminal())
	if err != nil {
		return nil, err
	}
	problem.Grid = grid
	solved, err := problem.solve(spec.Tolerance, roundingShare*problem.Rewards.LargestAbsolute()/(1-spec.Discount))
	if err != nil {
		return nil, err
	}
	return &Mission{Grid: grid, Solved: solved}, nil
}

// rewards returns the true reward of every state and action.
func (g *Grid) rewards(weight float64) []float64 { return g.rewardsOf(weight, g) }

// rewardsOf returns the rewards, under g, of the moves on another grid that differs only in its goals.
func (g *Grid) rewardsOf(weight float64, moves *Grid) []float64 {
	actions := Action(g.Moves.Count())
	table := make([]float64, 0, g.States()*int(actions))
	for state := range g.States() {
		for action := range actions {
			table = append(table, g.reward(weight, state, action, moves.Next(state, action)))
		}
	}
	return table
}

// RewardsToward returns what the moves of the grid would earn if a cell were the only goal: states x actions. It is for
// grids of a Spec. A move to the true goal stays what it is.
func (g *Grid) RewardsToward(c Cell) ([]float64, error) {
	if !g.holds(c) || g.KeptOut(g.State(c)) {
		return nil, fmt.Errorf("planner: cell (%d, %d) is not a goal that can be planned for: want a cell of the grid of "+
			"%d x %d that is not kept out of", c.Column, c.Row, g.Columns, g.Rows)
	}
	toward := *g
	toward.Goal, toward.Others = g.State(c), nil
	return toward.rewardsOf(g.RewardWeight, g), nil
}

// reward is -weight times the distance, in spacings, from the commanded waypoint to the nearest goal, plus the
// further reward; it is 0 in a keep-out cell.
func (g *Grid) reward(weight float64, state int, action Action, next int) float64 {
	if g.KeptOut(state) {
		return 0
	}
	return -weight*g.cellsToGoal(next) + g.furtherReward(state, action, next)
}

// furtherReward returns what a move earns besides the distance to the goal.
func (g *Grid) furtherReward(state int, action Action, next int) float64 {
	switch len(g.furtherRewards) {
	case 0:
		return 0
	case g.States():
		return g.furtherRewards[next]
	}
	return g.furtherRewards[state*g.Moves.Count()+int(action)]
}

// Arrives reports whether the plan without privacy commands a waypoint within km of a goal before it repeats a
// state. If not, repeated is the first repeated state.
func (m *Mission) Arrives(km float64) (repeated int, arrives bool) {
	g := m.Grid
	seen := make([]bool, g.States())
	state := g.Start
	for !seen[state] {
		if g.cellsToGoal(state)*g.SpacingKm <= km {
			return state, true
		}
		seen[state] = true
		state = g.Next(state, Action(m.Optimal.Policy[state]))
	}
	return state, false
}
