package audit

import (
	"fmt"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Rows is what is published by a mechanism that makes rows of probabilities private: all of its private rows.
const Rows = "rows"

// RowSubject is a problem of which a mechanism makes rows of probabilities private, with the noise of studies.
// Two neighbours differ in one row, in which half of the adjacency has moved From one component To another. Both
// are told by v = x_to/(x_from + x_to) of that row alone, see privacy.Dirichlet.
type RowSubject struct {
	Problem       *planner.Solved
	Mechanism     planner.RowMechanism
	Guarantee     privacy.Guarantee
	Seed          uint64
	Row, From, To int
	// Release makes private rows; nil for planner.PrivateRows with the Guarantee.
	Release func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error)
}

// OfRows returns the subject of a problem in which the first row of several components from the start on differs,
// between its largest and its smallest component, and what the mechanism promises.
func OfRows(problem *planner.Solved, m planner.RowMechanism, g privacy.Guarantee, seed uint64) (RowSubject, Claim,
	error) {
	s := RowSubject{Problem: problem, Mechanism: m, Guarantee: g, Seed: seed}
	rows := m.Rows(problem)
	several := func(r planner.Row) bool { return len(r.Of) > 1 }
	s.Row = slices.IndexFunc(rows, func(r planner.Row) bool { return several(r) && r.State == problem.Start })
	if s.Row < 0 {
		s.Row = slices.IndexFunc(rows, several)
	}
	if _, err := planner.PrivateRows(rows, g, new(privacy.Noise), new(privacy.RowCalibration)); err != nil {
		return s, Claim{}, err
	}
	s.From, s.To = ends(rows[s.Row].Probabilities)
	return s, Claim{Epsilon: g.Epsilon, Delta: g.Delta, Adjacency: g.Rows.Adjacency}, nil
}

// ends returns the largest and the smallest component of a row, of several.
func ends(p []float64) (from, to int) {
	from, to = slices.Index(p, slices.Max(p)), len(p)-1
	for i, q := range p {
		if i != from && q < p[to] || to == from {
			to = i
		}
	}
	return from, to
}

// pair returns the rows of the table and of its neighbour, with half of the adjacency moved, or as much as there is.
func (s RowSubject) pair() (pair [2][]planner.Row) {
	rows := s.Mechanism.Rows(s.Problem)
	p := slices.Clone(rows[s.Row].Probabilities)
	moved := min(s.Guarantee.Rows.Adjacency/2, p[s.From])
	p[s.From], p[s.To] = p[s.From]-moved, p[s.To]+moved
	pair[0], pair[1] = rows, slices.Clone(rows)
	pair[1][s.Row].Probabilities = p
	return pair
}

// Inputs returns the rows and their neighbours, to be audited. v has the beta distribution of a Dirichlet mechanism that
// keeps the guarantee.
func (s RowSubject) Inputs() (Inputs, error) {
	pair := s.pair()
	d, err := s.Guarantee.Dirichlet(len(pair[0][s.Row].Of))
	if err != nil {
		return Inputs{}, err
	}
	in := Inputs{Of: Rows, NewSampler: s.newSampler,
		LawClaim: fmt.Sprintf("a private row is Dirichlet with a concentration of %.4g", d.Concentration)}
	var laws [2]func(v float64) float64
	for i, rows := range pair {
		p := rows[s.Row].Probabilities
		laws[i] = d.PairLaw(p, s.To, s.From)
		q := make([]float64, len(p))
		d.Mixed(q, p)
		in.Threshold += q[s.To] / (q[s.From] + q[s.To]) / 2
	}
	in.Law = func(v float64, neighbour bool) float64 {
		if neighbour {
			return laws[1](v)
		}
		return laws[0](v)
	}
	return in, nil
}

// newSampler returns a sampler that reads v off a release.
func (s RowSubject) newSampler() (Sampler, error) {
	pair, release := s.pair(), s.Release
	if release == nil {
		calibration := new(privacy.RowCalibration)
		release = func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
			return planner.PrivateRows(rows, s.Guarantee, noise, calibration)
		}
	}
	var noise privacy.Noise
	return func(i int, neighbour bool) (float64, error) {
		rows, purpose := pair[0], uint64(purposeTable)
		if neighbour {
			rows, purpose = pair[1], purposeNeighbour
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(i), Purpose: purpose})
		private, err := release(rows, &noise)
		if err != nil {
			return 0, err
		}
		to, from := private[s.Row][s.To], private[s.Row][s.From]
		if to == 0 && from == 0 { // both are too small for a number, and equally likely to be the larger
			return 0.5, nil
		}
		return to / (from + to), nil
	}, nil
}
