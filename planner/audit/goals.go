package audit

import (
	"context"
	"errors"
	"math"

	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Goal is what is published by a mechanism that draws the goal: the drawn cell.
const Goal = "goal"

// GoalSubject is a mechanism that draws a cell of a lattice in place of the goal. The table and its neighbour are two
// goals.
type GoalSubject struct {
	Mechanism   privacy.GoalMechanism
	Cells       int // of the lattice
	Goal, Other int
	Seed        uint64
	// Drawn is the mechanism that draws; nil for Mechanism.
	Drawn privacy.GoalMechanism
}

// OfGoal returns the subject of a goal, and what the mechanism promises. The other goal is the allowed cell with the
// least promised epsilon, and of several the farthest: if the promise grows with the distance, that is a cell beside
// the goal, and otherwise the cell that is hardest to hide.
func OfGoal(m privacy.GoalMechanism, l privacy.Lattice, goal int, seed uint64) (GoalSubject, Claim, error) {
	s := GoalSubject{Mechanism: m, Cells: l.Cells(), Goal: goal, Other: -1, Seed: seed}
	least, farthest := math.Inf(1), 0.0
	for cell := range l.Cells() {
		if cell == goal || l.Allowed != nil && !l.Allowed[cell] {
			continue
		}
		epsilon, away := m.EpsilonBetween(goal, cell), l.Distance(goal, cell)
		if epsilon < least || epsilon == least && away > farthest {
			s.Other, least, farthest = cell, epsilon, away
		}
	}
	if s.Other < 0 {
		return s, Claim{}, errors.New("audit: a lattice of one cell has one goal; want two goals to compare")
	}
	return s, Claim{Epsilon: least, Delta: m.Delta(), Adjacency: farthest}, nil
}

// NewSampler returns a sampler of drawn cells. The number of a cell has a uniform fraction added, which testLaw uses.
func (s GoalSubject) NewSampler() (Sampler, error) {
	m := s.Drawn
	if m == nil {
		m = s.Mechanism
	}
	of := s.distributions(m)
	var noise privacy.Noise
	return func(i int, neighbour bool) (float64, error) {
		probabilities, purpose := of[0], uint64(purposeTable)
		if neighbour {
			probabilities, purpose = of[1], purposeNeighbour
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(i), Purpose: purpose})
		cell := privacy.DrawFrom(probabilities, noise.Uniform())
		return float64(cell) + noise.Uniform(), nil
	}, nil
}

// distributions returns the probabilities of all cells for both goals.
func (s GoalSubject) distributions(m privacy.GoalMechanism) (of [2][]float64) {
	for i, goal := range []int{s.Goal, s.Other} {
		of[i] = make([]float64, s.Cells)
		m.Probabilities(of[i], goal)
	}
	return of
}

// Audit draws a cell for both goals samples times each and judges the claim by the likelihood ratio of the goals.
// progress is called with the number of draws made, 2*samples in all; Watch explains the keeper.
func (s GoalSubject) Audit(ctx context.Context, c Claim, samples, workers int, falseAlarms float64, keeper pool.Keeper,
	progress func(int)) (*Report, error) {
	table, neighbour, err := Watch(ctx, samples, workers, s.NewSampler, keeper, progress)
	if err != nil {
		return nil, err
	}
	of := s.distributions(s.Mechanism)
	law := testLawOfCells(of, table, neighbour)
	entry, err := c.JudgeEntry(logRatios(of, table), logRatios(of, neighbour), 0)
	if err != nil {
		return nil, err
	}
	entry.law = law
	r, err := c.Judge(entry, nil, falseAlarms)
	if err != nil {
		return nil, err
	}
	r.Of = Goal
	return r, nil
}

// logRatios returns, for every drawn cell, the logarithm of the likelihood ratio of the other goal and the goal.
func logRatios(of [2][]float64, drawn []float64) []float64 {
	const largest = 1e4 // of a logarithm of a ratio, in place of infinity
	ratios := make([]float64, len(drawn))
	for i, v := range drawn {
		if r := math.Log(of[1][int(v)]) - math.Log(of[0][int(v)]); !math.IsNaN(r) {
			ratios[i] = max(-largest, min(r, largest))
		}
	}
	return ratios
}

// testLawOfCells tests whether the drawn cells of both goals have the probabilities of the mechanism. A cell j gives
// the number F(j-1) + v p(j), with v the uniform fraction, which is uniform between 0 and 1 under these probabilities.
func testLawOfCells(of [2][]float64, table, neighbour []float64) *Test {
	var u []float64
	for i, drawn := range [][]float64{table, neighbour} {
		below := make([]float64, len(of[i])+1)
		for j, p := range of[i] {
			below[j+1] = below[j] + p
		}
		for _, v := range drawn {
			j := int(v)
			u = append(u, below[j]+(v-float64(j))*of[i][j])
		}
	}
	return uniform(u, "the drawn cells have the probabilities of the mechanism")
}
