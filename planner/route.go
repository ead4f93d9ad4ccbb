package planner

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Route is the sequence of waypoints that a plan commands on a grid: those of a path, and from its end on those of a
// policy.
type Route struct {
	Grid   *Grid
	Policy []int32 // action of every state
	Path   []int32 // states, the start first; nil where the policy commands from the start on
}

// First returns the state at the start.
func (r Route) First() int { return r.Grid.Start }

// Next returns the waypoint that is commanded from a state which is entered after that many visits of states.
func (r Route) Next(visit, state int) int {
	if visit+1 < len(r.Path) {
		return int(r.Path[visit+1])
	}
	return r.Grid.Next(state, Action(r.Policy[state]))
}

// Position returns where a waypoint lies, km.
func (r Route) Position(state int) r3.Vec { return r.Grid.Position(state) }

// PairsOf returns the numbers state*actions+action of the moves that a policy commands from the start, until a state
// comes again.
func (m *Mission) PairsOf(policy []int32) (pairs []int32) {
	actions := m.Law.Actions()
	for at := m.Grid.Start; ; at = m.Grid.Next(at, Action(policy[at])) {
		pair := int32(at*actions) + policy[at]
		if slices.Contains(pairs, pair) {
			return pairs
		}
		pairs = append(pairs, pair)
	}
}
