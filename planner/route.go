package planner

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
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

// PairsOf returns the numbers state*actions+action of the moves that a policy commands from the start, until a
// state repeats.
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

// Ties reports whether the optimal plan is one of several that are equally good, as far as its value is certified: in a
// state of its route from the start, another action that commands another waypoint is worth as much. Only states that
// lie farther than handoverKm from every target count, in the plane: nearer to one, no waypoint is commanded.
func (m *Mission) Ties(handoverKm float64, targets ...r3.Vec) bool {
	actions, value := m.Law.Actions(), m.Optimal.Value
	var outcomes []mdp.Outcome
	for _, pair := range m.PairsOf(m.Optimal.Policy) {
		state, own := int(pair)/actions, Action(int(pair)%actions)
		at := m.Grid.Position(state)
		if slices.ContainsFunc(targets, func(t r3.Vec) bool { return math.Hypot(at.X-t.X, at.Y-t.Y) <= handoverKm }) {
			continue
		}
		for a := range Action(actions) {
			reward := m.Rewards.Joint[state*actions+int(a)]
			if m.Grid.Next(state, a) == m.Grid.Next(state, own) || math.IsInf(reward, -1) {
				continue
			}
			worth := reward
			outcomes = m.Law.AppendOutcomes(outcomes[:0], state, int(a))
			for _, o := range outcomes {
				worth += m.Discount * o.Probability * value[o.State]
			}
			if value[state]-worth <= 2*m.Optimal.Bound+tieTolerance*math.Abs(value[state]) {
				return true
			}
		}
	}
	return false
}

// tieTolerance is a relative difference of values that rounding may cause.
const tieTolerance = 1e-12
