package deception

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
)

// Bogus says which goals are feigned. The zero value is the mirror image of the true goal.
type Bogus struct {
	Cells []planner.Cell // those that are not goals are feigned
	// Distance is how far from the start the default bogus goal lies, over the distance of the true goal, > 0; 0 for 1.
	// It is used if no other cell is left.
	//
	// The states with equal cost differences form a branch of a hyperbola between the true goal and the bogus one. If
	// both are equally far from the start, the branch is the straight line from the start to the last deceptive point,
	// and pi_d2, pi_d3 and pi_d4 all follow it on an open grid. If the bogus goal is farther, the branch bends around
	// the true goal: the straight way leaves the states that deceive, and the three paths differ.
	Distance float64
}

// States returns the states of the bogus goals on a grid, none if there is no cell beside the start and the goals. It
// is an error if no way leads to a named cell.
func (b Bogus) States(g *planner.Grid) ([]int, error) {
	var states []int
	allowed := g.Lattice().Allowed
	for _, c := range b.Cells {
		if c.Column < 0 || c.Column >= g.Columns || c.Row < 0 || c.Row >= g.Rows {
			return nil, fmt.Errorf("deception: the bogus goal (%d, %d) is outside the grid of %d x %d", c.Column, c.Row,
				g.Columns, g.Rows)
		}
		state := g.State(c)
		if allowed != nil && !allowed[state] {
			return nil, fmt.Errorf("deception: no way leads to the bogus goal (%d, %d)", c.Column, c.Row)
		}
		if !slices.Contains(g.Goals(), state) && !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	if state := b.mirrored(g); len(states) == 0 && state >= 0 {
		states = []int{state}
	}
	return states, nil
}

// mirrored returns the state of the default bogus goal: the mirror image of the goal at the row of the start, at the
// Distance. For a goal in the row of the start, it is the image at the diagonal through the start. If this is off the
// grid or kept out, it is the nearest cell that ways lead to, the first of several. It is neither the start nor a goal,
// and -1 if there is no such cell.
func (b Bogus) mirrored(g *planner.Grid) int {
	distance := b.Distance
	if distance == 0 {
		distance = 1
	}
	start, goal := g.Cell(g.Start), g.Cell(g.Goal)
	east, north := float64(goal.Column-start.Column), float64(start.Row-goal.Row)
	if goal.Row == start.Row {
		east, north = 0, east
	}
	column, row := float64(start.Column)+distance*east, float64(start.Row)+distance*north
	allowed := g.Lattice().Allowed
	nearest, least := -1, math.Inf(1)
	for state := range g.States() {
		c := g.Cell(state)
		away := math.Hypot(float64(c.Column)-column, float64(c.Row)-row)
		if away < least && (allowed == nil || allowed[state]) && state != g.Start && !slices.Contains(g.Goals(), state) {
			nearest, least = state, away
		}
	}
	return nearest
}
