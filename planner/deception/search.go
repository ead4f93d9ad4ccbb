package deception

import (
	"container/heap"
	"math"
	"slices"

	"veilpath/planner"
)

// search is best-first search on a grid. A move costs planner.Grid.MoveCost plus the penalty of the state that it
// enters; estimate is the estimated cost from a state to the end. If the estimate never exceeds the true cost, and no
// move lowers it by more than the cost of the move, the path is a cheapest one (Hart, Nilsson and Raphael 1968); a
// larger estimate makes the search avoid states. No state is entered twice. Of entries with equal sums, the one that
// was found first is taken.
type search struct {
	grid     *planner.Grid
	penalty  func(state int) float64 // >= 0; nil for none
	estimate func(state int) float64 // >= 0, 0 at the end; +Inf where no path leads to it
}

// path returns the states of a path, with both ends; nil if no path leads to an end.
func (s *search) path(from int, ends func(state int) bool) []int32 {
	parents := slices.Repeat([]int32{-1}, s.grid.States()) // by state: the state before it on the path; -1 if not entered
	front := frontier{{state: from, parent: from}}
	for found := 1; len(front) > 0; {
		e := heap.Pop(&front).(entry)
		if parents[e.state] >= 0 {
			continue
		}
		parents[e.state] = int32(e.parent)
		if ends(e.state) {
			path := []int32{int32(e.state)}
			for state := e.state; state != from; {
				state = int(parents[state])
				path = append(path, int32(state))
			}
			slices.Reverse(path)
			return path
		}
		for action := range planner.Action(s.grid.Moves.Count()) {
			next, cost := s.grid.MoveCost(s.grid.RewardWeight, e.state, action)
			left := s.estimate(next)
			if parents[next] >= 0 || math.IsInf(left, 1) {
				continue
			}
			cost += e.cost
			if s.penalty != nil {
				cost += s.penalty(next)
			}
			heap.Push(&front, entry{next, e.state, found, cost, float32(cost + left)})
			found++
		}
	}
	return nil
}

// entry is a state that a search has found. The sum of its cost and its estimate has few digits, so that sums that
// differ by rounding alone are equal on every machine.
type entry struct {
	state, parent, found int
	cost                 float64
	sum                  float32
}

// frontier is a heap of entries, the one with the least sum first.
type frontier []entry

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(entry)) }
func (f frontier) Less(i, j int) bool {
	return f[i].sum < f[j].sum || f[i].sum == f[j].sum && f[i].found < f[j].found
}
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
