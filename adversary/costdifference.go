package adversary

import (
	"errors"
	"fmt"
	"math"
)

// costDifference recognises the goal by the excess cost of the path so far, if that is the goal (Ramirez and
// Geffner 2010; Masters and Sardina 2017, "Cost-based goal recognition for path-planning"). The cost difference
// of goal g is the cost of the moves seen plus that of the cheapest path from there to g, minus that of the
// cheapest path from the start to g: optc(s, o, g) - optc(s, g). Its weight is e^(-beta difference). The cost
// of the moves is the same for all goals and cancels, so only the first and the current state matter. The
// posterior is the mean of the normalised posteriors for every beta of Knowledge.Rationalities: without
// probabilities of whole paths, moves say nothing about beta. In the paper's mission at epsilon 0.2 to 4 the best
// single beta leaves at most 0.34 bits less after 50 km. No move rules a goal out.
//
// Masters and Sardina use e^(-x)/(1 + e^(-x)) with x = beta difference, where this uses e^(-x). The order of
// goals is the same. Both agree if x is large for all goals; with theirs, the probabilities depend on the
// earlier moves.
type costDifference struct {
	knowledge    *Knowledge
	first, state int       // first and current state of the moves; both -1 before the first move
	difference   []float64 // by goal, less what the moves cost
	weights      []float64 // by goal
}

func newCostDifference(k *Knowledge) (GoalObserver, error) {
	if k.PathCost == nil || len(k.Rationalities) == 0 {
		return nil, errors.New("adversary: the observer cost_difference needs path costs and at least " +
			"one rationality")
	}
	if err := checkRationalities(k); err != nil {
		return nil, err
	}
	n := len(k.Candidates)
	o := &costDifference{knowledge: k, difference: make([]float64, n), weights: make([]float64, n)}
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

func (o *costDifference) Reset() { o.first, o.state = -1, -1 }

func (o *costDifference) See(state, next int, _ bool) {
	if o.first < 0 {
		o.first = state
	}
	o.state = next
}

func (o *costDifference) LogLikelihoods(to []float64) {
	clear(to)
	if o.first < 0 {
		return
	}
	least := o.updateDifferences()
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

// updateDifferences sets the cost difference of every goal, without the cost of the moves, and returns the least. It is
// +Inf for a goal that no path reaches.
func (o *costDifference) updateDifferences() float64 {
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
