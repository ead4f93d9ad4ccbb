package mdp

import "math"

// sparseKernel sweeps a Model.
type sparseKernel struct {
	*Model
	*chain
	discount    float64
	plan        *schedule
	band        int // largest |s' - s|
	maxOutcomes int // largest number of outcomes of a state and action
	maxDefect   float64
}

func (m *Model) kernel(discount float64) kernel {
	k := &sparseKernel{Model: m, discount: discount, maxOutcomes: m.widest(), maxDefect: m.missing()}
	k.chain = newChain(m.states, func(state int) int {
		widest := 0
		for a := range m.actions {
			next, _ := m.Transition(state, a)
			widest = max(widest, len(next))
			for _, n := range next {
				k.band = max(k.band, abs(int(n)-state))
			}
		}
		return widest
	})
	k.plan = newSchedule(m.states, func(from, to int, visit func(next int32)) {
		for _, next := range m.next[m.rowStart[from*m.actions]:m.rowStart[to*m.actions]] {
			visit(next)
		}
	})
	return k
}

func (k *sparseKernel) blocks() *schedule         { return k.plan }
func (k *sparseKernel) bandwidth() int            { return k.band }
func (k *sparseKernel) prepare(*tables, int, int) {}
func (k *sparseKernel) defect() float64           { return k.maxDefect }
func (k *sparseKernel) outcomes() int             { return k.maxOutcomes }

// rounding: a scalar product of w terms loses w units, where w is the length of the widest row; the discount
// and the reward add one each.
func (k *sparseKernel) rounding(bool) float64 { return float64(k.maxOutcomes) + 2 }

func (k *sparseKernel) backup(t *tables, from, to int) progress {
	p := noProgress
	v, m := t.v, k.actions
	for s := from; s < to; s++ {
		best, choice := math.Inf(-1), int32(0)
		for a, r := range t.rewards[s*m : s*m+m] {
			next, probability := k.Transition(s, a)
			probability = probability[:len(next)]
			sum := 0.0
			for i, n := range next {
				sum += probability[i] * v[n]
			}
			if q := r + k.discount*sum; q > best {
				best, choice = q, int32(a)
			}
		}
		p = t.record(p, s, best, choice)
	}
	return p
}

func (k *sparseKernel) adopt(t *tables, from, to int) {
	c := k.chain
	for s := from; s < to; s++ {
		action := t.policy[s]
		c.gain[s] = t.rewards[s*k.actions+int(action)]
		if c.action[s] == action {
			continue
		}
		next, probability := k.Transition(s, int(action))
		start := c.start[s]
		copy(c.next[start:], next)
		for i, p := range probability {
			c.weight[start+i] = k.discount * p
		}
		c.finishRow(s, action, len(next))
	}
}
