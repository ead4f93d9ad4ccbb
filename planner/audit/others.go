package audit

import (
	"fmt"
	"math"
)

// leastLearnt is the least number of releases that the guess from other entries is learnt from, which is a quarter of
// them otherwise. mostPairsWork bounds the multiplications of the search for two entries that share noise.
const (
	leastLearnt   = 8
	mostPairsWork = 2e9
)

// othersGuess guesses the coin of an entry from the noise of other entries: it takes by times their mean noise off the
// entry.
type othersGuess struct {
	entry  int
	of     []int // the other entries; nil for all
	by     float64
	alikes bool // it takes the coin of the entry that is most like this one instead
}

// guess guesses the coin of its entry, given the noise of the others.
func (g *othersGuess) guess(c Claim, r *Release, noise []float64) (raised bool) {
	if g.alikes {
		return r.nearest(c, g.entry)
	}
	return r.guessed(c, g.entry, g.by*g.others(noise))
}

// equal is the largest difference of scores that are taken to be of the same random numbers.
const equal = 0.01

// nearest guesses the coin of an entry by the entry of the same group that is nearest to it. Entries that share their
// random numbers are equal where their coins are, so it guesses the same coin where they are equal, and the other coin
// elsewhere. If nothing else is in the group it guesses from the entry alone.
func (r *Release) nearest(c Claim, entry int) (raised bool) {
	least := math.Inf(1)
	raised = r.guessed(c, entry, 0)
	for i, group := range r.group {
		if i == entry || group != r.group[entry] {
			continue
		}
		if d := math.Abs(r.scores[0][i] - r.scores[0][entry]); d < least {
			least, raised = d, r.Raised[i] == (d < equal)
		}
	}
	return raised
}

// learnNearest returns the entry whose coin is guessed best by the nearest entry in some releases, and how often.
func learnNearest(c Claim, releases []Release) (entry, right int) {
	for i := range releases[0].group {
		n := 0
		for k := range releases {
			if r := &releases[k]; r.nearest(c, i) == r.Raised[i] {
				n++
			}
		}
		if n > right {
			entry, right = i, n
		}
	}
	return entry, right
}

// knownOthers tests whether an entry's coin can be guessed from a release by those who know all other coins, as the
// neighbours of (epsilon, delta) do: noise that entries share can be read off the others. The first releases say which
// entry to guess, and from which others; the rest test it. Under the promise every such guess is right with at most the
// same probability, whatever was done to the releases.
func (j *Joint) knownOthers(c Claim, releases []Release) {
	learn := learnt(len(releases))
	if j.Entries < 2 || len(releases) < 2*learn {
		return
	}
	noise := make([][]float64, learn)
	for k := range noise {
		noise[k] = c.noiseOf(nil, &releases[k])
	}
	guess := learnGuess(noise)
	var row []float64
	tally := func(releases []Release) (right int) {
		for k := range releases {
			r := &releases[k]
			if row = c.noiseOf(row[:0], r); guess.guess(c, r, row) == r.Raised[guess.entry] {
				right++
			}
		}
		return right
	}
	if entry, right := learnNearest(c, releases[:learn]); right > tally(releases[:learn]) {
		guess = othersGuess{entry: entry, alikes: true}
	}
	right := tally(releases[learn:])
	allowed, tried := c.promisedGuessable(), len(releases)-learn
	j.guesses = append(j.guesses, share{right, tried})
	j.test(Test{Name: "known_others", Measure: "guess from all other coins", Promise: true,
		Statistic: float64(right) / float64(tried), Limit: allowed,
		Claim: fmt.Sprintf("no entry's coin can be guessed right from a release and all other coins more often than %.4f, "+
			"which epsilon %g and delta %g allow", allowed, c.Epsilon, c.Delta),
		Finding: fmt.Sprintf("who knows all coins except one guesses that one right in %d of %d releases, and epsilon %g "+
			"and delta %g allow %.3g %%", right, tried, c.Epsilon, c.Delta, 100*allowed),
		P: atLeast(share{right, tried}, allowed)})
}

// learnt is how many of some releases the guess is learnt from.
func learnt(releases int) int { return max(leastLearnt, releases/4) }

// releasesToTry is the least number of releases of which some number is left to test the guess.
func releasesToTry(tried int) int {
	releases := max(2*leastLearnt, tried)
	for releases-learnt(releases) < tried {
		releases++
	}
	return releases
}

// noiseOf appends what a release adds to its table.
func (c Claim) noiseOf(to []float64, r *Release) []float64 {
	for i := range r.Values {
		to = append(to, r.noise(c, i))
	}
	return to
}

// others returns the mean noise of the other entries.
func (g *othersGuess) others(noise []float64) (mean float64) {
	if g.of != nil {
		for _, i := range g.of {
			mean += noise[i]
		}
		return mean / float64(len(g.of))
	}
	for i, v := range noise {
		if i != g.entry {
			mean += v
		}
	}
	return mean / float64(len(noise)-1)
}

// learnGuess returns the guess that leaves the least noise, from releases of noise: from the mean of all other entries,
// from an entry beside, or, if there is time to try all pairs, from any other entry.
func learnGuess(noise [][]float64) (best othersGuess) {
	n, least := len(noise[0]), math.Inf(1)
	columns := make([][]float64, n+1) // the last is that of the mean of the others
	for i := range columns {
		columns[i] = make([]float64, len(noise))
	}
	sums := make([]float64, len(noise))
	for k, row := range noise {
		for i, v := range row {
			columns[i][k] = v
			sums[k] += v
		}
	}
	try := func(entry, other int, of []int) {
		own, from := columns[entry], columns[other]
		both, squares := dot(own, from), dot(from, from)
		if squares == 0 {
			both, squares = 0, 1
		}
		by := both / squares
		left := 0.0
		for k, v := range own {
			d := v - by*from[k]
			left += d * d
		}
		if left < least {
			least, best = left, othersGuess{entry: entry, of: of, by: by}
		}
	}
	reach := 1
	if float64(n)*float64(n)*float64(len(noise)) < mostPairsWork {
		reach = n
	}
	for i := range n {
		for k, sum := range sums {
			columns[n][k] = (sum - noise[k][i]) / float64(n-1)
		}
		try(i, n, nil)
		for other := max(0, i-reach); other <= min(n-1, i+reach); other++ {
			if other != i {
				try(i, other, []int{other})
			}
		}
	}
	return best
}
