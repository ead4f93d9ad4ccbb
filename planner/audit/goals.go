package audit

import (
	"errors"
	"math"

	"veilpath/planner/privacy"
)

// Goal is what is published by a mechanism that draws the goal: the drawn cell.
const Goal = "goal"

// OfGoal returns two goals on a lattice to be audited, and what the mechanism promises for them. The other goal is the
// allowed cell with the least promised epsilon, and of several the farthest: if the promise grows with the distance,
// that is a cell beside the goal, and otherwise the cell that is hardest to hide. The goals are compared by their
// likelihood ratio under the mechanism m. drawn draws the cells; it is m, or what claims to be.
func OfGoal(m, drawn privacy.GoalMechanism, l privacy.Lattice, goal int, seed uint64) (Inputs, Claim, error) {
	other, least, farthest := -1, math.Inf(1), 0.0
	for cell := range l.Cells() {
		if cell == goal || l.Allowed != nil && !l.Allowed[cell] {
			continue
		}
		epsilon, away := m.EpsilonBetween(goal, cell), l.Distance(goal, cell)
		if epsilon < least || epsilon == least && away > farthest {
			other, least, farthest = cell, epsilon, away
		}
	}
	if other < 0 {
		return Inputs{}, Claim{}, errors.New("audit: a lattice of one cell has one goal; want two goals to compare")
	}
	probabilities := func(m privacy.GoalMechanism) (of [2][]float64) {
		for i, goal := range []int{goal, other} {
			of[i] = make([]float64, l.Cells())
			m.Probabilities(of[i], goal)
		}
		return of
	}
	promised, actual := probabilities(m), probabilities(drawn)
	in := Inputs{Of: Goal, Seed: seed, LawClaim: "the drawn cells have the probabilities of the mechanism"}
	// The number of a cell has a uniform fraction added, which the law uses.
	in.NewSampler = func() (Sampler, error) {
		return func(goal int, noise *privacy.Noise) (float64, error) {
			cell := privacy.DrawFrom(actual[goal], noise.Uniform())
			return float64(cell) + noise.Uniform(), nil
		}, nil
	}
	in.Read = func(v float64) float64 {
		const largest = 1e4 // of a logarithm of a ratio, in place of infinity
		ratio := math.Log(promised[1][int(v)]) - math.Log(promised[0][int(v)])
		if math.IsNaN(ratio) {
			return 0
		}
		return max(-largest, min(ratio, largest))
	}
	for i, p := range promised {
		below := make([]float64, len(p)+1)
		for j, q := range p {
			below[j+1] = below[j] + q
		}
		in.Laws[i] = func(v float64) float64 { return below[int(v)] + (v-math.Floor(v))*p[int(v)] }
	}
	return in, Claim{Epsilon: least, Delta: m.Delta(), Adjacency: farthest}, nil
}
