package mdp

import (
	"errors"
	"fmt"
	"math"
)

// Functional solves models whose every transition is certain. Under a policy such a model is a
// functional graph, each state leading to exactly one other, so the policy's value is exact in one pass
// over the states: close the cycles with a geometric series, then walk the trees that hang off them
// backwards. Policy iteration with that evaluation (Howard 1960; Puterman 1994, Section 6.4) ends after
// a handful of improvements. A Functional owns its buffers: it allocates nothing per solve and serves
// one goroutine.
type Functional struct {
	states, actions int
	discount        float64
	successor       []int32 // state*actions+action -> next state

	policy []int32   // action of every state
	value  []float64 // exact value of policy
	chosen []int32   // successor under policy
	gain   []float64 // reward under policy
	mark   []int32   // walk in which a state was reached; 0 when not yet
	path   []int32   // states of the current walk
	solved bool      // policy is that of an earlier solve
	margin float64   // of that solve, see nearTie
}

// NewFunctional prepares a solver for a deterministic model; the error says when the model is not.
func NewFunctional(m *Model, discount float64) (*Functional, error) {
	if err := CheckDiscount(discount); err != nil {
		return nil, err
	}
	if !m.Deterministic() {
		return nil, errors.New("mdp: the functional solver needs transitions with a single outcome; use a solver for uncertain transitions")
	}
	n := m.states
	return &Functional{
		states: n, actions: m.actions, discount: discount, successor: m.next,
		policy: make([]int32, n), value: make([]float64, n), chosen: make([]int32, n),
		gain: make([]float64, n), mark: make([]int32, n), path: make([]int32, 0, n),
	}, nil
}

// roundingSlack bounds rounding relative to V, the largest value, in a unit u of 2^-53: 32 u. A backup and
// its comparison lose at most 5 u V. The value that evaluate computes is within 9 u V/(1 - discount) of the
// policy's: the sum round a cycle of length L loses 4 u V (1 - d)/(1 - discount) for d = discount^L, which
// its division by 1 - d restores to full size; d itself carries L roundings, and L d/(1 - d) is at most
// discount/(1 - discount); and what hangs off the cycle adds 2 u V a step.
const roundingSlack = 16 * 0x1p-52

// Solve implements Solver: the bound is the tolerance, or what rounding allows where that is more. The search starts from the policy that is greedy with respect to
// the guess (nil: all zeros); the guess affects speed alone, unless two policies tie within the
// tolerance. Rewards must be finite and of length states x actions.
func (f *Functional) Solve(rewards, guess []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	if guess == nil {
		clear(f.value)
	} else {
		copy(f.value, guess)
	}
	for s := range f.policy {
		f.adoptBest(s, rewards)
	}
	f.solved = true
	return f.iterate(rewards, tolerance)
}

// Resolve returns what Solve does, but starts from the policy of the previous solve, which is faster
// when the rewards are akin. Where some other policy comes so close that the start could decide between
// them, it solves afresh; so the answer never depends on what was solved before.
func (f *Functional) Resolve(rewards, guess []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	if !f.solved {
		return f.Solve(rewards, guess, tolerance)
	}
	for s, action := range f.policy {
		f.gain[s] = rewards[s*f.actions+int(action)]
	}
	solution := f.iterate(rewards, tolerance)
	// Where no other action comes near, the value is the optimal one but for rounding, and a policy that
	// takes another action in some state is worth less than the optimum there by more than Solve allows.
	if !f.unique(rewards, f.margin) {
		return f.Solve(rewards, guess, tolerance)
	}
	return solution
}

// SolveFrom returns what Solve does, but starts from a policy, which is faster when that is nearly optimal.
// Where two policies tie within the tolerance, the start may decide between them.
func (f *Functional) SolveFrom(policy []int32, rewards []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	for s, action := range policy {
		pair := s*f.actions + int(action)
		f.policy[s], f.chosen[s], f.gain[s] = action, f.successor[pair], rewards[pair]
	}
	f.solved = true
	return f.iterate(rewards, tolerance)
}

// margins are the gain below which an action is not changed, the rounding of a backup, and the certified
// largest error of the value that follow from both.
type margins struct{ floor, rounding, bound float64 }

// margins returns those for values of at most the given size. Gains within rounding are not gains: without
// this floor a tie could alternate for ever.
func (f *Functional) margins(largest, tolerance float64) margins {
	rounding := roundingSlack * largest
	return margins{
		floor:    max(tolerance*(1-f.discount)-rounding, rounding),
		rounding: rounding,
		// (floor + rounding)/(1 - discount), without its last roundings.
		bound: max(tolerance, 2*rounding/(1-f.discount)),
	}
}

// nearTie is how much less than the best an action is worth in a state, at least, if no solution within the
// bound takes it: the bound, and the rounding of both values.
func (m margins) nearTie(discount float64) float64 { return m.bound + m.rounding/(1-discount) }

