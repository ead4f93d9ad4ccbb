package mdp

import "slices"

// graph is a deterministic model under a policy: a functional graph, in which each state leads to exactly one
// other.
type graph struct {
	value  []float64 // of the policy
	chosen []int32   // successor of every state
	gain   []float64 // reward there
	mark   []int32   // marks of a walk: the states it reached; in order: the number of states that lead to a state
	path   []int32   // states of the current walk

	trees   []int32 // states on no cycle, each before its successor
	cycles  []int32 // the other states, cycle by cycle, each starting where it is entered
	ordered bool    // trees and cycles belong to chosen
}

// resize makes room for that many states; their values are undefined.
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

// revalue computes the value from gain if the policy is that of the last evaluation: first the cycles, then the
// trees that lead to them, backwards.
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

// order sorts the states in the order of their evaluation. It removes states without predecessors until only
// cycles are left. Its loops have no branches except their ends: the successors follow no pattern, and a
// mispredicted branch takes longer than the rest of the work for a state.
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
		trees[n] = next // there is room, because some states are on cycles
		n += none(leading[next])
	}
	g.trees = trees[:n]
	g.orderCycles()
}

// none returns 1 for a count of 0, and 0 otherwise.
func none(count int32) int { return int(uint32(count-1) >> 31) }

// orderCycles finds the cycles. Each starts at the state where the first walk enters it.
func (g *graph) orderCycles() {
	const walked = -1 // a mark; trees have 0, and cycles 1 until they are found
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

// closeCycle returns the value of the state at which a walk met itself: the discounted sum of one round over 1
// - discount^length.
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

// shortfall returns the largest amount by which the values of a path fall short of the given values in one of
// its states. The path closes a cycle at entry.
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
	// improve makes one pass over the states, downwards if reversed. It changes a state to its best action if
	// that gains more than floor, and reports whether it changed any.
	improve(floor float64, reversed bool) bool
}

// iterate improves a policy until no action gains more than the floor. The floor follows from the largest
// possible value, for rewards of at most largest; if this does not reach the tolerance, it follows from the
// largest actual value.
func iterate(g *graph, policy improver, discount, largest, tolerance float64) (m margins, sweeps int) {
	m = marginsOf(discount, largest/(1-discount), tolerance)
	for sweeps = 1; ; sweeps++ {
		g.evaluate(discount)
		if policy.improve(m.floor, sweeps%2 == 1) {
			continue
		}
		if m.bound > tolerance {
			if actual := marginsOf(discount, magnitude(g.value), tolerance); actual.bound < m.bound {
				m = actual
				continue
			}
		}
		return m, sweeps
	}
}
