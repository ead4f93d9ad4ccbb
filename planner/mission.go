package planner

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
)

// Spec states a waypoint problem.
type Spec struct {
	Columns, Rows int
	SpacingKm     float64 // between neighbouring waypoints, km, > 0
	StartCell     Cell    // the waypoint at the vehicle's start
	Moves         Moves   // empty: PaperMoves
	KeepOut       []Area  // where no waypoint is commanded
	Goals         []Cell  // beside the one nearest to the target
	RewardWeight  float64 // reward lost per spacing of distance to the nearest goal
	// Rewards are earned beside that: one for every cell, earned by commanding it, or one for every cell and action.
	// Those of cells that are kept out of are not used.
	Rewards   []float64
	Discount  float64 // of future rewards, in (0, 1)
	Slip      float64 // probability that another action's outcome happens, in [0, 1)
	Tolerance float64 // largest loss of value that a computed policy may have in any state, > 0
}

// Grid lays the grid with its moves, goals and what is kept out of. The error is a *CutOffError where no way leads
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
	g.beside = s.Rewards
	return g, g.keepOut(s.KeepOut)
}

// Mission is the problem of choosing waypoints on a grid, solved for its true reward: that of one agent, with
// states x actions entries. Cells that are kept out of are terminal: that they are is public, nothing is earned there
// and none of it is private.
type Mission struct {
	Grid *Grid
	*Solved
}

// NewMission lays the grid, checks the specification and solves the true problem. It is an error if that
// solution is not certified to the tolerance, and a *CutOffError if no way leads to a goal.
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
	law, err := grid.transitions(spec.Slip)
	if err != nil {
		return nil, err
	}
	problem, err := NewProblem(law, [][]float64{grid.rewards(spec.RewardWeight)}, spec.Discount, grid.Start,
		grid.terminal())
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
	return mdp.NewSlipModel(g.States(), g.Moves.Count(), slip, func(state, action int) int {
		return g.Next(state, Action(action))
	})
}

// rewards returns the true reward: of every state and action what its waypoint earns.
func (g *Grid) rewards(weight float64) []float64 { return g.rewardsOf(weight, g) }

// rewardsOf returns what the moves on another grid, which differs in its goals alone, earn under this one's reward.
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

// reward is -weight times the distance, in spacings, of the commanded waypoint from the nearest goal, and what is
// earned beside that; 0 where nothing is commanded.
func (g *Grid) reward(weight float64, state int, action Action, next int) float64 {
	if g.KeptOut(state) {
		return 0
	}
	return -weight*g.cellsToGoal(next) + g.earnedBeside(state, action, next)
}

// earnedBeside returns what a move earns beside the distance to the goal.
func (g *Grid) earnedBeside(state int, action Action, next int) float64 {
	switch len(g.beside) {
	case 0:
		return 0
	case g.States():
		return g.beside[next]
	}
	return g.beside[state*g.Moves.Count()+int(action)]
}

// Arrives reports whether the plan without privacy commands a waypoint within a distance of a goal, km, before it
// repeats itself, and else the state that it comes back to.
func (m *Mission) Arrives(km float64) (waits int, arrives bool) {
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
