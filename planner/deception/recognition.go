package deception

import (
	"math"

	"veilpath/planner"
)

// Recognition is an observer of the goal on a grid who goes by cost differences (Masters and Sardina 2017, after
// Ramirez and Geffner 2010): a goal is the likelier the less the cheapest path to it from where the vehicle is
// costs more than the one from its start, optc(n, g) - optc(s, g). Paths are those of planner.Grid.PathCosts, to
// each goal with the moves that the grid has for it. Of several true goals it takes the one that a path from
// there is cheapest to.
type Recognition struct {
	real  []float64   // by state: cost of the cheapest path to a true goal
	bogus [][]float64 // by bogus goal and state
	start int
}

// NewRecognition returns the observer of some bogus goals beside the true ones of a grid.
func NewRecognition(g *planner.Grid, bogus []int) *Recognition {
	r := &Recognition{real: g.PathCosts(g.RewardWeight), start: g.Start}
	for _, goal := range bogus {
		feigned := *g
		feigned.Goal, feigned.Others = goal, nil
		r.bogus = append(r.bogus, feigned.PathCosts(g.RewardWeight))
	}
	return r
}

// tie is how far cost differences may be apart, relative to the costs, and count as one: sums of a few hundred
// moves round by far less.
const tie = 1e-11

// Deceives reports whether a bogus goal is at least as likely in a state as the true one: a deceptive node in the
// words of Masters and Sardina. The start deceives, where there is a bogus goal.
func (r *Recognition) Deceives(state int) bool {
	for i := range r.bogus {
		if r.ahead(i, state) >= 0 {
			return true
		}
	}
	return false
}

// ahead returns by how much the cost difference of a bogus goal is less than that of the true one, 0 for what is
// no more than rounding.
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
