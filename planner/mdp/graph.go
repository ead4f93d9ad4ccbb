package mdp

import "slices"

// graph is what a policy leaves of a model with certain moves: a functional graph, each state leading to exactly
// one other.
type graph struct {
	value  []float64 // of the policy
	chosen []int32   // successor of every state
	gain   []float64 // reward there
	mark   []int32   // walk in which a state was reached; 0 when not yet
	path   []int32   // states of the current walk
}

func newGraph(states int) graph {
	return graph{
		value: make([]float64, states), chosen: make([]int32, states), gain: make([]float64, states),
		mark: make([]int32, states), path: make([]int32, 0, states),
	}
}

// resize makes room for some states, whose values it leaves open.
func (g *graph) resize(states int) {
	g.value, g.gain = slices.Grow(g.value[:0], states)[:states], slices.Grow(g.gain[:0], states)[:states]
	g.chosen, g.mark = slices.Grow(g.chosen[:0], states)[:states], slices.Grow(g.mark[:0], states)[:states]
	g.path = slices.Grow(g.path[:0], states)
}

// evaluate computes the exact value of the policy from chosen and gain.
func (g *graph) evaluate(discount float64) {
	value, chosen, gain, mark := g.value, g.chosen, g.gain, g.mark
	clear(mark)
	for s := range mark {
		if mark[s] != 0 {
			continue
		}
		walk := int32(s + 1)
		path := g.path[:0]
		at := int32(s)
		for mark[at] == 0 {
			mark[at] = walk
			path = append(path, at)
			at = chosen[at]
		}
		if mark[at] == walk {
			value[at] = g.closeCycle(discount, path, at)
		}
		v := value[at]
		for i := len(path) - 1; i >= 0; i-- {
			v = gain[path[i]] + discount*v
			value[path[i]] = v
		}
	}
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
