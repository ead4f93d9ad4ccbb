package adversary

import "math"

// geometry ignores moves: Belief holds all that it knows, the distance at which the waypoints end.
type geometry struct{}

func newGeometry(*Knowledge) (GoalObserver, error) { return geometry{}, nil }

func (geometry) Reset() {}

func (geometry) See(_, _ int, _ bool) {}

func (geometry) LogLikelihoods(to []float64) { clear(to) }

// moves knows the moves of the grid and takes all actions of a state as equally likely: the likelihood of a
// move is the fraction of actions that command it, #{a: next_g(s, a) = c} over their number. Only the first
// visit of a state counts.
type moves struct{ evidence }

func newMoves(k *Knowledge) (GoalObserver, error) {
	return &moves{newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			making := 0
			for action := range k.Actions {
				if k.Next(goal, state, action) == next {
					making++
				}
			}
			to[goal] = math.Log(float64(making) / float64(k.Actions))
		}
	})}, nil
}
