package study

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// ShareInterval returns Wilson's score interval for a probability of which k of n trials came true
// (Wilson 1927). It stays within [0, 1] and is not degenerate at k = 0 or n. It covers with the confidence on
// average over probabilities, and with less at some: of intervals at 95 %, 91.1 % where 1 of 100 trials comes true
// and there are 50 (Brown, Cai & DasGupta 2001).
func ShareInterval(k, n int, confidence float64) (low, high float64) {
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
		low = 0 // exactly; rounding may leave a little
	}
	if k == n {
		high = 1
	}
	return low, high
}

// QuantileInterval returns an interval for the p-quantile of a distribution from values drawn from it,
// sorted: the order statistics between which it lies with at least the confidence, whatever the
// distribution (David & Nagaraja 2003, 7.1). Ends for which there are too few values are infinite.
func QuantileInterval(sorted []float64, p, confidence float64) (low, high float64) {
	return newQuantileRanks(len(sorted), p, confidence).interval(sorted)
}

// quantileRanks are the ranks of the order statistics between which a quantile lies, counting from 1; those that are
// no ranks stand for infinite ends.
type quantileRanks struct{ low, high int }

// newQuantileRanks returns the ranks for the p-quantile of n values.
func newQuantileRanks(n int, p, confidence float64) quantileRanks {
	below := distuv.Binomial{N: float64(n), P: p} // how many values lie below the quantile
	tail := (1 - confidence) / 2
	// The quantile is at least value i with probability P(below >= i).
	i := sort.Search(n+1, func(i int) bool { return below.CDF(float64(i)) > tail })
	j := sort.Search(n+1, func(j int) bool { return below.CDF(float64(j)) >= 1-tail }) + 1
	return quantileRanks{i, j}
}

func (r quantileRanks) interval(sorted []float64) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if r.low >= 1 && r.low <= len(sorted) {
		low = sorted[r.low-1]
	}
	if r.high <= len(sorted) {
		high = sorted[r.high-1]
	}
	return low, high
}
