package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Release is one release of a whole table. For every entry a coin decided whether the entry was raised by the
// adjacency before the mechanism released it.
type Release struct {
	Raised []bool
	Values []float64 // released values, minus the unraised table
	// Scale is the noise of this release relative to the others, 0 for 1: releases at several epsilons are
	// audited together.
	Scale float64

	// scores are the noise of every entry as quantiles of a normal, where raising does not add the adjacency: if the
	// entry was not raised, and if it was. Other releases have none. Entries of one number in group have the same
	// distributions, and are alike.
	scores [2][]float64
	group  []int
}

// noise returns the noise of an entry, given its coin.
func (r *Release) noise(c Claim, entry int) float64 {
	switch raised := r.Raised[entry]; {
	case r.scores[0] != nil && raised:
		return r.scores[1][entry]
	case r.scores[0] != nil:
		return r.scores[0][entry]
	case raised:
		return r.Values[entry] - c.Adjacency
	}
	return r.Values[entry]
}

// guessed guesses the coin of an entry by what its noise is expected to be.
func (r *Release) guessed(c Claim, entry int, noise float64) (raised bool) {
	if r.scores[0] != nil {
		return math.Abs(r.scores[1][entry]-noise) < math.Abs(r.scores[0][entry]-noise)
	}
	return r.Values[entry]-noise > c.Adjacency/2
}

// right reports whether the coin of an entry is guessed right from that entry alone.
func (r *Release) right(c Claim, entry int) bool { return r.guessed(c, entry, 0) == r.Raised[entry] }

// LeastReleases is the least number of table releases that are made to show whether noise is used more than
// once.
const LeastReleases = 8

// fewestReleases is the least number of releases that can be judged together.
const fewestReleases = 2

// Joint says how well the coins of all entries can be guessed, and how the noise of entries and of releases
// correlates.
type Joint struct {
	Releases, Entries int
	// Right is the number of the Entries coins that are guessed right from the first release. MuOnce is the mu of
	// these guesses, with its standard error: an audit with a single release.
	Right                       int
	MuOnce, MuOnceStandardError float64
	// MuAll is the same for all releases.
	MuAll, MuAllStandardError float64
	// EpsilonLow is a lower bound on epsilon at the claim's delta, with 95 % confidence for any mechanism, from guesses
	// of the coin of one entry: the entry guessed right most often, or one guessed by those who know all other coins.
	EpsilonLow float64
	// Overdispersion is the variance of the right guesses of a release over the variance for independent guesses.
	Overdispersion float64
	// The correlations use the normal scores of entries, see scores. Neighbours is the mean correlation of
	// consecutive entries.
	Neighbours float64
	// Together is the mean squared correlation of any two entries, over the value for independent entries.
	Together float64
	// Alike is the largest correlation between the noise of two entries; Entry and OtherEntry are these entries,
	// counted from 0.
	Alike             float64
	Entry, OtherEntry int
	// Again is the largest correlation between the noise of two releases; First and Second are these releases,
	// counted from 0.
	Again         float64
	First, Second int

	guesses []share // that bound epsilon: of the entry guessed right most often, and of one by the other coins
	level   float64 // of the bound from each of them
	tests   []jointTest
}

// jointTest is a test whose p-value may take work; p computes it with a resolution of least.
type jointTest struct {
	Test
	p func(least float64) float64
}

// JudgeJoint judges releases of one table, at least two.
func (c Claim) JudgeJoint(releases []Release) (*Joint, error) {
	if len(releases) < fewestReleases {
		return nil, fmt.Errorf("audit: %d releases of the table; want at least %d", len(releases), fewestReleases)
	}
	j := &Joint{Releases: len(releases), Entries: len(releases[0].Values)}
	for k, r := range releases {
		if len(r.Values) != j.Entries || len(r.Raised) != j.Entries || j.Entries == 0 {
			return nil, fmt.Errorf("audit: release %d has %d values and %d coins; the first has %d entries", k, len(r.Values),
				len(r.Raised), j.Entries)
		}
		if slices.ContainsFunc(r.Values, math.IsNaN) {
			return nil, errNaN
		}
	}
	j.guess(c, releases)
	j.knownOthers(c, releases)
	j.bound(c, level)
	j.reused(c, releases)
	s := c.newScores(releases, rand.New(rand.NewPCG(uint64(j.Releases), uint64(j.Entries))))
	if used := s.entries(); len(used) > 1 {
		s = s.without(j.again(s, used))
		if len(s.values) > 1 {
			j.together(s, used)
			j.neighbours(s, used)
			j.alike(s, used)
		}
	}
	return j, nil
}

