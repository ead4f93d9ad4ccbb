package audit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// scores are the noise of releases as normal scores: for every entry, the ranks of its noise among releases of one
// scale as quantiles of a standard normal, at mean 0 and variance 1. Where entries and releases have noise of their
// own, every order of an entry's scores within a scale is equally likely, whatever the noise is distributed like and
// whatever was done to each entry afterwards. Ties are broken at random.
type scores struct {
	values [][]float64 // by release and entry
	scale  []int       // of every release, the number of its scale
	sizes  []int       // how many releases have a scale
}

// newScores ranks the noise of releases. An entry that never varies has scores of 0.
func (c Claim) newScores(releases []Release, random *rand.Rand) *scores {
	s := &scores{values: make([][]float64, len(releases)), scale: make([]int, len(releases))}
	numbers := map[float64]int{}
	for k, r := range releases {
		number, known := numbers[r.Scale]
		if !known {
			number = len(numbers)
			numbers[r.Scale] = number
			s.sizes = append(s.sizes, 0)
		}
		s.scale[k] = number
		s.sizes[number]++
		s.values[k] = make([]float64, len(r.Values))
	}
	quantiles := make([][]float64, len(s.sizes))
	for number, n := range s.sizes {
		quantiles[number] = normalScores(n)
	}
	noise, order := make([]float64, len(releases)), make([]int, 0, len(releases))
	for i := range releases[0].Values {
		for k, r := range releases {
			noise[k] = r.Values[i]
			if r.Raised[i] {
				noise[k] -= c.Adjacency
			}
		}
		if !varies(noise) {
			continue
		}
		for number := range s.sizes {
			order = s.members(number, order[:0])
			random.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noise[a], noise[b]) })
			for rank, k := range order {
				s.values[k][i] = quantiles[number][rank]
			}
		}
	}
	return s
}

// varies reports whether values differ by more than rounding.
func varies(values []float64) bool {
	const rounding = 1e-12 // relative to the values
	low, high := slices.Min(values), slices.Max(values)
	return high-low > rounding*max(math.Abs(low), math.Abs(high))
}

// normalScores returns n quantiles of a normal that are evenly apart in probability, with mean 0 and variance 1; 0 for
// one.
func normalScores(n int) []float64 {
	all, squares := make([]float64, n), 0.0
	for i := range all {
		all[i] = distuv.UnitNormal.Quantile((float64(i) + 0.5) / float64(n))
		squares += all[i] * all[i]
	}
	for i := range all {
		if squares > 0 {
			all[i] *= math.Sqrt(float64(n) / squares)
		}
	}
	return all
}

// members appends the releases of a scale.
func (s *scores) members(number int, to []int) []int {
	for k, own := range s.scale {
		if own == number {
			to = append(to, k)
		}
	}
	return to
}

// without returns the scores without some releases.
func (s *scores) without(left map[int]bool) *scores {
	if len(left) == 0 {
		return s
	}
	kept := &scores{sizes: make([]int, len(s.sizes))}
	for k, row := range s.values {
		if !left[k] {
			kept.values, kept.scale = append(kept.values, row), append(kept.scale, s.scale[k])
			kept.sizes[s.scale[k]]++
		}
	}
	return kept
}

// entries returns which entries vary.
func (s *scores) entries() (used []int) {
	for i := range s.values[0] {
		if slices.ContainsFunc(s.values, func(row []float64) bool { return row[i] != 0 }) {
			used = append(used, i)
		}
	}
	return used
}

// shuffled returns scores in which every entry's have another order within each scale, drawn at random.
func (s *scores) shuffled(random *rand.Rand, into *scores) *scores {
	if into == nil {
		into = &scores{scale: s.scale, sizes: s.sizes, values: make([][]float64, len(s.values))}
		for k, row := range s.values {
			into.values[k] = slices.Clone(row)
		}
	}
	for number := range s.sizes {
		members := s.members(number, nil)
		for i := range s.values[0] {
			for n := len(members) - 1; n > 0; n-- {
				a, b := members[n], members[random.IntN(n+1)]
				into.values[a][i], into.values[b][i] = into.values[b][i], into.values[a][i]
			}
		}
	}
	return into
}

// permutationTest finds how surely a statistic is larger than by chance.
type permutationTest struct {
	scores    *scores
	statistic func(*scores) float64
	observed  float64
	limiting  float64 // its probability by chance in the limit of many releases or entries
	work      float64 // multiplications that one statistic takes
	most      float64 // that all draws may take; 0 for mostWork
}

// suspicious is the probability in the limit below which a statistic is looked at closely, and enough how often chance
// must have come to as much before it is known to. mostWork bounds the multiplications of a test: some 20 s.
const (
	suspicious = 0.1
	enough     = 10
	mostWork   = 2e10
)

// p returns a probability at most that the statistic is as large by chance, told down to a least one. It is that of its
// distribution over all orders of the scores, which is drawn from until chance came to as much often enough (Besag and
// Clifford 1991): exact at every size. Where that would take too long, and where the statistic is plainly within what
// chance brings, it is that of the limit: scores have no tails, so it is near at such sizes.
func (t *permutationTest) p(least float64) float64 {
	draws := int(math.Ceil(2 / least))
	if t.limiting >= suspicious || float64(draws)*t.work > cmp.Or(t.most, mostWork) {
		return t.limiting
	}
	random := rand.New(rand.NewPCG(uint64(len(t.scores.values)), uint64(len(t.scores.values[0]))))
	var shuffled *scores
	reached := 0
	for drawn := 1; drawn <= draws; drawn++ {
		shuffled = t.scores.shuffled(random, shuffled)
		if t.statistic(shuffled) >= t.observed*(1-1e-12) { // equal except for rounding
			reached++
		}
		if reached == enough {
			return float64(reached) / float64(drawn)
		}
	}
	return float64(reached+1) / float64(draws+1)
}
