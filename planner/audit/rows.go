package audit

import (
	"context"
	"fmt"
	"slices"

	"veilpath/internal/pool"
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
	Tables        int // releases in which coins decide of all rows which have neighbours in their place; 0 for none
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

// pair returns the rows of the table and of its neighbour.
func (s RowSubject) pair() (pair [2][]planner.Row) {
	rows := s.Mechanism.Rows(s.Problem)
	pair[0], pair[1] = rows, slices.Clone(rows)
	pair[1][s.Row].Probabilities = s.neighbour(rows[s.Row].Probabilities, s.From, s.To)
	return pair
}

// neighbour returns a row with half of the adjacency moved, or as much as there is.
func (s RowSubject) neighbour(row []float64, from, to int) []float64 {
	p := slices.Clone(row)
	moved := min(s.Guarantee.Rows.Adjacency/2, p[from])
	p[from], p[to] = p[from]-moved, p[to]+moved
	return p
}

// newRelease returns what makes private rows.
func (s RowSubject) newRelease() func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
	if s.Release != nil {
		return s.Release
	}
	calibration := new(privacy.RowCalibration)
	return func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
		return planner.PrivateRows(rows, s.Guarantee, noise, calibration)
	}
}

// NewSampler returns a sampler that reads v off a release.
func (s RowSubject) NewSampler() (Sampler, error) {
	pair, release := s.pair(), s.newRelease()
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
		return part(private[s.Row][s.To], private[s.Row][s.From]), nil
	}, nil
}

// Audit releases the rows and their neighbours samples times each and judges the claim by the row that differs, and by
// the Tables by all rows. progress is told the number of releases made, 2*samples in all; for the keeper see Watch.
func (s RowSubject) Audit(ctx context.Context, c Claim, samples, workers int, falseAlarms float64, keeper pool.Keeper,
	progress func(int)) (*Report, error) {
	table, neighbour, err := Watch(ctx, samples, workers, s.NewSampler, keeper, progress)
	if err != nil {
		return nil, err
	}
	law, threshold, err := s.testLaw(table, neighbour)
	if err != nil {
		return nil, err
	}
	entry, err := c.JudgeEntry(table, neighbour, threshold)
	if err != nil {
		return nil, err
	}
	entry.law = law
	var joint *Joint
	if s.Tables > 0 {
		tables, err := s.Releases(ctx, s.Tables)
		if err != nil {
			return nil, err
		}
		if joint, err = c.JudgeJoint(tables); err != nil {
			return nil, err
		}
	}
	r, err := c.Judge(entry, joint, falseAlarms)
	if err != nil {
		return nil, err
	}
	r.Of = Rows
	return r, nil
}

// testLaw tests whether v of the table and of its neighbour have the beta distributions of a Dirichlet mechanism
// that keeps the guarantee, and returns the v halfway between their means.
func (s RowSubject) testLaw(table, neighbour []float64) (*Test, float64, error) {
	pair := s.pair()
	d, err := s.Guarantee.Dirichlet(len(pair[0][s.Row].Of))
	if err != nil {
		return nil, 0, err
	}
	var u []float64
	halfway := 0.0
	for i, releases := range [][]float64{table, neighbour} {
		p := pair[i][s.Row].Probabilities
		law := d.PairLaw(p, s.To, s.From)
		for _, v := range releases {
			u = append(u, law(v))
		}
		q := make([]float64, len(p))
		d.Mixed(q, p)
		halfway += q[s.To] / (q[s.From] + q[s.To]) / 2
	}
	claim := fmt.Sprintf("a private row is Dirichlet with a concentration of %.4g", d.Concentration)
	return uniform(u, claim), halfway, nil
}
