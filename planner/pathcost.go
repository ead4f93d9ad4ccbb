package planner

import (
	"container/heap"
	"math"
	"slices"
)

// PathCosts returns, for every state, the cost of the cheapest path to a goal: optc of Masters and Sardina
// (2017). The cost of a path is the sum over its moves. A move costs weight, at least 0 and in units of reward,
// per spacing of its length, plus the difference between the largest further reward of any move and its own,
// see Spec.Rewards. The cost is +Inf where no path leads to a goal. The search is Dijkstra's (1959), backwards
// from the goals.
func (g *Grid) PathCosts(weight float64) []float64 { return g.PathCostsTo(weight, g.Goals()...) }

// PathCostsTo is PathCosts for other targets, with the same moves of the grid.
func (g *Grid) PathCostsTo(weight float64, targets ...int) []float64 {
	costs := slices.Repeat([]float64{math.Inf(1)}, g.States())
	into := g.movesInto(weight)
	var front frontier
	reach := func(state int, cost float64) {
		if cost < costs[state] {
			costs[state] = cost
			heap.Push(&front, origin{state, cost})
		}
	}
	for _, target := range targets {
		reach(target, 0)
	}
	for len(front) > 0 {
		cheapest := heap.Pop(&front).(origin)
		if cheapest.cost > costs[cheapest.state] { // a cheaper path was found meanwhile
			continue
		}
		for _, from := range into[cheapest.state] {
			reach(from.state, cheapest.cost+from.cost)
		}
	}
	return costs
}

// MoveCost returns the state that a move leads to and the cost of the move, see PathCosts.
func (g *Grid) MoveCost(weight float64, state int, action Action) (next int, cost float64) {
	next = g.Next(state, action)
	return next, weight*g.Cell(state).distance(g.Cell(next)) + g.maxFurtherReward - g.furtherReward(state, action, next)
}

// origin is a state from which paths come, with their cost.
type origin struct {
	state int
	cost  float64
}

// movesInto returns, by state, the states from which a move leads there, with the costs of these moves.
func (g *Grid) movesInto(weight float64) [][]origin {
	into := make([][]origin, g.States())
	for state := range into {
		for action := range Action(g.Moves.Count()) {
			if next, cost := g.MoveCost(weight, state, action); next != state {
				into[next] = append(into[next], origin{state, cost})
			}
		}
	}
	return into
}

// frontier is a heap of states; the state with the cheapest path is first.
type frontier []origin

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].cost < f[j].cost }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(o any)        { *f = append(*f, o.(origin)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
