package adversary

import (
	"fmt"
	"math"
)

// Drawn knows a mechanism that draws a goal in place of the true one and plans for that: the likelihood of a goal is
// the probability of drawing a cell whose plan makes the moves seen. It is exact, so no observer of the moves does
// better.
type Drawn struct {
	probabilities [][]float64
	next          func(cell, state int) int
	alive         []bool // cells whose plans make the moves seen
}

// NewDrawnModel returns an observer of the goal for flights to drawn goals: probabilities[g][j] is that of drawing cell
// j for candidate g, and next returns the state that the plan for a cell commands in a state. Both are kept.
func NewDrawnModel(probabilities [][]float64, next func(cell, state int) int) GoalModel {
	return GoalModel{Name: "drawn", Meaning: "knows the mechanism that draws the goal, and the plan for every goal", New: func(k *Knowledge) (GoalObserver, error) {
		if len(probabilities) != len(k.Candidates) {
			return nil, fmt.Errorf("adversary: draws for %d goals, %d are possible; want one of each", len(probabilities), len(k.Candidates))
		}
		o := &Drawn{probabilities: probabilities, next: next, alive: make([]bool, len(probabilities[0]))}
		o.Reset()
		return o, nil
	}}
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
		o.alive[j] = alive && o.next(j, state) == next
	}
}

// LogLikelihoods implements GoalObserver.
func (o *Drawn) LogLikelihoods(to []float64) {
	for g, row := range o.probabilities {
		sum := 0.0
		for j, alive := range o.alive {
			if alive {
				sum += row[j]
			}
		}
		to[g] = math.Log(sum)
	}
}
