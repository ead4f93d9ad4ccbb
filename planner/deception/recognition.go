package deception

import (
	"math"

	"veilpath/planner"
)

// Recognition is an observer of the goal on a grid who compares cost differences (Masters and Sardina 2017, after
// Ramirez and Geffner 2010). A goal is the likelier, the less the cheapest path to it from the current state n costs,
// compared with the one from the start s: optc(n, g) - optc(s, g). Paths are those of planner.Grid.PathCosts, to each
// goal with the moves that the grid has for it. Several true goals count as one: the cheapest to reach.
type Recognition struct {
	real  []float64   // by state: cost of the cheapest path to a true goal
	bogus [][]float64 // by bogus goal and state
	start int
}

// NewRecognition returns the observer of a grid and some bogus goals.
func NewRecognition(g *planner.Grid, bogus []int) *Recognition {
	r := &Recognition{real: g.PathCosts(g.RewardWeight), start: g.Start}
	for _, goal := range bogus {
		feigned := *g
		feigned.Goal, feigned.Others = goal, nil
		r.bogus = append(r.bogus, feigned.PathCosts(g.RewardWeight))
	}
	return r
}

// tie is the largest difference of equal cost differences, relative to the costs: the rounding of sums of a few
// hundred moves is far smaller.
const tie = 1e-11

// Deceives reports whether a bogus goal is at least as likely in a state as the true one: a deceptive node of
// Masters and Sardina. The start deceives if there is a bogus goal.
func (r *Recognition) Deceives(state int) bool {
	for i := range r.bogus {
		if r.ahead(i, state) >= 0 {
			return true
		}
	}
	return false
}

// ahead returns the cost difference of the true goal minus that of a bogus one; 0 if that is only rounding.
func (r *Recognition) ahead(i, state int) float64 {
	bogus := r.bogus[i]
	difference := (r.real[state] - r.real[r.start]) - (bogus[state] - bogus[r.start])
	if math.Abs(difference) <= tie*(r.real[state]+r.real[r.start]+bogus[state]+bogus[r.start]) {
		return 0
	}
	return difference
}

// Deceptive returns which states deceive, nil without a bogus goal.
func (r *Recognition) Deceptive() []bool {
	if len(r.bogus) == 0 {
		return nil
	}
	states := make([]bool, len(r.real))
	for state := range states {
		states[state] = r.Deceives(state)
	}
	return states
}

// RadiusOfMaximumProbability returns, in cost, within which distance of the true goal it is the likeliest
// wherever the vehicle is, if moves cost the same both ways: the least over bogus goals b of (optc(b, g) +
// optc(s, g) - optc(s, b))/2 (Masters and Sardina 2017). It returns the number of the bogus goal that it is least
// for, the first of several.
//
// The cost difference of b exceeds that of g where optc(n, b) - optc(s, b) > optc(n, g) - optc(s, g), and optc(n,
// b) is at least optc(b, g) - optc(n, g) by the triangle inequality; on a cheapest path between b and g it is no
// more. The program of the authors (ssardina-research/p4-simulator-gr) takes the bogus goal that is nearest to g
// instead, which makes the radius too large where another is less.
func (r *Recognition) RadiusOfMaximumProbability(bogus []int) (radius float64, argmin int) {
	radius, argmin = math.Inf(1), -1
	for i, costs := range r.bogus {
		if own := (r.real[bogus[i]] + r.real[r.start] - costs[r.start]) / 2; own < radius {
			radius, argmin = own, i
		}
	}
	return radius, argmin
}