// guess guesses every coin from its entry: of rewards with the threshold that is optimal for Gaussian noise.
func (j *Joint) guess(c Claim, releases []Release) {
	byRelease, byEntry := make([]int, j.Releases), make([]int, j.Entries)
	all := 0
	for k, r := range releases {
		for i := range r.Values {
			if r.right(c, i) {
				byRelease[k]++
				byEntry[i]++
				all++
			}
		}
	}
	j.Right = byRelease[0]
	j.MuOnce, j.MuOnceStandardError = muOf(share{j.Right, j.Entries})
	total := share{all, j.Releases * j.Entries}
	j.MuAll, j.MuAllStandardError = muOf(total)

	// All coins together are binomial only if the noise of entries is independent, which the promise does not
	// include.
	allowed := c.guessable()
	guessed := float64(total.k) / float64(total.n)
	finding := fmt.Sprintf("%.3g %% of the coins are guessed right, and epsilon %g and delta %g allow %.3g %% if the "+
		"noise of entries is independent", 100*guessed, c.Epsilon, c.Delta, 100*allowed)
	if c.gaussian() {
		finding = fmt.Sprintf("the noise is about %.0f %% of what sigma %.4g says: %.3g %% of the coins are guessed right, "+
			"and this sigma allows %.3g %%", 100*c.Mu()/j.MuAll, c.Sigma, 100*guessed, 100*allowed)
	}
	if j.Entries > 1 { // the guesses of one entry are tested below
		j.test(Test{Name: "guesses", Measure: "coins guessed right", Finding: finding,
			Claim: fmt.Sprintf("at most %.4f of the coins can be guessed right, if the noise of entries is "+
				"independent", allowed),
			Statistic: guessed, Limit: allowed, P: atLeast(total, allowed)})
	}
	clearest := slices.Max(byEntry)
	j.guesses = append(j.guesses, share{clearest, j.Releases})
	entry := func(name, measure, by, claim string, allowed float64, promise bool) {
		j.test(Test{Name: name, Measure: measure, Claim: claim, Promise: promise,
			Finding: fmt.Sprintf("the coin of one entry is guessed right in %d of %d releases, and %s allows %.3g %%", clearest,
				j.Releases, by, 100*allowed),
			Statistic: float64(clearest) / float64(j.Releases), Limit: allowed,
			P: min(1, float64(j.Entries)*atLeast(share{clearest, j.Releases}, allowed))})
	}
	promised := c.promisedGuessable()
	by := fmt.Sprintf("epsilon %g at delta %g", c.Epsilon, c.Delta)
	entry("entry_promise", "one entry's coin guessed right", by, fmt.Sprintf("no entry's coin can be guessed right more "+
		"often than %.4f, which epsilon %g and delta %g allow", promised, c.Epsilon, c.Delta), promised, true)
	if c.gaussian() {
		entry("entry_guesses", "the same coin, by sigma", fmt.Sprintf("sigma %.4g", c.Sigma),
			fmt.Sprintf("no entry's coin can be guessed right more often than %.4f, which sigma %.4g allows", allowed,
				c.Sigma), allowed, false)
	}
	j.overdispersed(releases, c)
}

// bound computes the lower bound on epsilon. level is halved for each share of two, as in other bounds; the guesses of
// every entry and those from other entries share it.
func (j *Joint) bound(c Claim, level float64) {
	j.EpsilonLow, j.level = 0, 2*level/float64(j.Entries+1)
	for _, s := range j.guesses {
		j.EpsilonLow = max(j.EpsilonLow, c.epsilonOfGuesses(s, j.level))
	}
}

// ceiling is the largest lower bound on epsilon that so many releases can show.
func (j *Joint) ceiling(c Claim) float64 {
	return c.epsilonOfGuesses(share{j.Releases, j.Releases}, j.level)
}

