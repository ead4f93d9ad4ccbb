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
	entry int
	of    []int // the other entries; nil for all
	by    float64
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
	guess, right := learnGuess(noise), 0
	var row []float64
	for k := learn; k < len(releases); k++ {
		r := &releases[k]
		row = c.noiseOf(row[:0], r)
		if left := r.Values[guess.entry] - guess.by*guess.others(row); (left > c.Adjacency/2) == r.Raised[guess.entry] {
			right++
		}
	}
	allowed, tried := c.promisedGuessable(), len(releases)-learn
	j.EpsilonLow = max(j.EpsilonLow, c.epsilonOfGuesses(share{right, tried}, j.guessLevel()))
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
	for i, v := range r.Values {
		if r.Raised[i] {
			v -= c.Adjacency
		}
		to = append(to, v)
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
			least, best = left, othersGuess{entry, of, by}
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
