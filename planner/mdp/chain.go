package mdp

// chain is the Markov reward process of a fixed policy: v = gain + W v, where W is the discounted transition
// matrix. Its rows have fixed capacities, so that a change of policy moves nothing.
type chain struct {
	start  []int // row s begins at start[s] and holds length[s] entries
	length []int32
	action []int32 // action whose row it is, -1 for none: rewards change with every solve, rows rarely
	next   []int32
	weight []float64 // discounted probabilities
	gain   []float64
	scale  []float64 // 1/(1 - weight of staying)
}

// newChain reserves capacity(s) entries for every state.
func newChain(states int, capacity func(state int) int) *chain {
	c := &chain{
		start: make([]int, states+1), length: make([]int32, states),
		gain: make([]float64, states), scale: make([]float64, states), action: make([]int32, states),
	}
	for s := range states {
		c.action[s] = -1
		c.start[s+1] = c.start[s] + capacity(s)
	}
	c.next, c.weight = make([]int32, c.start[states]), make([]float64, c.start[states])
	return c
}

func (c *chain) row(s int) (next []int32, weight []float64) {
	from := c.start[s]
	to := from + int(c.length[s])
	return c.next[from:to], c.weight[from:to]
}

// backupState is the backup of a state.
func (c *chain) backupState(v []float64, s int) float64 {
	next, weight := c.row(s)
	weight = weight[:len(next)]
	sum := 0.0
	for i, n := range next {
		sum += weight[i] * v[n]
	}
	return c.gain[s] + sum
}

// finishRow completes the adoption of an action after its row of the given length was written.
func (c *chain) finishRow(s int, action int32, length int) {
	c.action[s], c.length[s] = action, int32(length)
	next, weight := c.row(s)
	staying := 0.0
	for i, n := range next {
		if int(n) == s {
			staying += weight[i]
		}
	}
	c.scale[s] = 1 / (1 - staying)
}

func (c *chain) relax(v []float64, from, to int, backward bool) {
	for i := from; i < to; i++ {
		s := i
		if backward {
			s = from + to - 1 - i
		}
		v[s] += (c.backupState(v, s) - v[s]) * c.scale[s]
	}
}

func (c *chain) apply(v, out []float64, from, to int) progress {
	p := noProgress
	for s := from; s < to; s++ {
		out[s] = c.backupState(v, s)
		p = p.extend(out[s] - v[s])
	}
	return p
}

func (c *chain) coefficients(state int, row []float64, first int) {
	next, weight := c.row(state)
	for i, n := range next {
		row[int(n)-first] -= weight[i]
	}
}