// epsilonOfGuesses returns the least epsilon, at the claim's delta, that allows coins to be guessed right as often as a
// share of guesses shows, 0 or more: the inverse of promisedGuessable at the lower bound of the share.
func (c Claim) epsilonOfGuesses(s share, level float64) float64 {
	right := s.lower(level)
	if right <= c.Delta {
		return 0
	}
	return max(0, math.Log((right-c.Delta)/(1-right)))
}

// The claims that shared noise breaks.
const (
	entriesAlone  = "the noise of every entry is independent"
	releasesAlone = "the noise of every release is independent"
)

// overdispersed tests whether the number of right guesses varies more between releases than it does for
// independent entries.
func (j *Joint) overdispersed(releases []Release, c Claim) {
	right := &scores{scale: make([]int, len(releases))}
	numbers := map[float64]int{}
	for k, r := range releases {
		if _, known := numbers[r.Scale]; !known {
			numbers[r.Scale] = len(numbers)
			right.sizes = append(right.sizes, 0)
		}
		right.scale[k] = numbers[r.Scale]
		right.sizes[right.scale[k]]++
		row := make([]float64, len(r.Values))
		for i := range r.Values {
			if r.right(c, i) {
				row[i] = 1
			}
		}
		right.values = append(right.values, row)
	}
	freedom := float64(len(releases) - len(right.sizes))
	if freedom == 0 {
		return
	}
	squares := spread(right)
	j.Overdispersion = squares / freedom
	t := permutationTest{scores: right, statistic: spread, observed: squares,
		limiting: mathext.GammaIncRegComp(freedom/2, squares/2), work: float64(len(releases) * j.Entries)}
	j.tests = append(j.tests, jointTest{Test{Name: "overdispersion", Measure: "variance of right guesses",
		Claim: entriesAlone, Statistic: j.Overdispersion, Limit: 1, Chance: true,
		Finding: fmt.Sprintf("entries share noise: the number of right guesses varies %.3g times as much between releases "+
			"as for independent noise", j.Overdispersion)}, t.p})
}

// spread sums the squared deviations of the releases' right guesses, in units of the variance for independent
// guesses. All releases of one scale have the same probability of a right guess.
func spread(right *scores) float64 {
	n := float64(len(right.values[0]))
	sums, all := make([]float64, len(right.values)), make([]float64, len(right.sizes))
	for k, row := range right.values {
		for _, v := range row {
			sums[k] += v
		}
		all[right.scale[k]] += sums[k]
	}
	squares := 0.0
	for k, sum := range sums {
		size := float64(right.sizes[right.scale[k]])
		p := share{int(all[right.scale[k]]), int(size * n)}.middle()
		d := sum - p*n
		squares += d * d / (n * p * (1 - p))
	}
	return squares
}

// muOf returns the mu of a share of right guesses, with its standard error.
func muOf(s share) (mu, standardError float64) {
	p := s.middle()
	z := distuv.UnitNormal.Quantile(p)
	return 2 * z, 2 * math.Sqrt(p*(1-p)/float64(s.n)) / distuv.UnitNormal.Prob(z)
}

// atLeast is the probability of at least s.k successes in s.n trials with probability p.
func atLeast(s share, p float64) float64 {
	if s.k == 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(s.k), float64(s.n-s.k+1), p)
}

// test adds a test whose p-value is known.
func (j *Joint) test(t Test) {
	j.tests = append(j.tests, jointTest{t, func(float64) float64 { return t.P }})
}

// again looks for two releases with the same noise. It returns the second release of each pair with a
// correlation that is almost impossible by chance.
func (j *Joint) again(s *scores, used []int) (twice map[int]bool) {
	m, n := len(s.values), float64(len(used))
	pairs := float64(m*(m-1)) / 2
	freedom := n - 1
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	sure := func(r float64) float64 {
		t := math.Abs(r) * math.Sqrt(freedom/max(1-r*r, leastSurety))
		return min(1, pairs*2*student.Survival(t))
	}
	wider := 1.0
	twice = map[int]bool{}
	s.correlations(func(sorted []float64) { wider = widening(sorted, n) }, func(k, l int, r float64) {
		if sure(r/wider) < sameNoise {
			twice[k] = true
		}
		if math.Abs(r) > math.Abs(j.Again) {
			j.Again, j.First, j.Second = r, l, k
		}
	})
	if len(used) < 3 {
		return nil
	}
	largest := func(s *scores) float64 {
		wider, most := 1.0, 0.0
		s.correlations(func(sorted []float64) { wider = widening(sorted, n) },
			func(_, _ int, r float64) { most = max(most, math.Abs(r)) })
		return most / wider
	}
	t := permutationTest{scores: s, statistic: largest, observed: largest(s), work: float64(m*m) / 2 * n}
	t.limiting = sure(t.observed)
	j.tests = append(j.tests, jointTest{Test{Name: "releases", Measure: "largest release correlation",
		Claim: releasesAlone, Statistic: j.Again, Chance: true,
		Finding: fmt.Sprintf("releases %d and %d share noise: their correlation is %.3g", j.First, j.Second, j.Again)}, t.p})
	return twice
}

