package audit

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Releases makes releases of all rows, in each of which coins decide which rows have their neighbours in their place. A
// value is v of its row, see RowSubject, and its noise is how far up the distribution of v it lies, as a quantile of a
// normal: independent draws have independent normal noise, whatever the rows and the coins are.
func (s RowSubject) Releases(ctx context.Context, count int) ([]Release, error) {
	rows := s.Mechanism.Rows(s.Problem)
	several, err := s.pairsOf(rows)
	if err != nil {
		return nil, err
	}
	release := s.newRelease()
	var noise privacy.Noise
	coins := make([]float64, len(several))
	var groups []int
	for _, p := range several {
		groups = append(groups, p.group)
	}
	releases := make([]Release, count)
	table := make([]planner.Row, len(rows))
	for k := range releases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(k), Purpose: purposeCoins})
		noise.Normals(coins)
		copy(table, rows)
		for i, p := range several {
			if coins[i] > 0 {
				table[p.row].Probabilities = p.neighbour
			}
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(k), Purpose: purposeJoint})
		private, err := release(table, &noise)
		if err != nil {
			return nil, err
		}
		r := &releases[k]
		r.group = groups
		for i, p := range several {
			to, from := private[p.row][p.to], private[p.row][p.from]
			r.Raised = append(r.Raised, coins[i] > 0)
			r.Values = append(r.Values, part(to, from))
			for raised, law := range p.laws {
				r.scores[raised] = append(r.scores[raised], law.score(to, from))
			}
		}
	}
	return releases, nil
}

// rowPair is a row of several components and its neighbour.
type rowPair struct {
	row, from, to int
	neighbour     []float64
	laws          [2]beta // of v of the row and of its neighbour
	group         int     // the number of the first such row that has the same probabilities
}

// beta is a beta distribution.
type beta struct{ a, b float64 }

// pairsOf returns the rows of several components with their neighbours and the distributions of v that the guarantee
// describes.
func (s RowSubject) pairsOf(rows []planner.Row) (several []rowPair, err error) {
	var calibration privacy.RowCalibration
	for k, r := range rows {
		if len(r.Of) < 2 {
			continue
		}
		d, err := calibration.Dirichlet(s.Guarantee, len(r.Of))
		if err != nil {
			return nil, err
		}
		p := rowPair{row: k}
		p.from, p.to = ends(r.Probabilities)
		p.neighbour = s.neighbour(r.Probabilities, p.from, p.to)
		q := make([]float64, len(r.Of))
		for i, row := range [][]float64{r.Probabilities, p.neighbour} {
			d.Mixed(q, row)
			p.laws[i] = beta{d.Concentration * q[p.to], d.Concentration * q[p.from]}
		}
		alike := func(o rowPair) bool { return slices.Equal(rows[o.row].Probabilities, r.Probabilities) }
		if p.group = slices.IndexFunc(several, alike); p.group < 0 {
			p.group = len(several)
		}
		several = append(several, p)
	}
	return several, nil
}

// farthestScore is the largest score, of draws that rounding puts at an end.
const farthestScore = 8

// score returns the quantile of a normal that lies as far up as to/(to+from) does in the distribution. The share from
// the nearer end is taken, which rounding leaves exact.
func (d beta) score(to, from float64) float64 {
	v, w := part(to, from), part(from, to)
	low, high := mathext.RegIncBeta(d.a, d.b, v), mathext.RegIncBeta(d.b, d.a, w)
	z := distuv.UnitNormal.Quantile(min(low, high))
	if high < low {
		z = -z
	}
	return max(-farthestScore, min(farthestScore, z))
}

// part returns the share that one of two numbers has of both: a half where both are too small for a number, and
// equally likely to be the larger.
func part(of, other float64) float64 {
	if of == 0 && other == 0 {
		return 0.5
	}
	return of / (of + other)
}
