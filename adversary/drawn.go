package adversary

import (
	"fmt"
	"math"
)

// Draws describes a mechanism that draws a cell in place of the goal.
type Draws struct {
	Probabilities [][]float64               // of drawing every cell, by candidate
	Next          func(cell, state int) int // the state that the plan for a cell commands in a state
}

// Drawn knows a mechanism that draws a goal in place of the true one and plans for it: the likelihood of a goal
// is the probability of drawing a cell whose plan makes the moves seen. It is exact, so no observer of the
// moves is better.
type Drawn struct {
	*Draws
	alive []bool // cells whose plans make the moves seen
}

func newDrawn(k *Knowledge) (GoalObserver, error) {
	if len(k.Draws.Probabilities) != len(k.Candidates) {
		return nil, fmt.Errorf("adversary: draws for %d goals, but %d are possible; want one for each",
			len(k.Draws.Probabilities),
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
