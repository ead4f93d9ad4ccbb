package audit

import (
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

// testReuse tests whether two releases have the same noise in every entry.
//
// If the noise of entries and releases is independent, the noise of an entry is that of the releases in any order with
// equal probability, whatever its law. So two releases agree in an entry with the probability that two of this entry's
// values do, and in all entries with the product. The sum over all pairs is how many pairs agree on average; over the
// number that do, it bounds the probability of so many (Markov). Discrete noise agrees often, continuous noise never.
func testReuse(releases []Release, adjacency float64) Test {
	noise := make([][]float64, len(releases))
	for k, r := range releases {
		noise[k] = r.noise(adjacency)
	}
	tolerance := alike * adjacency
	equal := func(v, w float64) bool { return math.Abs(v-w) <= tolerance }
	t := Test{Name: "release_reuse", Measure: "releases with the noise of another", Chance: true, P: 1,
		Claim: "the noise of every release is independent"}
	pairs := 0.0
	for k := range noise {
		before := pairs
		for l, other := range noise[:k] {
			if slices.EqualFunc(noise[k], other, equal) {
				pairs++
				t.Finding = fmt.Sprintf("releases %d and %d have the same noise", l, k)
			}
		}
		if pairs > before {
			t.Statistic++
		}
	}
	if t.Statistic == 0 {
		return t
	}
	all := float64(len(noise)) * float64(len(noise)-1) / 2
	logP := math.Log(all) - math.Log(pairs)
	column := make([]float64, len(noise))
	for i := range noise[0] {
		for k := range noise {
			column[k] = noise[k][i]
		}
		slices.Sort(column)
		agree := 0.0
		for k, first := 1, 0; k <= len(column); k++ {
			if k == len(column) || column[k]-column[k-1] > tolerance {
				agree += float64((k - first) * (k - first - 1) / 2)
				first = k
			}
		}
		logP += math.Log(agree / all)
	}
	t.P = min(1, max(outside, math.Exp(logP)))
	return t
}
