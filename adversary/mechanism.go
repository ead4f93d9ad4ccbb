package adversary

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// mechanism knows how often private policies for every goal make each move. From N policies it estimates the
// probability of a move from s to c as (n(s, c) + 1/2)/(N + m(s)/2), where n policies make it and m moves are
// possible (Krichevsky and Trofimov 1981), and 0 if no action makes it. Only the first visit of a state counts,
// because a policy repeats its move. Moves of different states are taken as independent. For a mechanism that
// draws a goal it knows more: see drawn.
type mechanism struct {
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
	o := &mechanism{knowledge: k, chosen: make([]float64, k.Actions), to: make([]int, k.Actions)}
	o.evidence = newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			to[goal] = math.Log(o.share(goal, state, next))
		}
	})
	return o, nil
}

// pseudocount is the count added to every possible move.
const pseudocount = 0.5

// share returns the probability of a move.
func (o *mechanism) share(goal, state, next int) float64 {
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
	return (made + pseudocount) / (k.Policies + pseudocount*moves)
}

// evidence sums the log-likelihoods of moves for every goal: the common part of all observers that take moves as
// independent. It computes those of a move when the move is first seen and caches some, because most flights begin
// alike.
type evidence struct {
	logs      []float64
	compute   func(state, next int, to []float64) // computes the log-likelihoods of a move
	cache     map[[2]int][]float64                // by state and next
	cacheRoom int                                 // number of moves that may still be cached
	buffer    []float64                           // log-likelihoods of a move that is not cached
}

// The cache holds at most this many moves and numbers.
const (
	maxCached        = 256
	maxCachedNumbers = 1 << 21
)

func newEvidence(numbers int, compute func(state, next int, to []float64)) evidence {
	return evidence{logs: make([]float64, numbers), compute: compute, cache: map[[2]int][]float64{},
		cacheRoom: min(maxCached, maxCachedNumbers/numbers)}
}

func (e *evidence) Reset() { clear(e.logs) }

// See adds a move of a policy with one action per state: later visits of a state tell nothing more.
func (e *evidence) See(state, next int, again bool) {
	if !again {
		e.add(state, next)
	}
}

func (e *evidence) LogLikelihoods(to []float64) { copy(to, e.logs) }

func (e *evidence) add(state, next int) {
	logs, cached := e.cache[[2]int{state, next}]
	if !cached {
		if e.buffer == nil {
			e.buffer = make([]float64, len(e.logs))
		}
		logs = e.buffer
		e.compute(state, next, logs)
		if e.cacheRoom > 0 {
			e.cache[[2]int{state, next}], e.buffer = logs, nil
			e.cacheRoom--
		}
	}
	for i, log := range logs {
		e.logs[i] += log
	}
}

// Draws describes a mechanism that draws a cell in place of the goal.
type Draws struct {
	Probabilities [][]float64               // of drawing every cell, by candidate
	Next          func(cell, state int) int // the state that the plan for a cell commands in a state
}

// drawn knows a mechanism that draws a goal in place of the true one and plans for it: the likelihood of a goal
// is the probability of drawing a cell whose plan makes the moves seen. It is exact, so no observer of the
// moves is better.
type drawn struct {
	*Draws
	alive []bool // cells whose plans make the moves seen
}

func newDrawn(k *Knowledge) (GoalObserver, error) {
	if len(k.Draws.Probabilities) != len(k.Candidates) {
		return nil, fmt.Errorf("adversary: draws for %d goals, but %d are possible; want one for each",
			len(k.Draws.Probabilities), len(k.Candidates))
	}
	o := &drawn{Draws: k.Draws, alive: make([]bool, len(k.Draws.Probabilities[0]))}
	o.Reset()
	return o, nil
}

func (o *drawn) Reset() {
	for j := range o.alive {
		o.alive[j] = true
	}
}

func (o *drawn) See(state, next int, _ bool) {
	for j, alive := range o.alive {
		o.alive[j] = alive && o.Next(j, state) == next
	}
}

func (o *drawn) LogLikelihoods(to []float64) {
	for g, row := range o.Probabilities {
		sum := 0.0
		for j, alive := range o.alive {
			if alive {
				sum += row[j]
			}
		}
		to[g] = math.Log(sum)
	}
}
