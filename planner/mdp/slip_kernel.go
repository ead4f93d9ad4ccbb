package mdp

import "math"

// slipKernel sweeps a SlipModel. With x_a the value of action a's successor, the expectation of action a is (1
// - p - q) x_a + q sum_b x_b with q = p/(actions-1): all actions of a state share the sum.
type slipKernel struct {
	*SlipModel
	own, shared float64 // discounted weights of x_a and of the sum
	plan        *schedule
	reach       int

	// 1/(1 - discount*T(s, a, s)) by the number of actions whose successor is s itself, for an action a that
	// leaves the state and for one that stays.
	scaleMove, scaleStay []float64

	// The adopted policy.
	target []int32
	gain   []float64
	scale  []float64 // 1/(1 - discount*T(s, policy(s), s))
}

func (m *SlipModel) kernel(discount float64) kernel {
	n := m.states
	q := 0.0
	if m.actions > 1 {
		q = m.slip / float64(m.actions-1)
	}
	k := &slipKernel{
		SlipModel: m, own: discount * (1 - m.slip - q), shared: discount * q,
		scaleMove: make([]float64, m.actions+1), scaleStay: make([]float64, m.actions+1),
		target: make([]int32, n), gain: make([]float64, n), scale: make([]float64, n),
	}
	for c := range k.scaleMove {
		k.scaleMove[c] = 1 / (1 - k.shared*float64(c))
		k.scaleStay[c] = 1 / (1 - k.own - k.shared*float64(c))
	}
	for i, next := range m.successor {
		k.reach = max(k.reach, abs(int(next)-i/m.actions))
	}
	k.plan = newSchedule(n, func(from, to int, visit func(next int32)) {
		for _, next := range m.successor[from*m.actions : to*m.actions] {
			visit(next)
		}
	})
	return k
}

func abs(x int) int { return max(x, -x) }

func (k *slipKernel) blocks() *schedule         { return k.plan }
func (k *slipKernel) bandwidth() int            { return k.reach }
func (k *slipKernel) outcomes() int             { return k.actions }
func (k *slipKernel) prepare(*tables, int, int) {}

// rounding: each weight carries 3 roundings, its product one, the sum actions-1 more, and the two additions
// that combine them with the reward one each, of numbers no larger than the result and a part of it.
func (k *slipKernel) rounding(bool) float64 {
	total := k.shared * float64(k.actions)
	return 4*math.Abs(k.own) + (float64(k.actions)+3)*total + 2*(1+total)
}

func (k *slipKernel) defect() float64 { return 4 * 0x1p-53 }

func (k *slipKernel) backup(t *tables, from, to int) progress {
	if k.actions == 5 {
		return k.backupFive(t, from, to)
	}
	p := noProgress
	v, m := t.v, k.actions
	for s := from; s < to; s++ {
		next := k.successor[s*m : s*m+m]
		reward := t.rewards[s*m : s*m+m]
		sum, best, choice := 0.0, math.Inf(-1), int32(0)
		for a, n := range next {
			x := v[n]
			sum += x
			if q := reward[a] + k.own*x; q > best {
				best, choice = q, int32(a)
			}
		}
		best += k.shared * sum
		p = t.record(p, s, best, choice)
	}
	return p
}

// record stores the backup of a state and adds it to the progress.
func (t *tables) record(p progress, s int, best float64, choice int32) progress {
	p = p.extend(best - t.v[s])
	t.out[s] = best
	if t.policy[s] != choice {
		t.policy[s] = choice
		p.changes++
	}
	return p
}

func (k *slipKernel) adopt(t *tables, from, to int) {
	m := k.actions
	for s := from; s < to; s++ {
		next, action := k.successor[s*m:s*m+m], t.policy[s]
		staying := 0
		for _, n := range next {
			if int(n) == s {
				staying++
			}
		}
		k.target[s], k.gain[s] = next[action], t.rewards[s*m+int(action)]
		k.scale[s] = k.scaleMove[staying]
		if int(next[action]) == s {
			k.scale[s] = k.scaleStay[staying]
		}
	}
}

func (k *slipKernel) follow(v []float64, from, to int, backward bool) {
	if k.actions == 5 {
		k.followFive(v, from, to, backward)
		return
	}
	for i := from; i < to; i++ {
		s := i
		if backward {
			s = from + to - 1 - i
		}
		v[s] += (k.under(v, s) - v[s]) * k.scale[s]
	}
}

// under is the backup of a state under the adopted policy.
func (k *slipKernel) under(v []float64, s int) float64 {
	sum := 0.0
	for _, n := range k.successor[s*k.actions : (s+1)*k.actions] {
		sum += v[n]
	}
	return k.gain[s] + k.own*v[k.target[s]] + k.shared*sum
}

func (k *slipKernel) apply(v, out []float64, from, to int) progress {
	if k.actions == 5 {
		return k.applyFive(v, out, from, to)
	}
	p := noProgress
	for s := from; s < to; s++ {
		out[s] = k.under(v, s)
		p = p.extend(out[s] - v[s])
	}
	return p
}

func (k *slipKernel) coefficients(state int, row []float64, first int) {
	row[int(k.target[state])-first] -= k.own
	for _, n := range k.successor[state*k.actions : (state+1)*k.actions] {
		row[int(n)-first] -= k.shared
	}
}