// widening is the factor by which entries with shared noise widen all correlations between releases, estimated
// from the median of their sorted absolute values over n entries. Shared noise of entries is a different fault
// from noise that two releases share.
func widening(sorted []float64, n float64) float64 {
	const medianOfNormal = 0.6744897501960817
	return max(1, sorted[len(sorted)/2]*math.Sqrt(n)/medianOfNormal)
}

// sameNoise is the probability by chance below which two releases are taken to have the same noise.
const sameNoise = 1e-4

// correlations passes the absolute correlations of all pairs of releases, ascending, to sizes, and then each
// pair k > l to pair. Ranks within a scale give its releases a slightly negative correlation, which is
// corrected.
func (s *scores) correlations(sizes func(sorted []float64), pair func(k, l int, r float64)) {
	norms := make([]float64, len(s.values))
	for k, row := range s.values {
		norms[k] = math.Sqrt(dot(row, row))
	}
	type found struct {
		k, l int
		r    float64
	}
	var all []found
	var sorted []float64
	for k := range s.values {
		for l := range k {
			if norms[k] == 0 || norms[l] == 0 {
				continue
			}
			r := dot(s.values[k], s.values[l]) / (norms[k] * norms[l])
			if s.scale[k] == s.scale[l] && s.sizes[s.scale[k]] > 2 {
				r = (r + 1/float64(s.sizes[s.scale[k]]-1)) / (1 + 1/float64(s.sizes[s.scale[k]]-1))
			}
			all, sorted = append(all, found{k, l, r}), append(sorted, math.Abs(r))
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(sorted)
	sizes(sorted)
	for _, p := range all {
		pair(p.k, p.l, p.r)
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// together sums the squared correlations of all pairs of entries (Schott 2005). The mean and variance of the
// sum over all orders of the scores are known (Pitman 1937 for the variance of one correlation); the limit is
// the gamma distribution with this mean and variance.
func (j *Joint) together(s *scores, used []int) {
	m, n := float64(len(s.values)), float64(len(used))
	pairs := n * (n - 1) / 2
	mean := pairs / (m - 1)
	k := kurtosis(s, used[0])
	fourth := 3 / (m*m - 1) * pairs * (1 + (m-2)*(m-3)/(3*m*(m-1)*(m-1))*k*k)
	variance := fourth - pairs/((m-1)*(m-1))
	shape := mean * mean / variance
	t := permutationTest{scores: s, statistic: func(s *scores) float64 { return squaredCorrelations(s, n) },
		work: m * m / 2 * n}
	t.observed = t.statistic(s)
	t.limiting = 1
	if variance > 0 {
		t.limiting = mathext.GammaIncRegComp(shape, t.observed*mean/variance)
	}
	j.Together = t.observed / mean
	j.tests = append(j.tests, jointTest{Test{Name: "entries", Measure: "squared correlation of entries",
		Claim: entriesAlone, Statistic: j.Together, Limit: 1, Chance: true,
		Finding: fmt.Sprintf("entries share noise: their mean squared correlation is %.3g times that of independent noise",
			j.Together)}, t.p})
}

// squaredCorrelations sums the squared correlations of all pairs of n entries, from the scalar products of
// releases.
func squaredCorrelations(s *scores, n float64) float64 {
	m, sum := float64(len(s.values)), 0.0
	for k := range s.values {
		for l := range k + 1 {
			g := dot(s.values[k], s.values[l])
			if l < k {
				g *= math.Sqrt2
			}
			sum += g * g
		}
	}
	return max(0, (sum/(m*m)-n)/2) // rounding
}

// kurtosis is k4/k2^2 of the scores of an entry, from Fisher's k-statistics; 0 for fewer than four.
func kurtosis(s *scores, entry int) float64 {
	n, fourth, squares := float64(len(s.values)), 0.0, 0.0
	for _, row := range s.values {
		v := row[entry] * row[entry]
		squares += v
		fourth += v * v
	}
	if n < 4 || squares == 0 {
		return 0
	}
	fourth *= (n - 1) * (n - 1) / (squares * squares) // scales the squares to sum to n-1, so that k2 is 1
	return (n*(n+1)*fourth - 3*(n-1)*(n-1)*(n-1)) / ((n - 1) * (n - 2) * (n - 3))
}

// neighbours averages the correlations of consecutive entries. Under independence each has mean 0 and variance
// 1/(m-1), and they are uncorrelated.
func (j *Joint) neighbours(s *scores, used []int) {
	m, count := float64(len(s.values)), 0
	for i, entry := range used[1:] {
		if entry == used[i]+1 {
			count++
		}
	}
	if count == 0 {
		return
	}
	t := permutationTest{scores: s, statistic: func(s *scores) float64 { return math.Abs(neighbouring(s)) },
		work: m * float64(len(used))}
	t.observed = t.statistic(s)
	j.Neighbours = neighbouring(s) / float64(count)
	t.limiting = 2 * distuv.UnitNormal.Survival(t.observed*math.Sqrt((m-1)/float64(count)))
	j.tests = append(j.tests, jointTest{Test{Name: "neighbours", Measure: "correlation of next entries",
		Claim: entriesAlone, Statistic: j.Neighbours, Chance: true,
		Finding: fmt.Sprintf("consecutive entries share noise: their mean correlation is %.3g", j.Neighbours)}, t.p})
}

// neighbouring sums the correlations of consecutive entries.
func neighbouring(s *scores) float64 {
	sum := 0.0
	for _, row := range s.values {
		for i := range len(row) - 1 {
			sum += row[i] * row[i+1]
		}
	}
	return sum / float64(len(s.values))
}

// fewestAlike is the least number of releases for a search for two entries with the same noise if not all
// orders can be drawn: with fewer releases some two of many entries agree by chance, and the limit does not say
// how often.
const fewestAlike = 20

// alike tests for two entries with the same noise: the largest correlation of any two.
func (j *Joint) alike(s *scores, used []int) {
	m, n := float64(len(s.values)), float64(len(used))
	t := permutationTest{scores: s, work: n * n / 2 * m, most: mostWork / 10,
		statistic: func(s *scores) float64 { _, _, r := closest(s, used); return math.Abs(r) }}
	if t.work > mostWork/10 || m < fewestAlike && t.work > mostWork/1e4 {
		return
	}
	first, second, r := closest(s, used)
	j.Alike, j.Entry, j.OtherEntry = r, first, second
	t.observed = math.Abs(r)
	freedom := m - 2
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: max(freedom, 1)}
	t.limiting = math.NaN()
	if m >= fewestAlike {
		size := t.observed * math.Sqrt(freedom/max(1-t.observed*t.observed, leastSurety))
		t.limiting = min(1, n*(n-1)*student.Survival(size))
	}
	j.tests = append(j.tests, jointTest{Test{Name: "pairs", Measure: "largest entry correlation", Claim: entriesAlone,
		Statistic: r, Chance: true,
		Finding: fmt.Sprintf("entries %d and %d share noise: their correlation is %.3g", first, second, r)}, t.p})
}

// closest returns the two of the used entries whose scores correlate most.
func closest(s *scores, used []int) (first, second int, r float64) {
	columns := make([][]float64, len(used))
	for i, entry := range used {
		columns[i] = make([]float64, len(s.values))
		for k, row := range s.values {
			columns[i][k] = row[entry]
		}
	}
	for a := range columns {
		for b := range a {
			if c := dot(columns[a], columns[b]) / float64(len(s.values)); math.Abs(c) > math.Abs(r) {
				first, second, r = used[b], used[a], c
			}
		}
	}
	return first, second, r
}
