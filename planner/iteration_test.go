package planner

import "math"

const actionCount = 5 // of the paper's moves

// valueIteration solves a grid's problem by textbook value iteration, from the definitions alone: an
// action leads to its own outcome with probability 1 - slip, and to that of each other action with slip/4.
// It updates in place (Gauss-Seidel), which needs fewer sweeps and has the same fixed point.
type valueIteration struct {
	next     [][actionCount]int // by definition, not by Grid.Next
	discount float64
	slip     float64
	value    []float64
}

func newValueIteration(g *Grid, discount, slip float64) *valueIteration {
	vi := &valueIteration{discount: discount, slip: slip, next: make([][actionCount]int, g.States()),
		value: make([]float64, g.States())}
	moves := [...]Cell{{0, 1}, {0, -1}, {1, 0}, {-1, 0}}
	for s := range vi.next {
		for a, move := range moves {
			c := g.Cell(s)
			c.Column, c.Row = c.Column+move.Column, c.Row+move.Row
			vi.next[s][a] = s
			if c.Column >= 0 && c.Column < g.Columns && c.Row >= 0 && c.Row < g.Rows {
				vi.next[s][a] = c.Row*g.Columns + c.Column
			}
		}
		vi.next[s][ToTarget], _ = nearestToGoal(g, s)
	}
	return vi
}

// values returns the value of every action in a state.
func (vi *valueIteration) values(rewards []float64, s int) (q [actionCount]float64) {
	others := 0.0
	if vi.slip > 0 {
		for _, next := range vi.next[s] {
			others += vi.slip / (actionCount - 1) * vi.value[next]
		}
	}
	for a, next := range vi.next[s] {
		expected := (1-vi.slip-vi.slip/(actionCount-1))*vi.value[next] + others
		if vi.slip == 0 {
			expected = vi.value[next]
		}
		q[a] = rewards[s*actionCount+a] + vi.discount*expected
	}
	return q
}

// settled is the largest change of a last sweep, relative to the largest value: a few roundings. By
// contraction, values that change no more than that are within settled/(1 - discount) of the fixed point.
const settled = 1e-15

// solve sweeps from the given values (nil: zeros) to the fixed point, which is the same from anywhere.
// The result holds until the next solve; bound is its largest distance from the exact optimum.
func (vi *valueIteration) solve(rewards, from []float64) (value []float64, bound float64) {
	clear(vi.value)
	copy(vi.value, from)
	for {
		change, largest := 0.0, 0.0
		for s := range vi.value {
			q := vi.values(rewards, s)
			best := max(q[0], q[1], q[2], q[3], q[4])
			change = max(change, math.Abs(best-vi.value[s]))
			largest = max(largest, math.Abs(best))
			vi.value[s] = best
		}
		if change <= settled*largest {
			return vi.value, settled * largest / (1 - vi.discount)
		}
	}
}
