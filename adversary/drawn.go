package adversary

import (
	"fmt"
	"math"
)

// Draws are what a mechanism draws in place of the goal.
type Draws struct {
	Probabilities [][]float64               // of drawing every cell, by candidate
	Next          func(cell, state int) int // the state that the plan for a cell commands in a state
}

// Drawn knows a mechanism that draws a goal in place of the true one and plans for that: the likelihood of a goal is
// the probability of drawing a cell whose plan makes the moves seen. It is exact, so no observer of the moves does
// better.
type Drawn struct {
	*Draws
	alive []bool // cells whose plans make the moves seen
}

func newDrawn(k *Knowledge) (GoalObserver, error) {
	if len(k.Draws.Probabilities) != len(k.Candidates) {
		return nil, fmt.Errorf("adversary: draws for %d goals, %d are possible; want one of each", len(k.Draws.Probabilities),
			len(k.Candidates))
	}
	o := &Drawn{Draws: k.Draws, alive: make([]bool, len(k.Draws.Probabilities[0]))}
	o.Reset()
	return o, nil
}

// Reset implements GoalObserver.
func (o *Drawn) Reset() {
	for j := range o.alive {
		o.alive[j] = true
	}
}

// See implements GoalObserver.
func (o *Drawn) See(state, next int, _ bool) {
	for j, alive := range o.alive {
		o.alive[j] = alive && o.Next(j, state) == next
	}
}

// LogLikelihoods implements GoalObserver.
func (o *Drawn) LogLikelihoods(to []float64) {
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
