package adversary

import (
	"errors"
	"math"
	"slices"
)

// Mechanism knows how often private policies for every goal make each move. From N policies it estimates the
// probability of a move from s to c as (n(s, c) + 1/2)/(N + m(s)/2), where n policies make it and m moves are
// possible (Krichevsky and Trofimov 1981), and 0 if no action makes it. Only the first visit of a state counts,
// because a policy repeats its move. Moves of different states are taken as independent. For a mechanism that
// draws a goal it knows more: see Drawn.
type Mechanism struct {
	evidence
	knowledge *Knowledge
	chosen    []float64 // by action
	to        []int     // by action: the state it commands
}

func newMechanism(k *Knowledge) (GoalObserver, error) {
	if k.Draws != nil {
		return newDrawn(k)
	}
	if k.Chosen == nil || !(k.Policies > 0) {
		return nil, errors.New("adversary: the observer mechanism needs private policies for every goal")
	}
	o := &Mechanism{knowledge: k, chosen: make([]float64, k.Actions), to: make([]int, k.Actions)}
	o.evidence = newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			to[goal] = math.Log(o.share(goal, state, next))
		}
	})
	return o, nil
}

// unseen is the count added to every possible move.
const unseen = 0.5

// share returns the probability of a move.
func (o *Mechanism) share(goal, state, next int) float64 {
	k := o.knowledge
	k.Chosen(goal, state, o.chosen)
	made, moves, possible := 0.0, 0.0, false
	for action := range o.to {
		to := k.Next(goal, state, action)
		if to == next {
			made += o.chosen[action]
			possible = true
		}
		if !slices.Contains(o.to[:action], to) { // no earlier action makes the same move
			moves++
		}
		o.to[action] = to
	}
	if !possible {
		return 0
	}
	return (made + unseen) / (k.Policies + unseen*moves)
}
