package report

import (
	"cmp"
	"math"
	"slices"
)

// Goal says which values of a quantity are better.
type Goal int

// The two goals.
const (
	Lower Goal = iota
	Higher
)

// ParetoFront returns the indices of the points that no other point matches in both quantities and beats in
// one, in ascending order of x, and of index among equal points. Points with NaN are never on it.
func ParetoFront(x, y []float64, xGoal, yGoal Goal) []int {
	cost := func(v float64, g Goal) float64 {
		if g == Higher {
			return -v
		}
		return v
	}
	order := make([]int, 0, len(x))
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(cost(x[a], xGoal), cost(x[b], xGoal)), cmp.Compare(cost(y[a], yGoal), cost(y[b], yGoal)))
	})
	var front []int
	best := math.Inf(1)
	for k, i := range order {
		c := cost(y[i], yGoal)
		same := k > 0 && len(front) > 0 && x[i] == x[front[len(front)-1]] && y[i] == y[front[len(front)-1]]
		if c < best || same {
			front, best = append(front, i), c
		}
	}
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(a, b)) })
	return front
}
