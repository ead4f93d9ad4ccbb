package adversary

import "math"

// Moves knows the moves of the grid and deems all actions of a state equally likely: a move has the share of
// the actions that command it, #{a: next_g(s, a) = c} over their number. A state counts on its first visit.
type Moves struct{ evidence }

func newMoves(k *Knowledge) (GoalObserver, error) {
	return &Moves{newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			ways := 0
			for action := range k.Actions {
				if k.Next(goal, state, action) == next {
					ways++
				}
			}
			to[goal] = math.Log(float64(ways) / float64(k.Actions))
		}
	})}, nil
}

// See implements GoalObserver.
func (o *Moves) See(state, next int, again bool) {
	if !again {
		o.add(state, next)
	}
}

// LogLikelihoods implements GoalObserver.
func (o *Moves) LogLikelihoods(to []float64) { copy(to, o.logs) }
