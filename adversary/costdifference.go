package adversary

import (
	"errors"
	"fmt"
	"math"
)

// CostDifference recognises the goal by what the path so far costs more than it must, if that is the goal
// (Ramirez and Geffner 2010; Masters and Sardina 2017, "Cost-based goal recognition for path-planning"). The cost
// difference of goal g is the cost of the moves seen and of the cheapest path from there to g, less that of the
// cheapest path to g from the start: optc(s, o, g) - optc(s, g). Its weight is e^(-beta difference), so that what
// the moves cost, which is the same for all goals, cancels: only the first state and the present one matter. The
// posterior is the mean of those for every beta of Knowledge.Rationalities, normalised each: without a
// probability of whole paths, moves say nothing about beta. No move rules a goal out.
//
// Masters and Sardina take e^(-x)/(1 + e^(-x)) with x = beta difference where this takes e^(-x). The order of
// goals is the same. The two agree where x is large for all goals; with theirs, the probabilities depend on the
// moves before.
type CostDifference struct {
	knowledge    *Knowledge
	first, state int       // where the moves begin, and where they lead; both -1 before the first
	difference   []float64 // by goal, less what the moves cost
	weights      []float64 // by goal
}

func newCostDifference(k *Knowledge) (GoalObserver, error) {
	if k.PathCost == nil || len(k.Rationalities) == 0 {
		return nil, errors.New("adversary: the observer cost_difference needs the costs of paths and at least " +
			"one rationality")
	}
	if err := checkRationalities(k); err != nil {
		return nil, err
	}
	n := len(k.Candidates)
	o := &CostDifference{knowledge: k, difference: make([]float64, n), weights: make([]float64, n)}
	o.Reset()
	return o, nil
}

// checkRationalities returns an error unless every inverse temperature is a finite number above 0.
func checkRationalities(k *Knowledge) error {
	for _, beta := range k.Rationalities {
		if !(beta > 0) || math.IsInf(beta, 0) {
			return fmt.Errorf("adversary: rationality %v, want a finite number above 0", beta)
		}
	}
	return nil
}

// Reset implements GoalObserver.
func (o *CostDifference) Reset() { o.first, o.state = -1, -1 }

// See implements GoalObserver.
func (o *CostDifference) See(state, next int, _ bool) {
	if o.first < 0 {
		o.first = state
	}
	o.state = next
}

// LogLikelihoods implements GoalObserver.
func (o *CostDifference) LogLikelihoods(to []float64) {
	clear(to)
	if o.first < 0 {
		return
	}
	least := o.differ()
	for _, beta := range o.knowledge.Rationalities {
		sum := 0.0
		for goal, d := range o.difference {
			o.weights[goal] = math.Exp(beta * (least - d))
			sum += o.knowledge.Candidates[goal].Prior * o.weights[goal]
		}
		for goal, w := range o.weights {
			to[goal] += w / sum
		}
	}
	for goal, sum := range to {
		to[goal] = math.Log(sum / float64(len(o.knowledge.Rationalities)))
	}
}

// differ finds the cost difference of every goal, less what the moves cost, and returns the least. That of a goal
// which no path leads to is +Inf.
func (o *CostDifference) differ() float64 {
	k, least := o.knowledge, math.Inf(1)
	for goal := range o.difference {
		d := math.Inf(1)
		if left := k.PathCost(goal, o.state); !math.IsInf(left, 1) {
			d = left - k.PathCost(goal, o.first)
		}
		o.difference[goal] = d
		if k.Candidates[goal].Prior > 0 {
			least = min(least, d)
		}
	}
	return least
}
