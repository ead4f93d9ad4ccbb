package adversary

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// progress is a naive Bayes classifier of moves by the progress of the flight. For goal g the progress in state s is
// the fraction of the path that is done, 1 - optc(s, g)/optc(s_0, g), where optc is the cost of the cheapest path to g
// and s_0 the first state. Its range is divided into ten stages. The probability of a move, which is a direction on the
// grid, follows from the moves that private policies for g make in that stage on their way from s_0 to the hand-over:
// with n of N expected moves and m directions it is (n + 1/2)/(N + m/2) (Krichevsky and Trofimov 1981). Moves are taken
// as independent, given the goal. Only the first visit of a state counts. No move rules a goal out.
//
// This observer pools the states of a stage, whereas mechanism takes each on its own. The expected moves are those of a
// Markov chain, in which every visit of a state draws a policy again.
type progress struct {
	evidence
	knowledge *Knowledge
	start     int                  // the first state; -1 before the first move
	moves     [][stages]moveCounts // by goal, expected of the private policies
	offsets   []int                // by direction: the number of the next state minus that of the state
	chosen    []float64            // by action
	paths     [][]pathMove         // by cell that is drawn in place of the goal, see countDrawn
	states    []stateStage         // by state, for one goal
}

// stages is how many ranges progress is divided into, directionCount how many directions there are: to the eight
// neighbours, and staying.
const (
	stages         = 10
	directionCount = 9
)

// moveCounts are expected numbers of moves.
type moveCounts struct {
	total       float64
	byDirection []float64 // up to the last direction that occurs
}

func (c *moveCounts) add(direction int, moves float64) {
	c.byDirection = addAt(c.byDirection, direction, moves)
	c.total += moves
}

// in returns how many moves go in a direction; no move goes in direction -1.
func (c *moveCounts) in(direction int) float64 {
	if direction < 0 || direction >= len(c.byDirection) {
		return 0
	}
	return c.byDirection[direction]
}

// addAt adds x to counts[i], and extends counts with zeros where that is necessary.
func addAt(counts []float64, i int, x float64) []float64 {
	for len(counts) <= i {
		counts = append(counts, 0)
	}
	counts[i] += x
	return counts
}

// direction returns the number of the direction of a move that private policies make.
func (o *progress) direction(state, next int) int {
	i := slices.Index(o.offsets, next-state)
	if i < 0 {
		i = len(o.offsets)
		o.offsets = append(o.offsets, next-state)
	}
	return i
}

func newProgress(k *Knowledge) (GoalObserver, error) {
	if k.Draws == nil && (k.Chosen == nil || !(k.Policies > 0)) {
		return nil, errors.New("adversary: the observer progress needs private policies for every goal")
	}
	if k.PathCost == nil || k.Waypoint == nil {
		return nil, errors.New("adversary: the observer progress needs the costs of paths, and waypoints")
	}
	o := &progress{knowledge: k, start: -1, chosen: make([]float64, k.Actions)}
	o.evidence = newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			counts := &o.moves[goal][o.stage(goal, state)]
			direction := slices.Index(o.offsets, next-state) // a flight may go where no policy does
			to[goal] = math.Log((counts.in(direction) + pseudocount) / (counts.total + pseudocount*directionCount))
		}
	})
	return o, nil
}

func (o *progress) See(state, next int, again bool) {
	if o.start < 0 {
		o.start = state
		o.moves = make([][stages]moveCounts, len(o.knowledge.Candidates))
		for goal := range o.moves {
			if o.knowledge.Draws != nil {
				o.countDrawn(goal)
			} else {
				o.count(goal)
			}
		}
	}
	o.evidence.See(state, next, again)
}

// stage returns the stage of a state for a goal.
func (o *progress) stage(goal, state int) int {
	total, left := o.knowledge.PathCost(goal, o.start), o.knowledge.PathCost(goal, state)
	if !(left < total) { // no progress, or no path at all
		return 0
	}
	const rounding = 1e-9 // of a fraction
	return min(int((1-left/total+rounding)*stages), stages-1)
}

// count computes the expected moves of private policies for a goal until the hand-over.
func (o *progress) count(goal int) {
	k := o.knowledge
	const maxMoves, negligible = 200, 1e-3      // moves of a policy, and the share of policies that is ignored
	policies := addAt(nil, o.start, k.Policies) // by state
	for moves, left := 0, k.Policies; moves < maxMoves && left > negligible*k.Policies; moves++ {
		var after []float64
		left = 0
		for state, n := range policies {
			if !(n > 0) {
				continue
			}
			k.Chosen(goal, state, o.chosen)
			counts := &o.moves[goal][o.stage(goal, state)]
			moved := 0.0
			for action, chosen := range o.chosen {
				if chosen == 0 {
					continue
				}
				next, moving := k.Next(goal, state, action), n*chosen/k.Policies
				counts.add(o.direction(state, next), moving)
				if !o.handsOver(goal, next) {
					after = addAt(after, next, moving)
					moved += moving
				}
			}
			left += moved
		}
		policies = after
	}
}

// drawnPolicies is the number of policies of a goal for which the probabilities of the drawn cells are known exactly.
const drawnPolicies = 100

// pathMove is a move of a plan from a state in a direction.
type pathMove struct{ state, direction int }

// stateStage is what countDrawn needs to know of a state for a goal.
type stateStage struct {
	known, handsOver bool
	stage            int
}

// countDrawn is count for a mechanism that draws a cell in place of the goal: every cell has one policy.
func (o *progress) countDrawn(goal int) {
	probabilities := o.knowledge.Draws.Probabilities[goal]
	if o.paths == nil {
		o.paths = make([][]pathMove, len(probabilities))
	}
	clear(o.states)
	for cell, p := range probabilities {
		if p == 0 {
			continue
		}
		if o.paths[cell] == nil {
			o.paths[cell] = o.pathOf(cell)
		}
		for _, move := range o.paths[cell] {
			for len(o.states) <= move.state {
				o.states = append(o.states, stateStage{})
			}
			s := &o.states[move.state]
			if !s.known {
				*s = stateStage{true, o.handsOver(goal, move.state), o.stage(goal, move.state)}
			}
			if s.handsOver {
				break
			}
			o.moves[goal][s.stage].add(move.direction, drawnPolicies*p)
		}
	}
}

// pathOf returns the moves of the plan for a cell, up to the first state that it visits again.
func (o *progress) pathOf(cell int) (path []pathMove) {
	visited := map[int]bool{}
	for state := o.start; !visited[state]; {
		visited[state] = true
		next := o.knowledge.Draws.Next(cell, state)
		path = append(path, pathMove{state, o.direction(state, next)})
		state = next
	}
	return path
}

// handsOver reports whether no waypoint is commanded in a state of a flight to a goal.
func (o *progress) handsOver(goal, state int) bool {
	off := r3.Sub(o.knowledge.Candidates[goal].TargetKm, o.knowledge.Waypoint(state))
	return math.Hypot(off.X, off.Y) < o.knowledge.HandoverKm
}
