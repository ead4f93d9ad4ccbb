package planner

import (
	"fmt"
	"strings"
)

// Action is a move from one waypoint to the next. Its number is its position among the grid's Moves and its
// place in a row of the reward table.
type Action int32

// The first four actions of all Moves, and the last one of PaperMoves.
const (
	North Action = iota
	South
	East
	West
	ToTarget // of PaperMoves alone
)

// Moves is a set of moves on a grid.
type Moves string

// The sets of moves. The only diagonal of PaperMoves leads to the goal, so a diagonal reveals the goal's
// quadrant; a diagonal of EightMoves does not.
const (
	PaperMoves Moves = "paper" // north, south, east, west, to target (Example 3)
	EightMoves Moves = "8"     // the eight neighbours
)

// directions are the steps to the eight neighbours, in the order of EightMoves.
var directions = [...]Cell{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}

var moveNames = map[Moves][]string{
	PaperMoves: {"north", "south", "east", "west", "to target"},
	EightMoves: {"north", "south", "east", "west", "north-east", "south-east", "south-west", "north-west"},
}

// Names returns the names of the moves in the order of their numbers.
func (m Moves) Names() []string { return append([]string(nil), moveNames[m]...) }

// Count returns how many moves there are.
func (m Moves) Count() int { return len(moveNames[m]) }

// Name returns the name of a move.
func (m Moves) Name(a Action) string {
	if names := moveNames[m]; a >= 0 && int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("Action(%d)", int32(a))
}

// Word returns the name of a move with underscores for spaces, such as to_target.
func (m Moves) Word(a Action) string { return strings.ReplaceAll(m.Name(a), " ", "_") }

// direction returns the index of a move in directions. It panics if there is no such move, or if the move has
// no fixed direction.
func (m Moves) direction(a Action) Action {
	directed := 0
	switch m {
	case PaperMoves:
		directed = int(ToTarget)
	case EightMoves:
		directed = len(directions)
	}
	if a < 0 || int(a) >= directed {
		panic(fmt.Sprintf("planner: no such action: %d", a))
	}
	return a
}
