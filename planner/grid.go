package planner

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// Action is a command to move from one waypoint to the next.
type Action int32

// The actions of the waypoint problem, in the order of the reward table (paper, Example 3).
const (
	North Action = iota
	South
	East
	West
	ToTarget
	actionCount = 5
)

// String returns the action's name.
func (a Action) String() string {
	if a < 0 || a >= actionCount {
		return fmt.Sprintf("Action(%d)", int32(a))
	}
	return [...]string{"north", "south", "east", "west", "to target"}[a]
}

// Word returns the action's name in one word, such as to_target.
func (a Action) Word() string { return strings.ReplaceAll(a.String(), " ", "_") }

// Cell is a waypoint's column (eastwards) and row (northwards) in its grid.
type Cell struct{ Column, Row int }

// Grid is a rectangle of waypoints in the horizontal plane of the start. State numbers run row by row:
// state = row*Columns + column.
type Grid struct {
	Columns, Rows int
	SpacingKm     float64
	Start, Goal   int    // states of the first waypoint and of the one nearest to the target
	corner        r3.Vec // position of cell (0, 0), km
}

// NewGrid lays the grid so that the start cell lies at the start position; the goal is the cell nearest
// to the target's horizontal projection. The error says when the grid does not hold the one or the other.
func NewGrid(columns, rows int, spacingKm float64, startCell Cell, start, target r3.Vec) (*Grid, error) {
	if columns < 1 || rows < 1 || columns > math.MaxInt32/rows {
		return nil, fmt.Errorf("planner: a grid of %d x %d waypoints; both sides must be at least 1 and their product fit 31 bits", columns, rows)
	}
	if !(spacingKm > 0) || math.IsInf(spacingKm, 0) {
		return nil, fmt.Errorf("planner: waypoint spacing %v km, want a finite positive distance", spacingKm)
	}
	if !finite(start) || !finite(target) {
		return nil, fmt.Errorf("planner: start %v and target %v km, want finite positions", start, target)
	}
	g := &Grid{Columns: columns, Rows: rows, SpacingKm: spacingKm}
	if !g.holds(startCell) {
		return nil, fmt.Errorf("planner: the grid of %d x %d waypoints does not hold the start cell (%d, %d)", columns, rows, startCell.Column, startCell.Row)
	}
	g.corner = r3.Sub(start, r3.Vec{X: float64(startCell.Column) * spacingKm, Y: float64(startCell.Row) * spacingKm})
	goal := Cell{
		Column: int(math.Round((target.X - g.corner.X) / spacingKm)),
		Row:    int(math.Round((target.Y - g.corner.Y) / spacingKm)),
	}
	if !g.holds(goal) {
		return nil, fmt.Errorf("planner: the grid of %d x %d waypoints does not hold the target: its nearest cell would be (%d, %d)", columns, rows, goal.Column, goal.Row)
	}
	g.Start, g.Goal = g.State(startCell), g.State(goal)
	return g, nil
}

func finite(r r3.Vec) bool {
	sum := r.X*0 + r.Y*0 + r.Z*0
	return sum == 0
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

// Next returns the waypoint commanded by an action: the neighbour in that direction, or the state itself
// where the grid ends. ToTarget commands the one of the eight neighbours, or the state itself, that is
// nearest to the goal.
func (g *Grid) Next(state int, action Action) int {
	c := g.Cell(state)
	switch action {
	case North:
		c.Row++
	case South:
		c.Row--
	case East:
		c.Column++
	case West:
		c.Column--
	case ToTarget:
		goal := g.Cell(g.Goal)
		c.Column += sign(goal.Column - c.Column)
		c.Row += sign(goal.Row - c.Row)
	default:
		panic(fmt.Sprintf("planner: no such action: %d", action))
	}
	if !g.holds(c) {
		return state
	}
	return g.State(c)
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

// cellsToGoal returns the straight-line distance from a waypoint to the goal in units of the spacing.
func (g *Grid) cellsToGoal(state int) float64 {
	c, goal := g.Cell(state), g.Cell(g.Goal)
	return math.Hypot(float64(c.Column-goal.Column), float64(c.Row-goal.Row))
}
