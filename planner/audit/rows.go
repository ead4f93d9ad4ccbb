package audit

import (
	"fmt"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Rows is what is published by a mechanism that makes rows of probabilities private: all of its private rows.
const Rows = "rows"

// OfRows returns two neighbours among the rows of a problem to be audited, and what the mechanism promises. The first
// row of several components from the start on differs: half of the adjacency, or as much as there is, moves from its
// largest component to its smallest. Both are told by v = x_to/(x_from + x_to) of that row alone, which has a beta
// distribution, see privacy.Dirichlet. release makes private rows; nil for planner.PrivateRows with the guarantee.
func OfRows(problem *planner.Solved, m planner.RowMechanism, g privacy.Guarantee, seed uint64,
	release func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error)) (Inputs, Claim, error) {
	rows := m.Rows(problem)
	several := func(r planner.Row) bool { return len(r.Of) > 1 }
	row := slices.IndexFunc(rows, func(r planner.Row) bool { return several(r) && r.State == problem.Start })
	if row < 0 {
		row = slices.IndexFunc(rows, several)
	}
	if _, err := planner.PrivateRows(rows, g, new(privacy.Noise), new(privacy.RowCalibration)); err != nil {
		return Inputs{}, Claim{}, err
	}
	d, err := g.Dirichlet(len(rows[row].Of))
	if err != nil {
		return Inputs{}, Claim{}, err
	}
	from, to := ends(rows[row].Probabilities)
	p := slices.Clone(rows[row].Probabilities)
	moved := min(g.Rows.Adjacency/2, p[from])
	p[from], p[to] = p[from]-moved, p[to]+moved
	pair := [2][]planner.Row{rows, slices.Clone(rows)}
	pair[1][row].Probabilities = p

	in := Inputs{Of: Rows, Seed: seed, LawClaim: fmt.Sprintf("a private row is Dirichlet with a concentration of %.4g",
		d.Concentration)}
	for i, rows := range pair {
		p := rows[row].Probabilities
		in.Laws[i] = d.PairLaw(p, to, from)
		q := make([]float64, len(p))
		d.Mixed(q, p)
		in.Threshold += q[to] / (q[from] + q[to]) / 2
	}
	in.NewSampler = func() (Sampler, error) {
		release := release
		if release == nil {
			calibration := new(privacy.RowCalibration)
			release = func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
				return planner.PrivateRows(rows, g, noise, calibration)
			}
		}
		return func(input int, noise *privacy.Noise) (float64, error) {
			private, err := release(pair[input], noise)
			if err != nil {
				return 0, err
			}
			x, y := private[row][to], private[row][from]
			if x == 0 && y == 0 { // both are too small for a number, and equally likely to be the larger
				return 0.5, nil
			}
			return x / (x + y), nil
		}, nil
	}
	return in, Claim{Epsilon: g.Epsilon, Delta: g.Delta, Adjacency: g.Rows.Adjacency}, nil
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
