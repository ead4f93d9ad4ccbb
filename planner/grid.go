package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Cell is a waypoint's column (eastwards) and row (northwards) in its grid.
type Cell struct{ Column, Row int }

// Grid is a rectangle of waypoints in the horizontal plane of the start. State numbers run row by row:
// state = row*Columns + column.
type Grid struct {
	Columns, Rows    int
	SpacingKm        float64
	Start, Goal      int       // states of the first waypoint and of the one nearest to the target
	Others           []int     // states of further goals
	Moves            Moves     // moves of the vehicle on it
	RewardWeight     float64   // reward lost per spacing of distance to the nearest goal
	corner           r3.Vec    // position of cell (0, 0), km
	closed           []bool    // keep-out cells; nil: none
	furtherRewards   []float64 // Spec.Rewards, earned besides the distance to the goal
	maxFurtherReward float64   // the largest of those, 0 without any
}

// NewGrid places the grid so that the start cell lies at the start position; the goal is the cell nearest to
// the target's horizontal projection. It returns an error if the grid does not contain both. Its moves are the
// paper's; Spec.Grid takes others.
func NewGrid(columns, rows int, spacingKm float64, startCell Cell, start, target r3.Vec) (*Grid, error) {
	if columns < 1 || rows < 1 || columns > math.MaxInt32/rows {
		return nil, fmt.Errorf("planner: a grid of %d x %d waypoints; both sides must be at least 1 and their product fit "+
			"31 bits", columns, rows)
	}
	if !(spacingKm > 0) || math.IsInf(spacingKm, 0) {
		return nil, fmt.Errorf("planner: waypoint spacing %v km, want a finite positive distance", spacingKm)
	}
	if !finite(start) || !finite(target) {
		return nil, fmt.Errorf("planner: start %v and target %v km, want finite positions", start, target)
	}
	g := &Grid{Columns: columns, Rows: rows, SpacingKm: spacingKm, Moves: PaperMoves}
	if !g.holds(startCell) {
		return nil, fmt.Errorf("planner: the grid of %d x %d waypoints does not hold the start cell (%d, %d)", columns, rows,
			startCell.Column, startCell.Row)
	}
	g.corner = r3.Sub(start, r3.Vec{X: float64(startCell.Column) * spacingKm, Y: float64(startCell.Row) * spacingKm})
	goal := g.cellAt(target)
	if !g.holds(goal) {
		return nil, fmt.Errorf("planner: the grid of %d x %d waypoints does not hold the target: its nearest cell would be "+
			"(%d, %d)", columns, rows, goal.Column, goal.Row)
	}
	g.Start, g.Goal = g.State(startCell), g.State(goal)
	return g, nil
}

func finite(r r3.Vec) bool {
	sum := r.X*0 + r.Y*0 + r.Z*0
	return sum == 0
}

// cellAt returns the cell nearest to a position; it may lie outside the grid.
func (g *Grid) cellAt(r r3.Vec) Cell {
	return Cell{Column: int(math.Round((r.X - g.corner.X) / g.SpacingKm)),
		Row: int(math.Round((r.Y - g.corner.Y) / g.SpacingKm))}
}

func (g *Grid) holds(c Cell) bool {
	return c.Column >= 0 && c.Column < g.Columns && c.Row >= 0 && c.Row < g.Rows
}

// States returns the number of waypoints.
func (g *Grid) States() int { return g.Columns * g.Rows }

// State returns the state number of a cell inside the grid.
func (g *Grid) State(c Cell) int { return c.Row*g.Columns + c.Column }

// Cell returns the cell of a state.
func (g *Grid) Cell(state int) Cell { return Cell{Column: state % g.Columns, Row: state / g.Columns} }

// Position returns where a waypoint lies, km.
func (g *Grid) Position(state int) r3.Vec {
	c := g.Cell(state)
	return r3.Add(g.corner, r3.Vec{X: float64(c.Column) * g.SpacingKm, Y: float64(c.Row) * g.SpacingKm})
}

// Next returns the waypoint that an action commands: the neighbour in its direction, or the state itself at the
// edge of the grid or of a keep-out cell. ToTarget commands whichever of the eight neighbours and the state
// itself is nearest to the goal; with several goals, to the goal nearest to the state.
func (g *Grid) Next(state int, action Action) int {
	from := g.Cell(state)
	to := from
	if action == ToTarget && g.Moves != EightMoves {
		goal := g.Cell(g.nearestGoal(from))
		to.Column += sign(goal.Column - from.Column)
		to.Row += sign(goal.Row - from.Row)
	} else {
		step := directions[g.Moves.direction(action)]
		to.Column += step.Column
		to.Row += step.Row
	}
	if !g.holds(to) || g.blocked(from, to) {
		return state
	}
	return g.State(to)
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

// cellsToGoal returns the straight-line distance from a waypoint to the nearest goal in units of the spacing.
func (g *Grid) cellsToGoal(state int) float64 {
	c := g.Cell(state)
	return c.distance(g.Cell(g.nearestGoal(c)))
}

// nearestGoal returns the goal nearest to a cell, the first of several equally near.
func (g *Grid) nearestGoal(c Cell) int {
	nearest := g.Goal
	for _, goal := range g.Others {
		if c.distance(g.Cell(goal)) < c.distance(g.Cell(nearest)) {
			nearest = goal
		}
	}
	return nearest
}

// distance is the straight-line distance in units of the spacing.
func (c Cell) distance(to Cell) float64 {
	return math.Hypot(float64(c.Column-to.Column), float64(c.Row-to.Row))
}

// Goals returns all goals, first the one nearest to the target.
func (g *Grid) Goals() []int { return append([]int{g.Goal}, g.Others...) }

// KeepsOut reports whether the grid has keep-out cells.
func (g *Grid) KeepsOut() bool { return g.closed != nil }

// OverKeptOut reports whether a position, km, lies over a keep-out cell: the square with the side of a spacing
// around its waypoint. The plan never commands such a cell, but a vehicle may cross one while it turns or heads
// for its target.
func (g *Grid) OverKeptOut(r r3.Vec) bool {
	c := g.cellAt(r)
	return g.holds(c) && g.KeptOut(g.State(c))
}

// KeptOut reports whether a state is a keep-out cell.
func (g *Grid) KeptOut(state int) bool { return g.closed != nil && g.closed[state] }

// Beside returns the further reward for commanding a cell; 0 if further rewards are given per move.
func (g *Grid) Beside(state int) float64 {
	if len(g.furtherRewards) != g.States() {
		return 0
	}
	return g.furtherRewards[state]
}

// blocked reports whether a move between neighbours is closed: either cell is a keep-out cell, or both cells
// beside a diagonal move are.
func (g *Grid) blocked(from, to Cell) bool {
	if g.closed == nil {
		return false
	}
	beside := g.closed[g.State(Cell{from.Column, to.Row})] && g.closed[g.State(Cell{to.Column, from.Row})]
	return beside || g.closed[g.State(from)] || g.closed[g.State(to)]
}
