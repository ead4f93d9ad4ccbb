package planner

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Route is the sequence of waypoints that a policy commands on a grid.
type Route struct {
	Grid   *Grid
	Policy []int32 // action of every state
}

// First returns the state at the start.
func (r Route) First() int { return r.Grid.Start }

// Next returns the waypoint the policy commands from a state.
func (r Route) Next(state int) int { return r.Grid.Next(state, Action(r.Policy[state])) }

// Position returns where a waypoint lies, km.
func (r Route) Position(state int) r3.Vec { return r.Grid.Position(state) }

// PairsOf returns the numbers state*actions+action of the moves that a policy commands from the start, until a state
// comes again.
func (m *Mission) PairsOf(policy []int32) (pairs []int32) {
	route := Route{Grid: m.Grid, Policy: policy}
	actions := m.Law.Actions()
	for at := route.First(); ; at = route.Next(at) {
		pair := int32(at*actions) + policy[at]
		if slices.Contains(pairs, pair) {
			return pairs
		}
		pairs = append(pairs, pair)
	}
}
