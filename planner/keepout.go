package planner

import (
	"fmt"
	"slices"
	"strings"
)

// Area is a rectangle of cells, both corners inside.
type Area struct{ From, To Cell }

// keepOut closes the cells of some areas and checks that a path leads from the start to every goal.
func (g *Grid) keepOut(areas []Area) error {
	if len(areas) == 0 {
		return nil
	}
	g.closed = make([]bool, g.States())
	for _, a := range areas {
		if !g.holds(a.From) || !g.holds(a.To) {
			return fmt.Errorf("planner: the grid of %d x %d waypoints does not hold all of the area (%d, %d) to (%d, %d)",
				g.Columns, g.Rows, a.From.Column, a.From.Row, a.To.Column, a.To.Row)
		}
		for row := min(a.From.Row, a.To.Row); row <= max(a.From.Row, a.To.Row); row++ {
			for column := min(a.From.Column, a.To.Column); column <= max(a.From.Column, a.To.Column); column++ {
				g.closed[g.State(Cell{column, row})] = true
			}
		}
	}
	reached := g.reached()
	for _, goal := range g.Goals() {
		if !reached[goal] {
			return &CutOffError{grid: g, goal: goal, reached: reached}
		}
	}
	return nil
}

// terminal returns the keep-out cells.
func (g *Grid) terminal() []int32 {
	var states []int32
	for state, closed := range g.closed {
		if closed {
			states = append(states, int32(state))
		}
	}
	return states
}

// reached returns the states that can be reached from the start.
func (g *Grid) reached() []bool {
	reached := make([]bool, g.States())
	if g.KeptOut(g.Start) {
		return reached
	}
	reached[g.Start] = true
	for front := []int{g.Start}; len(front) > 0; {
		state := front[len(front)-1]
		front = front[:len(front)-1]
		for action := range Action(g.Moves.Count()) {
			if next := g.Next(state, action); !reached[next] {
				reached[next] = true
				front = append(front, next)
			}
		}
	}
	return reached
}

// CutOffError reports a map without a path from the start to a goal.
type CutOffError struct {
	grid    *Grid
	goal    int
	reached []bool
}

// Error says which goal is cut off and why.
func (e *CutOffError) Error() string {
	start, goal := e.grid.Cell(e.grid.Start), e.grid.Cell(e.goal)
	switch {
	case e.grid.KeptOut(e.grid.Start):
		return fmt.Sprintf("the start, column %d, row %d, lies in a keep-out area", start.Column, start.Row)
	case e.grid.KeptOut(e.goal):
		return fmt.Sprintf("the goal, column %d, row %d, lies in a keep-out area", goal.Column, goal.Row)
	}
	return fmt.Sprintf("no way leads from the start, column %d, row %d, to the goal, column %d, row %d", start.Column,
		start.Row, goal.Column, goal.Row)
}

// Inside reports whether the start or the goal lies in a keep-out area.
func (e *CutOffError) Inside() bool { return e.grid.KeptOut(e.grid.Start) || e.grid.KeptOut(e.goal) }

// Picture draws which cells are cut off; see Grid.Picture.
func (e *CutOffError) Picture() string {
	return e.grid.Picture(func(state int) byte {
		if e.reached[state] {
			return '.'
		}
		return 'x'
	}) + "S start, G goal, # keep-out cell, . within reach, x cut off\n"
}

// pictureColumns is the largest width of a picture, in characters.
const pictureColumns = 76

// Picture draws the grid in characters, north above: S is the start, G a goal, # a keep-out cell (also where
// the start or a goal is in it), and every other state has the character that the argument returns. On a large
// grid a character stands for a square of cells. It shows the most important of them, in the order start or
// goal in a keep-out cell, start, goal, keep-out cell, others; of the others it shows the largest character.
func (g *Grid) Picture(character func(state int) byte) string {
	side := (max(g.Columns, g.Rows) + pictureColumns - 1) / pictureColumns
	goals := g.Goals()
	rank := func(state int) (order int, drawn byte) {
		switch kept, goal := g.KeptOut(state), slices.Contains(goals, state); {
		case kept && (goal || state == g.Start):
			return 4, '#'
		case state == g.Start:
			return 3, 'S'
		case goal:
			return 2, 'G'
		case kept:
			return 1, '#'
		}
		return 0, character(state)
	}
	var out strings.Builder
	for row := (g.Rows - 1) / side * side; row >= 0; row -= side {
		for column := 0; column < g.Columns; column += side {
			best, shown := -1, byte(0)
			for r := row; r < min(row+side, g.Rows); r++ {
				for c := column; c < min(column+side, g.Columns); c++ {
					if order, drawn := rank(g.State(Cell{c, r})); order > best || order == best && drawn > shown {
						best, shown = order, drawn
					}
				}
			}
			out.WriteByte(shown)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
