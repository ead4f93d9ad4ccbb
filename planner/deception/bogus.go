package deception

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
)

// Bogus returns the states of the goals that are feigned on a grid: the named cells but those that are goals;
// where none is left, the Mirror of the goal, if there is one. It is an error if no way leads to a named cell.
func Bogus(g *planner.Grid, named []planner.Cell) ([]int, error) {
	var states []int
	allowed := g.Lattice().Allowed
	for _, c := range named {
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
	if mirror := Mirror(g); len(states) == 0 && mirror >= 0 {
		states = []int{mirror}
	}
	return states, nil
}

// Mirror returns the state that is feigned where none is named: the mirror image of the goal at the row of the
// start, which is as far away; of a goal in that row, at the diagonal through the start. Where that is off the
// grid or kept out of, it is the nearest cell that ways lead to, of several the first. It is neither the start
// nor a goal, and -1 where there is no such cell.
func Mirror(g *planner.Grid) int {
	start, goal := g.Cell(g.Start), g.Cell(g.Goal)
	image := planner.Cell{Column: goal.Column, Row: 2*start.Row - goal.Row}
	if goal.Row == start.Row {
		image = planner.Cell{Column: start.Column, Row: start.Row + goal.Column - start.Column}
	}
	allowed := g.Lattice().Allowed
	nearest, least := -1, math.Inf(1)
	for state := range g.States() {
		c := g.Cell(state)
		away := math.Hypot(float64(c.Column-image.Column), float64(c.Row-image.Row))
		if away < least && (allowed == nil || allowed[state]) && state != g.Start && !slices.Contains(g.Goals(), state) {
			nearest, least = state, away
		}
	}
	return nearest
}
