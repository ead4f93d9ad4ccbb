package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Release is one release of a whole table. For every entry a coin decided whether the entry was raised by the
// adjacency before the mechanism released it.
type Release struct {
	Raised []bool
	Values []float64 // released values, minus the unraised table
}

// noise returns what a release has more than its input, in reward units.
func (r *Release) noise(adjacency float64) []float64 {
	noise := slices.Clone(r.Values)
	for i, raised := range r.Raised {
		if raised {
			noise[i] -= adjacency
		}
	}
	return noise
}

// checkReleases returns an error unless all releases hold the same number of entries.
func checkReleases(releases []Release) error {
	entries := len(releases[0].Values)
	for k, r := range releases {
		if len(r.Values) != entries || len(r.Raised) != entries || entries == 0 {
			return fmt.Errorf("audit: release %d has %d values and %d coins; the first has %d entries", k, len(r.Values),
				len(r.Raised), entries)
		}
		if slices.ContainsFunc(r.Values, math.IsNaN) {
			return errNaN
		}
	}
	return nil
}

// mostReuseWork bounds the multiplications of the comparison of all pairs of releases: some seconds.
const mostReuseWork = 2e9

// testReuse tests whether two releases use the same noise, by the largest rank correlation of any two.
//
// In every entry the noise is replaced by its rank among all releases. If the noise of entries and releases is
// independent, every order of an entry's ranks is equally likely, whatever the law of the noise. So the squared
// difference of the ranks of two releases is that of a random pair in each entry, and Chernoff's inequality bounds the
// probability that the sum over entries is as small as observed. Equal noise has equal ranks: discrete noise agrees
// often, which the pairs of its entry tell, and continuous noise never does.
func testReuse(releases []Release, adjacency float64) Test {
	entries := len(releases[0].Values)
	m := min(len(releases), int(math.Sqrt(mostReuseWork/float64(entries))))
	ranks := make([][]float64, entries)
	noise := make([][]float64, m)
	for k := range noise {
		noise[k] = releases[k].noise(adjacency)
	}
	column := make([]float64, m)
	for i := range ranks {
		for k := range noise {
			column[k] = noise[k][i]
		}
		ranks[i] = ranksOf(column, alike*adjacency)
	}
	first, second, least := 0, 1, math.Inf(1)
	sums := make([]float64, m)
	for k := 1; k < m; k++ {
		clear(sums[:k])
		for _, r := range ranks {
			for l := range k {
				d := r[k] - r[l]
				sums[l] += d * d
			}
		}
		for l, sum := range sums[:k] {
			if sum < least {
				first, second, least = l, k, sum
			}
		}
	}
	// A rank has the variance (m^2-1)/12 if there are no ties, and the squared difference of two twice as much on average.
	r := 1 - least*6/float64(entries*(m*m-1))
	return Test{Name: "release_correlation", Measure: "release correlation", Statistic: r, Chance: true,
		Claim:   "the noise of every release is independent",
		Finding: fmt.Sprintf("releases %d and %d share noise: their correlation is %.3g", first, second, r),
		P:       reuseByChance(ranks, least)}
}

// ranksOf returns the ranks of values. Values that are equal up to a tolerance have their mean rank.
func ranksOf(values []float64, tolerance float64) []float64 {
	n := len(values)
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, n)
	for first := 0; first < n; {
		end := first + 1
		for end < n && values[order[end]]-values[order[end-1]] <= tolerance {
			end++
		}
		for _, k := range order[first:end] {
			ranks[k] = float64(first+end-1) / 2
		}
		first = end
	}
	return ranks
}

// reuseByChance bounds the probability that some pair of releases has so small a sum of squared differences of ranks.
// It is the least of Chernoff's bounds for some exponents.
func reuseByChance(ranks [][]float64, sum float64) float64 {
	m := len(ranks[0])
	pairs := float64(m) * float64(m-1) / 2
	const exponents = 20
	var logs [exponents]float64
	for _, r := range ranks {
		counts := differences(r)
		nearest := slices.IndexFunc(counts, func(count float64) bool { return count > 0 })
		for j := range logs {
			exponent, mean := math.Pow(4, float64(j))/float64(m*m), 0.0
			// The nearest pair is taken out, so that not all terms underflow.
			for d := nearest; d < len(counts); d++ {
				mean += counts[d] * math.Exp(exponent*float64(nearest*nearest-d*d)/4) / pairs
			}
			logs[j] += math.Log(mean) - exponent*float64(nearest*nearest)/4
		}
	}
	least := 0.0
	for j, log := range logs {
		least = min(least, log+math.Pow(4, float64(j))/float64(m*m)*sum)
	}
	return min(1, max(outside, pairs*math.Exp(least)))
}

// differences counts the pairs of ranks by their difference, in halves of a rank.
func differences(ranks []float64) []float64 {
	n := len(ranks)
	counts, having := make([]float64, 2*n), make([]float64, 2*n)
	for _, r := range ranks {
		having[int(2*r)]++
	}
	var distinct []int
	for rank, with := range having {
		if with > 0 {
			distinct = append(distinct, rank)
		}
	}
	if len(distinct) == n { // each of 0 to n-1 once
		for d := 1; d < n; d++ {
			counts[2*d] = float64(n - d)
		}
		return counts
	}
	for i, rank := range distinct {
		counts[0] += having[rank] * (having[rank] - 1) / 2
		for _, other := range distinct[:i] {
			counts[rank-other] += having[rank] * having[other]
		}
	}
	return counts
}
