package mdp

import "math"

// jointKernel sweeps a Joint. A backup contracts the value with the agents' factors one at a time, the
// last agent first: contracting agent i turns the tensor [y_0 .. y_i][s_{i+1} .. s_{N-1}][a_{i+1} .. a_{N-1}]
// into [y_0 .. y_{i-1}][s_i .. s_{N-1}][a_i .. a_{N-1}]. Agent 0 is contracted while maximising, so that
// not even the states x actions table of expectations is ever stored.
//
// A slice is the set of joint states with one local state of agent 0. It is the unit of work.
type jointKernel struct {
	*Joint
	*chain
	discount    float64
	plan        *schedule
	slices      int // agent 0's states
	restStates  int // joint states of all agents except agent 0
	restActions int
	expanded    []float64   // per slice y_0: [s_1 .. s_{N-1}][a_1 .. a_{N-1}]
	front, back [][]float64 // per slice: the tensors between contractions
	mixture     [][]float64 // per slice: an action of agent 0 applied to expanded
	best        []float64   // per state, within a backup
	choice      []int32
	maxOutcomes int     // largest number of joint outcomes of a state and action
	units       float64 // rounding of the contractions
	maxDefect   float64
}

// parallelPairs is the number of state-action pairs above which a joint backup uses two goroutines.
const parallelPairs = 5 * parallelStates

func (j *Joint) kernel(discount float64) kernel {
	first := j.agents[0]
	k := &jointKernel{
		Joint: j, discount: discount, slices: first.states,
		restStates: j.states / first.states, restActions: j.actions / first.actions,
		best: make([]float64, j.states), choice: make([]int32, j.states),
	}
	rest := k.restStates * k.restActions
	if len(j.agents) > 1 {
		k.expanded = make([]float64, k.slices*rest)
	}
	between := 0 // size of the largest tensor between two contractions of a slice: the one after agent 2
	if len(j.agents) > 2 {
		between = k.restStates * (k.restActions / j.agents[1].actions)
	}
	for range k.slices {
		k.mixture = append(k.mixture, make([]float64, rest))
		k.front, k.back = append(k.front, make([]float64, between)), append(k.back, make([]float64, between))
	}
	k.maxOutcomes, k.units = 1, 3
	for _, agent := range j.agents {
		w := agent.widest()
		k.maxOutcomes *= w
		k.units += float64(w)
		k.maxDefect += agent.missing() + 0x1p-53
	}
	k.chain = newChain(j.states, func(int) int { return k.maxOutcomes })
	bounds, colours := []int{0, k.states}, [][]int{{0}}
	if k.states*k.actions >= parallelPairs {
		bounds, colours = []int{0}, nil // every slice can reach every other
		for s := range k.slices {
			bounds = append(bounds, (s+1)*k.restStates)
			colours = append(colours, []int{s})
		}
	}
	k.plan = fixedSchedule(bounds, colours)
	return k
}

func (k *jointKernel) blocks() *schedule { return k.plan }
func (k *jointKernel) bandwidth() int    { return k.states - 1 }
func (k *jointKernel) defect() float64   { return k.maxDefect }
func (k *jointKernel) outcomes() int     { return k.maxOutcomes }

// rounding: the contractions lose as many units as the agents have outcomes in total, the adopted rows as many
// as joint outcomes.
func (k *jointKernel) rounding(adopted bool) float64 {
	if adopted {
		return float64(k.maxOutcomes+len(k.agents)) + 2
	}
	return k.units
}

func (k *jointKernel) prepare(t *tables, from, to int) {
	if len(k.agents) == 1 {
		return
	}
	for y := from / k.restStates; y < to/k.restStates; y++ {
		k.expand(y, t.v[y*k.restStates:(y+1)*k.restStates])
	}
}

// expand contracts agents N-1 to 1 in a slice.
func (k *jointKernel) expand(y int, v []float64) {
	rest := k.restStates * k.restActions
	from, spare, other := v, k.front[y], k.back[y]
	statesAfter, actionsAfter := 1, 1 // of the agents already contracted
	prefix := k.restStates            // joint states of agents 1 .. i
	for i := len(k.agents) - 1; i >= 1; i-- {
		agent := k.agents[i]
		prefix /= agent.states
		to := k.expanded[y*rest : (y+1)*rest]
		if i > 1 {
			to = spare[:prefix*agent.states*statesAfter*agent.actions*actionsAfter]
		}
		if i == len(k.agents)-1 {
			contractLast(agent, from, to, prefix)
		} else {
			contract(agent, from, to, prefix, statesAfter, actionsAfter)
		}
		from, spare, other = to, other, spare
		statesAfter *= agent.states
		actionsAfter *= agent.actions
	}
}

