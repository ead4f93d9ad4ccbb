package planner

import "gonum.org/v1/gonum/spatial/r3"

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
