package study

import (
	"math"
	"slices"
)

// Front returns which of n things no other one dominates, in order. A thing dominates another if one of its amounts is
// smaller and none is larger. A thing with an unknown amount, NaN, is left out.
func Front(n int, amounts func(i int) []float64) (front []int) {
	all := make([][]float64, n)
	for i := range all {
		all[i] = amounts(i)
	}
	for i, own := range all {
		unknown := slices.ContainsFunc(own, math.IsNaN)
		if !unknown && !slices.ContainsFunc(all, func(other []float64) bool { return dominates(other, own) }) {
			front = append(front, i)
		}
	}
	return front
}

// dominates reports whether no amount of a is larger than that of b, and one is smaller.
func dominates(a, b []float64) bool {
	better := false
	for k := range a {
		if !(a[k] <= b[k]) {
			return false
		}
		better = better || a[k] < b[k]
	}
	return better
}