// iterate improves the policy held until no action gains more than the floor. The floor follows from the
// largest value there can be, and, where that leaves the tolerance out of reach, from the largest there is.
func (f *Functional) iterate(rewards []float64, tolerance float64) Solution {
	m := f.margins(magnitude(rewards)/(1-f.discount), tolerance)
	for sweeps := 1; ; sweeps++ {
		f.evaluate()
		if f.improve(rewards, m.floor, sweeps%2 == 1) {
			continue
		}
		if m.bound > tolerance {
			if own := f.margins(magnitude(f.value), tolerance); own.bound < m.bound {
				m = own
				continue
			}
		}
		f.margin = m.nearTie(f.discount)
		return Solution{Policy: f.policy, Value: f.value, Sweeps: sweeps, Residual: m.floor, Bound: m.bound}
	}
}

// unique reports whether every state has one action alone within margin of its value.
func (f *Functional) unique(rewards []float64, margin float64) bool {
	near := 0
	for s, v := range f.value {
		least := v - margin
		next := f.successor[s*f.actions : s*f.actions+f.actions]
		for a, r := range rewards[s*f.actions : s*f.actions+f.actions] {
			if r+f.discount*f.value[next[a]] >= least {
				near++
			}
		}
	}
	return near == f.states
}

// magnitude returns the largest absolute entry but -Inf, the reward of an action that a state does not have.
func magnitude(table []float64) float64 {
	low, high := 0.0, 0.0
	for _, x := range table {
		if x > high {
			high = x
		} else if x < low && x >= -math.MaxFloat64 {
			low = x
		}
	}
	return max(high, -low)
}

func (f *Functional) mustFit(rewards []float64) {
	if len(rewards) != f.states*f.actions {
		panic(fmt.Sprintf("mdp: %d rewards for %d states x %d actions", len(rewards), f.states, f.actions))
	}
}

// improve makes one pass over the states, downwards when reversed, that moves each to its best action
// where one gains more than floor, and reports whether any did.
func (f *Functional) improve(rewards []float64, floor float64, reversed bool) (improved bool) {
	n, actions, discount, value := f.states, f.actions, f.discount, f.value
	for i := range n {
		s := i
		if reversed {
			s = n - 1 - i
		}
		// One comparison an action that almost never holds is cheaper than their maximum.
		enough := value[s] + floor
		row := rewards[s*actions : s*actions+actions]
		next := f.successor[s*actions : s*actions+actions]
		for a, r := range row {
			if r+discount*value[next[a]] > enough {
				f.adoptBest(s, rewards)
				improved = true
				break
			}
		}
	}
	return improved
}

// adoptBest gives a state its best action and that action's value at once, so that later states of the
// pass already improve on it. Values only rise, so they stay below those of the policy they come from.
func (f *Functional) adoptBest(s int, rewards []float64) {
	row := rewards[s*f.actions : s*f.actions+f.actions]
	next := f.successor[s*f.actions : s*f.actions+f.actions]
	best, choice := math.Inf(-1), 0
	for a, r := range row {
		// Two conditional moves instead of a branch that private rewards make a coin toss.
		q := r + f.discount*f.value[next[a]]
		if q > best {
			choice = a
		}
		best = max(best, q)
	}
	f.policy[s], f.chosen[s], f.gain[s] = int32(choice), next[choice], row[choice]
	f.value[s] = best
}

// evaluate computes the exact value of the policy from chosen and gain.
func (f *Functional) evaluate() {
	clear(f.mark)
	for s := range f.mark {
		if f.mark[s] != 0 {
			continue
		}
		walk := int32(s + 1)
		path := f.path[:0]
		at := int32(s)
		for f.mark[at] == 0 {
			f.mark[at] = walk
			path = append(path, at)
			at = f.chosen[at]
		}
		if f.mark[at] == walk {
			f.value[at] = f.closeCycle(path, at)
		}
		v := f.value[at]
		for i := len(path) - 1; i >= 0; i-- {
			v = f.gain[path[i]] + f.discount*v
			f.value[path[i]] = v
		}
	}
}

// closeCycle returns the value of the state at which a walk met itself: the discounted sum of one turn
// over 1 - discount^length.
func (f *Functional) closeCycle(path []int32, entry int32) float64 {
	sum, weight := 0.0, 1.0
	for i := len(path) - 1; i >= 0; i-- {
		sum = f.gain[path[i]] + f.discount*sum
		weight *= f.discount
		if path[i] == entry {
			break
		}
	}
	return sum / (1 - weight)
}

// ValueFrom implements Solver: it follows the policy from the start until that closes a cycle, which is
// exact but for rounding whatever the tolerance.
func (f *Functional) ValueFrom(start int, policy []int32, rewards []float64, _ float64) (value, bound float64) {
	f.mustFit(rewards)
	clear(f.mark)
	path := f.path[:0]
	at := int32(start)
	largest := 0.0
	for f.mark[at] == 0 {
		f.mark[at] = 1
		path = append(path, at)
		pair := int(at)*f.actions + int(policy[at])
		f.gain[at] = rewards[pair]
		largest = max(largest, math.Abs(rewards[pair]))
		at = f.successor[pair]
	}
	v := f.closeCycle(path, at)
	for i := len(path) - 1; i >= 0; i-- {
		v = f.gain[path[i]] + f.discount*v
	}
	horizon := 1 / (1 - f.discount)
	return v, roundingSlack * largest * horizon * horizon
}
