package adversary

import "math"

// Moves knows the moves of the grid and deems all actions of a state equally likely: a move has the share of
// the actions that command it, #{a: next_g(s, a) = c} over their number. A state counts on its first visit.
type Moves struct {
	knowledge *Knowledge
	logs      []float64 // by goal
}

func newMoves(k *Knowledge) (GoalObserver, error) {
	return &Moves{knowledge: k, logs: make([]float64, len(k.Candidates))}, nil
}

// Reset implements GoalObserver.
func (o *Moves) Reset() { clear(o.logs) }

// See implements GoalObserver.
func (o *Moves) See(state, next int, again bool) {
	if again {
		return
	}
	k := o.knowledge
	for goal := range o.logs {
		ways := 0
		for action := range k.Actions {
			if k.Next(goal, state, action) == next {
				ways++
			}
		}
		o.logs[goal] += math.Log(float64(ways) / float64(k.Actions))
	}
}

// LogLikelihoods implements GoalObserver.
func (o *Moves) LogLikelihoods(to []float64) { copy(to, o.logs) }
