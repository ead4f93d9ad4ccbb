package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// alike is the largest difference of equal noise, relative to the largest noise of its entry or to the adjacency:
// rewards are added to noise and taken off again.
const alike = 1e-9

// mostReused is the largest number of entries whose equal noise is looked for. The correlation of two releases finds it
// in more, and every test takes from the false alarm rate of the others.
const mostReused = 10

// reused tests whether releases have equal noise in all of their entries. In an entry some pairs of releases agree: of
// continuous noise none, of discrete noise many. If all noise is independent, every order of an entry's noise is as
// probable as any other, so that a pair agrees in all entries with the product of the shares of pairs that agree in
// each. The number of such pairs reaches a multiple of its mean with at most the inverse probability (Markov). One
// entry shows nothing, since noise that comes again may be discrete.
func (j *Joint) reused(c Claim, releases []Release) {
	if j.Entries < 2 || j.Entries > mostReused {
		return
	}
	byScale, scales := map[float64][]*Release{}, []float64(nil)
	for k := range releases {
		scale := releases[k].Scale
		if byScale[scale] == nil {
			scales = append(scales, scale)
		}
		byScale[scale] = append(byScale[scale], &releases[k])
	}
	found, mean := 0, 0.0
	for _, scale := range scales {
		of := byScale[scale]
		pairs := float64(len(of)*(len(of)-1)) / 2
		together := make([]int, len(of)) // releases of one number agree in all entries so far
		chance := pairs
		for i := range j.Entries {
			equal := c.equalNoise(of, i)
			chance *= float64(pairsOf(equal)) / max(pairs, 1)
			together = both(together, equal)
		}
		found, mean = found+pairsOf(together), mean+chance
	}
	t := Test{Name: "reused", Measure: "pairs of releases, equal noise", Claim: releasesAlone,
		Statistic: float64(found), Chance: true, P: 1,
		Finding: fmt.Sprintf("releases use noise again: %d pairs of them have the same noise in all entries", found)}
	if found > 0 {
		t.P = min(1, max(mean/float64(found), leastSurety))
	}
	j.test(t)
}

// equalNoise numbers releases so that those with equal noise in an entry have the same number.
func (c Claim) equalNoise(releases []*Release, entry int) []int {
	noise, order, largest := make([]float64, len(releases)), make([]int, len(releases)), c.Adjacency
	for k, r := range releases {
		noise[k], order[k] = r.noise(c, entry), k
		if size := math.Abs(noise[k]); !math.IsInf(size, 1) {
			largest = max(largest, size)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(noise[a], noise[b]) })
	numbers, number := make([]int, len(releases)), 0
	for i, k := range order {
		if i > 0 && noise[k] != noise[order[i-1]] && !(noise[k]-noise[order[i-1]] <= alike*largest) {
			number++
		}
		numbers[k] = number
	}
	return numbers
}

// both numbers what two numberings both number alike.
func both(a, b []int) []int {
	known, numbers := map[[2]int]int{}, make([]int, len(a))
	for k := range a {
		key := [2]int{a[k], b[k]}
		if _, is := known[key]; !is {
			known[key] = len(known)
		}
		numbers[k] = known[key]
	}
	return numbers
}

// pairsOf counts the pairs of one number.
func pairsOf(numbers []int) (pairs int) {
	seen := map[int]int{}
	for _, n := range numbers {
		pairs += seen[n]
		seen[n]++
	}
	return pairs
}
