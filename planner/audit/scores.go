package audit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// scores hold the noise of releases as normal scores: for every entry, the ranks of its noise among releases of
// one scale are replaced by quantiles of a normal with mean 0 and variance 1. If the noise of entries and
// releases is independent, every order of an entry's scores within a scale is equally likely, whatever the
// distribution of the noise and whatever post-processing of single entries. Ties are broken at random.
type scores struct {
	values [][]float64 // by release and entry
	scale  []int       // index of the scale of every release
	sizes  []int       // number of releases of every scale
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
			noise[k] = r.noise(c, i)
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

// normalScores returns n quantiles of a normal, evenly spaced in probability, with mean 0 and variance 1; 0 for
// n = 1.
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

// members appends the indices of the releases of a scale.
func (s *scores) members(number int, to []int) []int {
	for k, of := range s.scale {
		if of == number {
			to = append(to, k)
		}
	}
	return to
}

// without returns the scores without the releases in left.
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

// entries returns the entries that vary.
func (s *scores) entries() (used []int) {
	for i := range s.values[0] {
		if slices.ContainsFunc(s.values, func(row []float64) bool { return row[i] != 0 }) {
			used = append(used, i)
		}
	}
	return used
}

// shuffled returns scores in which the values of every entry are permuted at random within each scale.
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

// permutationTest finds the probability of a statistic as large as the observed one by chance.
type permutationTest struct {
	scores    *scores
	statistic func(*scores) float64
	observed  float64
	limiting  float64 // this probability in the limit of many releases or entries; NaN if it is not known
	work      float64 // multiplications per evaluation of the statistic
	most      float64 // limit on the multiplications of all draws; 0 for mostWork
}

// suspicious is the limiting probability below which permutations are drawn. enough is the number of draws that
// must reach the observed statistic before drawing stops. mostWork bounds the multiplications of a test: some
// 20 s.
const (
	suspicious = 0.1
	enough     = 10
	mostWork   = 2e10
)

// p returns an upper bound on the probability of the observed statistic by chance; it resolves probabilities
// down to least. It draws orders of the scores until enough of them reach the observed statistic (Besag and
// Clifford 1991), which is exact at every size. If that takes too long, or if the limiting probability is not
// suspicious, it returns the limiting probability: scores have no tails, so the limit is accurate at such
// sizes. If the limiting probability is not known, it draws as many orders as there is time for, which resolves
// less.
func (t *permutationTest) p(least float64) float64 {
	draws := int(math.Ceil(2 / least))
	if t.limiting >= suspicious {
		return t.limiting
	}
	if most := cmp.Or(t.most, mostWork); float64(draws)*t.work > most {
		if !math.IsNaN(t.limiting) {
			return t.limiting
		}
		draws = int(most / t.work)
	}
	random := rand.New(rand.NewPCG(uint64(len(t.scores.values)), uint64(len(t.scores.values[0]))))
	var shuffled *scores
	reached := 0
	for drawn := 1; drawn <= draws; drawn++ {
		shuffled = t.scores.shuffled(random, shuffled)
		if t.statistic(shuffled) >= t.observed*(1-1e-12) { // equal up to rounding
			reached++
		}
		if reached == enough {
			return float64(reached) / float64(drawn)
		}
	}
	return float64(reached+1) / float64(draws+1)
}
