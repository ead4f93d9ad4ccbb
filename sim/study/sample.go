package study

import (
	"iter"
	"math"
	"slices"
)

// Sample is a multiset of numbers: the distinct values, ascending, and their counts. Its sums are computed
// number by number, so that they have the same bits as sums over all sorted numbers.
type Sample struct {
	Values []float64
	Counts []int // of each, at least 1
}

// NewSample returns the sample of sorted numbers.
func NewSample(sorted []float64) (s Sample) {
	for i, x := range sorted {
		if i == 0 || x != sorted[i-1] {
			s.Values, s.Counts = append(s.Values, x), append(s.Counts, 0)
		}
		s.Counts[len(s.Counts)-1]++
	}
	return s
}

// add counts a number n times more; n may be below 0. NaN is not counted.
func (s *Sample) add(x float64, n int) {
	if math.IsNaN(x) {
		return
	}
	i, found := slices.BinarySearch(s.Values, x)
	if !found {
		s.Values, s.Counts = slices.Insert(s.Values, i, x), slices.Insert(s.Counts, i, 0)
	}
	if s.Counts[i] += n; s.Counts[i] == 0 {
		s.Values, s.Counts = slices.Delete(s.Values, i, i+1), slices.Delete(s.Counts, i, i+1)
	}
}

// Len returns the number of numbers.
func (s Sample) Len() int {
	n := 0
	for _, count := range s.Counts {
		n += count
	}
	return n
}

// atMost returns the fraction of the numbers that are at most a limit. It is NaN without numbers or limit.
func (s Sample) atMost(limit float64) float64 {
	below, n := 0, 0
	for i, x := range s.Values {
		if n += s.Counts[i]; x <= limit {
			below += s.Counts[i]
		}
	}
	if n == 0 || math.IsNaN(limit) {
		return math.NaN()
	}
	return float64(below) / float64(n)
}

// All yields every value and its count.
func (s Sample) All() iter.Seq2[float64, int] {
	return func(yield func(float64, int) bool) {
		for i, x := range s.Values {
			if !yield(x, s.Counts[i]) {
				return
			}
		}
	}
}

// Quantile returns the p-quantile of sorted values, interpolated linearly between the order statistics
// around (n-1)p (Hyndman & Fan 1996, type 7). It is NaN without values.
func Quantile(sorted []float64, p float64) float64 { return NewSample(sorted).Quantile(p) }

// Quantile is [Quantile] for the numbers of the sample.
func (s Sample) Quantile(p float64) float64 {
	n := s.Len()
	if n == 0 {
		return math.NaN()
	}
	at := p * float64(n-1)
	i := int(at)
	if i+1 >= n {
		return s.Values[len(s.Values)-1]
	}
	low, high := s.order(i), s.order(i+1)
	return low + (at-float64(i))*(high-low)
}

// order returns the order statistic of a rank, from 0.
func (s Sample) order(rank int) float64 {
	k := 0
	for below := s.Counts[0]; below <= rank; below += s.Counts[k] {
		k++
	}
	return s.Values[k]
}

// meanStd returns the mean and the sample standard deviation in two passes; the standard deviation is NaN for
// fewer than two numbers.
func (s Sample) meanStd() (mean, std float64) {
	n := float64(s.Len())
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for x, count := range s.All() {
		for range count {
			mean += x
		}
	}
	mean /= n
	if len(s.Values) == 1 {
		mean = s.Values[0] // without the rounding of the sum
	}
	squares := 0.0
	for x, count := range s.All() {
		square := (x - mean) * (x - mean)
		for range count {
			squares += square
		}
	}
	return mean, math.Sqrt(squares / (n - 1))
}

// counter counts the occurrences of numbers. It stores each distinct number once.
type counter struct {
	values []float64
	counts []int
	place  map[uint64]int // index in values, by the number's bits
	n      int
	sum    float64 // of all numbers, in their order
}

func (c *counter) add(x float64) {
	bits := math.Float64bits(x)
	i, known := c.place[bits]
	if !known {
		if c.place == nil {
			c.place = map[uint64]int{}
		}
		i = len(c.values)
		c.place[bits] = i
		c.values, c.counts = append(c.values, x), append(c.counts, 0)
	}
	c.counts[i]++
	c.n++
	c.sum += x
}

// less returns the counter of the numbers, each minus a constant.
func (c *counter) less(by float64) (shifted counter) {
	for i, x := range c.values {
		for range c.counts[i] {
			shifted.add(x - by)
		}
	}
	return shifted
}

// sample returns the counted numbers, in its own storage.
func (c *counter) sample() Sample {
	s := Sample{Values: slices.Sorted(slices.Values(c.values)), Counts: make([]int, len(c.values))}
	for i, x := range s.Values {
		s.Counts[i] = c.counts[c.place[math.Float64bits(x)]]
	}
	return s
}
