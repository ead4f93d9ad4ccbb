package mdp

import "slices"

// graph is what a policy leaves of a model with certain moves: a functional graph, each state leading to exactly
// one other.
type graph struct {
	value  []float64 // of the policy
	chosen []int32   // successor of every state
	gain   []float64 // reward there
	mark   []int32   // of a walk: which states were reached; in order how many states lead to one
	path   []int32   // states of the current walk

	trees   []int32 // states on no cycle, each before the one that it leads to
	cycles  []int32 // the others, cycle after cycle, each from where it is entered
	ordered bool    // trees and cycles are those of chosen
}

func newGraph(states int) graph {
	var g graph
	g.resize(states)
	return g
}

// resize makes room for some states, whose values it leaves open.
func (g *graph) resize(states int) {
	g.value, g.gain = slices.Grow(g.value[:0], states)[:states], slices.Grow(g.gain[:0], states)[:states]
	g.chosen, g.mark = slices.Grow(g.chosen[:0], states)[:states], slices.Grow(g.mark[:0], states)[:states]
	g.path = slices.Grow(g.path[:0], states)
	g.trees, g.cycles, g.ordered = slices.Grow(g.trees[:0], states), slices.Grow(g.cycles[:0], states), false
}

// evaluate computes the exact value of the policy from chosen and gain.
func (g *graph) evaluate(discount float64) {
	if !g.ordered {
		g.order()
		g.ordered = true
	}
	g.revalue(discount)
}

// revalue computes the value from gain alone, where the policy is that of the last evaluation: that of the cycles, then
// backwards that of the trees that hang off them.
func (g *graph) revalue(discount float64) {
	value := g.value
	chosen, gain := g.chosen[:len(value)], g.gain[:len(value)]
	for rest := g.cycles; len(rest) > 0; {
		n := 1
		for chosen[rest[n-1]] != rest[0] {
			n++
		}
		v := g.closeCycle(discount, rest[:n], rest[0])
		for i := n - 1; i >= 0; i-- {
			v = gain[rest[i]] + discount*v
			value[rest[i]] = v
		}
		rest = rest[n:]
	}
	for i := len(g.trees) - 1; i >= 0; i-- {
		s := g.trees[i]
		value[s] = gain[s] + discount*value[chosen[s]]
	}
}

// order puts the states in the order of their evaluation. It takes off those that none leads to, until only cycles are
// left. Those loops have no branches but their ends: which state leads where follows no pattern, and a branch
// mispredicted takes longer than all else that is done for a state.
func (g *graph) order() {
	chosen, leading, trees := g.chosen, g.mark, g.trees[:cap(g.trees)]
	clear(leading)
	for _, next := range chosen {
		leading[next]++
	}
	n := 0
	for s, count := range leading {
		trees[n] = int32(s)
		n += none(count)
	}
	for i := 0; i < n; i++ {
		next := chosen[trees[i]]
		leading[next]--
		trees[n] = next // there is room: some states are on cycles
		n += none(leading[next])
	}
	g.trees = trees[:n]
	g.orderCycles()
}

// none returns 1 for a count of 0 and else 0.
func none(count int32) int { return int(uint32(count-1) >> 31) }

// orderCycles finds the cycles. Each is entered where the first state that leads there comes to it.
func (g *graph) orderCycles() {
	const walked = -1 // a mark; that of the trees is 0, and that of cycles 1 until they are found
	mark, chosen, cycles := g.mark, g.chosen, g.cycles[:0]
	for s := 0; len(cycles)+len(g.trees) < len(mark); s++ {
		at := int32(s)
		for mark[at] == 0 {
			mark[at] = walked
			at = chosen[at]
		}
		for mark[at] != walked {
			mark[at] = walked
			cycles = append(cycles, at)
			at = chosen[at]
		}
	}
	g.cycles = cycles
}

// closeCycle returns the value of the state at which a walk met itself: the discounted sum of one turn
// over 1 - discount^length.
func (g *graph) closeCycle(discount float64, path []int32, entry int32) float64 {
	sum, weight := 0.0, 1.0
	for i := len(path) - 1; i >= 0; i-- {
		sum = g.gain[path[i]] + discount*sum
		weight *= discount
		if path[i] == entry {
			break
		}
	}
	return sum / (1 - weight)
}

// shortfall returns by how much, at most, what a path gains falls short of values in one of its states. It closes
// a cycle at entry.
func (g *graph) shortfall(discount float64, path []int32, entry int32, value []float64) float64 {
	v := g.closeCycle(discount, path, entry)
	shortfall := 0.0
	for i := len(path) - 1; i >= 0; i-- {
		v = g.gain[path[i]] + discount*v
		shortfall = max(shortfall, value[path[i]]-v)
	}
	return shortfall
}

// improver changes the policy of a graph.
type improver interface {
	// improve makes one pass over the states, downwards when reversed, that moves each to its best action where
	// one gains more than floor, and reports whether any did.
	improve(floor float64, reversed bool) bool
}

// iterate improves a policy until no action gains more than the floor. The floor follows from the largest value
// there can be, of rewards up to a largest, and, where that leaves the tolerance out of reach, from the largest
// there is.
func iterate(g *graph, policy improver, discount, largest, tolerance float64) (m margins, sweeps int) {
	m = marginsOf(discount, largest/(1-discount), tolerance)
	for sweeps = 1; ; sweeps++ {
		g.evaluate(discount)
		if policy.improve(m.floor, sweeps%2 == 1) {
			continue
		}
		if m.bound > tolerance {
			if own := marginsOf(discount, magnitude(g.value), tolerance); own.bound < m.bound {
				m = own
				continue
			}
		}
		return m, sweeps
	}
}
