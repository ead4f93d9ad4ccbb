package study

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// shareInterval returns Wilson's score interval for a probability with k successes in n trials (Wilson 1927).
// It lies within [0, 1] and is not degenerate at k = 0 or n. Its coverage equals the confidence on average over
// probabilities and is lower for some: an interval of 95 % covers 91.1 % for a probability of 1/100 and 50
// trials (Brown, Cai & DasGupta 2001).
func shareInterval(k, n int, confidence float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	trials, p := float64(n), float64(k)/float64(n)
	scale := 1 / (1 + z*z/trials)
	centre := (p + z*z/(2*trials)) * scale
	half := z * math.Sqrt(p*(1-p)/trials+z*z/(4*trials*trials)) * scale
	low, high = max(0, centre-half), min(1, centre+half)
	if k == 0 {
		low = 0 // exactly, without rounding error
	}
	if k == n {
		high = 1
	}
	return low, high
}

// quantileInterval returns an interval for the p-quantile of a distribution from sorted values drawn from it:
// the order statistics between which it lies with at least the confidence, for any distribution (David &
// Nagaraja 2003, 7.1). An end is infinite if there are too few values for it.
func quantileInterval(sorted []float64, p, confidence float64) (low, high float64) {
	return newQuantileRanks(len(sorted), p, confidence).interval(NewSample(sorted))
}

// quantileRanks are the ranks, from 1, of the order statistics between which a quantile lies; invalid ranks
// stand for infinite ends.
type quantileRanks struct{ low, high int }

// newQuantileRanks returns the ranks for the p-quantile of n values.
func newQuantileRanks(n int, p, confidence float64) quantileRanks {
	below := distuv.Binomial{N: float64(n), P: p} // number of values below the quantile
	tail := (1 - confidence) / 2
	// The quantile is at least value i with probability P(below >= i).
	i := sort.Search(n+1, func(i int) bool { return below.CDF(float64(i)) > tail })
	j := sort.Search(n+1, func(j int) bool { return below.CDF(float64(j)) >= 1-tail }) + 1
	return quantileRanks{i, j}
}

func (r quantileRanks) interval(s Sample) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	n := s.Len()
	if r.low >= 1 && r.low <= n {
		low = s.order(r.low - 1)
	}
	if r.high <= n {
		high = s.order(r.high - 1)
	}
	return low, high
}