// contract turns [prefix][y][states][actions] into [prefix][s][states][a][actions], taking the
// expectation over the agent's next state y.
func contract(agent *Model, from, to []float64, prefix, states, actions int) {
	block := states * actions
	for p := range prefix {
		in := from[p*agent.states*block:]
		for s := range agent.states {
			out := to[(p*agent.states+s)*block*agent.actions:]
			for a := range agent.actions {
				next, probability := agent.Transition(s, a)
				for r := range states {
					target := out[(r*agent.actions+a)*actions:][:actions]
					mix(target, in[r*actions:], block, next, probability)
				}
			}
		}
	}
}

// contractLast is contract for the last agent, which no states and actions follow: it uses scalar products.
func contractLast(agent *Model, from, to []float64, prefix int) {
	rows := agent.states * agent.actions
	for p := range prefix {
		in, out := from[p*agent.states:][:agent.states], to[p*rows:][:rows]
		for r := range out {
			first, last := agent.rowStart[r], agent.rowStart[r+1]
			next, probability := agent.next[first:last], agent.probability[first:last]
			sum := 0.0
			for i, y := range next {
				sum += probability[i] * in[y]
			}
			out[r] = sum
		}
	}
}

// mix sets target to the weighted sum of the parts of from that begin at next*stride.
func mix(target, from []float64, stride int, next []int32, weight []float64) {
	n := len(target)
	first, w := from[int(next[0])*stride:][:n], weight[0]
	i := 1
	if len(next)%2 == 0 {
		second, u := from[int(next[1])*stride:][:n], weight[1]
		for j := range target {
			target[j] = w*first[j] + u*second[j]
		}
		i = 2
	} else {
		for j := range target {
			target[j] = w * first[j]
		}
	}
	for ; i < len(next); i += 2 {
		x, p := from[int(next[i])*stride:][:n], weight[i]
		y, q := from[int(next[i+1])*stride:][:n], weight[i+1]
		for j := range target {
			target[j] += p*x[j] + q*y[j]
		}
	}
}

func (k *jointKernel) backup(t *tables, from, to int) progress {
	p := noProgress
	for s0 := from / k.restStates; s0 < to/k.restStates; s0++ {
		k.maximise(t, s0)
		for s := s0 * k.restStates; s < (s0+1)*k.restStates; s++ {
			p = t.record(p, s, k.best[s], k.choice[s])
		}
	}
	return p
}

// maximise contracts agent 0 and finds the best joint action of every state in a slice.
func (k *jointKernel) maximise(t *tables, s0 int) {
	first := k.agents[0]
	rest := k.restStates * k.restActions
	from := k.expanded
	if len(k.agents) == 1 {
		from = t.v
	}
	base := s0 * k.restStates
	best, choice := k.best[base:base+k.restStates], k.choice[base:base+k.restStates]
	for s := range best {
		best[s] = math.Inf(-1)
	}
	mixture := k.mixture[s0]
	for a0 := range first.actions {
		next, probability := first.Transition(s0, a0)
		mix(mixture, from, rest, next, probability)
		for s := range best {
			expected := mixture[s*k.restActions : (s+1)*k.restActions]
			offset := a0 * k.restActions
			reward := t.rewards[(base+s)*k.actions+offset:][:len(expected)]
			top, at := best[s], choice[s]
			for a, e := range expected {
				if q := reward[a] + k.discount*e; q > top {
					top, at = q, int32(offset+a)
				}
			}
			best[s], choice[s] = top, at
		}
	}
}

func (k *jointKernel) adopt(t *tables, from, to int) {
	c := k.chain
	for s := from; s < to; s++ {
		action := t.policy[s]
		c.gain[s] = t.rewards[s*k.actions+int(action)]
		if c.action[s] != action {
			c.finishRow(s, action, k.writeRow(s, int(action)))
		}
	}
}

// writeRow writes the product of the agents' rows and returns its length.
func (k *jointKernel) writeRow(s, action int) (length int) {
	start, end := k.start[s], k.start[s+1]
	next, weight := k.next[start:end], k.weight[start:end]
	next[0], weight[0] = 0, k.discount
	length = 1
	stateStride, actionStride := k.states, k.actions
	for _, agent := range k.agents {
		stateStride /= agent.states
		actionStride /= agent.actions
		y, p := agent.Transition(s/stateStride%agent.states, action/actionStride%agent.actions)
		// Backwards, so that no entry is overwritten before it is read.
		for e := length - 1; e >= 0; e-- {
			n, w := next[e]*int32(agent.states), weight[e]
			for o := len(y) - 1; o >= 0; o-- {
				next[e*len(y)+o], weight[e*len(y)+o] = n+y[o], w*p[o]
			}
		}
		length *= len(y)
	}
	return length
}
