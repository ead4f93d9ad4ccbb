package report

import (
	"cmp"
	"math"
	"slices"
)

// paretoFront returns the indices of the points that no other point dominates: is at most as large in both
// quantities and smaller in one. They are in ascending order of x, and of index among equal points. Points with
// NaN are never on the front.
func paretoFront(x, y []float64) []int {
	order := make([]int, 0, len(x))
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b]))
	})
	var front []int
	best := math.Inf(1)
	for k, i := range order {
		same := k > 0 && len(front) > 0 && x[i] == x[front[len(front)-1]] && y[i] == y[front[len(front)-1]]
		if y[i] < best || same {
			front, best = append(front, i), y[i]
		}
	}
	return front
}
