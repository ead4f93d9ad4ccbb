package planner

import (
	"container/heap"
	"math"
	"slices"
)

// PathCosts returns, for every state, the cost of the cheapest path from there to a goal: optc of Masters and Sardina
// (2017). A path costs the sum of its moves. A move costs weight, in reward and at least 0, for every spacing of its
// length, and by how much less it earns beside the distance to the goal than the move that earns most, see
// Spec.Rewards. Where no path leads to a goal the cost is +Inf. The search is that of Dijkstra (1959), from the goals
// backwards.
func (g *Grid) PathCosts(weight float64) []float64 { return g.PathCostsTo(weight, g.Goals()...) }

// PathCostsTo is PathCosts for other targets, with the moves of the grid as they are.
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
		if cheapest.cost > costs[cheapest.state] { // a cheaper path was found since
			continue
		}
		for _, from := range into[cheapest.state] {
			reach(from.state, cheapest.cost+from.cost)
		}
	}
	return costs
}

// MoveCost returns the state that a move leads to and what it costs, see PathCosts.
func (g *Grid) MoveCost(weight float64, state int, action Action) (next int, cost float64) {
	next = g.Next(state, action)
	return next, weight*g.Cell(state).distance(g.Cell(next)) + g.mostBeside - g.earnedBeside(state, action, next)
}

// origin is a state that paths come from, with what they cost.
type origin struct {
	state int
	cost  float64
}

// movesInto returns by state the states from which a move leads there, with the costs of those moves.
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

// frontier is a heap of states, the one with the cheapest path first.
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
