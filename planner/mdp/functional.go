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

	policy  []int32   // action of every state
	graph             // under policy
	rewards []float64 // while they are solved for
	solved  bool      // policy is that of an earlier solve
	margin  float64   // of that solve, see nearTie
	largest float64   // of its rewards, by magnitude
}

// NewFunctional prepares a solver for a deterministic model; the error says when the model is not.
func NewFunctional(m *Model, discount float64) (*Functional, error) {
	if err := CheckDiscount(discount); err != nil {
		return nil, err
	}
	if !m.Deterministic() {
		return nil, errors.New("mdp: the functional solver needs transitions with a single outcome; use a solver for " +
			"uncertain transitions")
	}
	n := m.states
	return &Functional{
		states: n, actions: m.actions, discount: discount, successor: m.next,
		policy: make([]int32, n), graph: newGraph(n),
	}, nil
}

// roundingSlack bounds rounding relative to V, the largest value, in a unit u of 2^-53: 32 u. A backup and
// its comparison lose at most 5 u V. The value that evaluate computes is within 9 u V/(1 - discount) of the
// policy's: the sum round a cycle of length L loses 4 u V (1 - d)/(1 - discount) for d = discount^L, which
// its division by 1 - d restores to full size; d itself carries L roundings, and L d/(1 - d) is at most
// discount/(1 - discount); and what hangs off the cycle adds 2 u V a step.
const roundingSlack = 16 * 0x1p-52

// Solve implements Solver: the bound is the tolerance, or what rounding allows where that is more. The search starts
// from the policy that is greedy with respect to the guess (nil: all zeros); the guess affects speed alone, unless two
// policies tie within the tolerance. Rewards must be finite and of length states x actions.
func (f *Functional) Solve(rewards, guess []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	if guess == nil {
		clear(f.value)
	} else {
		copy(f.value, guess)
	}
	f.rewards, f.solved = rewards, true
	f.improve(math.Inf(-1), false)
	return f.iterate(rewards, tolerance)
}

// SolveNear is Solve that starts from the best actions by the guess as it is, where Solve has later states go by what
// earlier ones come to: they do not wait for each other, which takes less time. Where two policies tie within the
// tolerance, the start may decide between them.
func (f *Functional) SolveNear(guess, rewards []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	f.rewards, f.solved = rewards, true
	f.pass(guess, math.Inf(-1), false)
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
	// Where no other action comes near, the value is the optimal one except for rounding, and a policy that
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
	f.adopt(policy, rewards)
	return f.iterate(rewards, tolerance)
}

// SolveAlong is SolveFrom for the policy of an optimum at another sigma, whose values there follow from its slope.
func (f *Functional) SolveAlong(o *Optimum, sigma float64, rewards []float64, tolerance float64) Solution {
	f.mustFit(rewards)
	f.adopt(o.Policy, rewards)
	for s, v := range o.Value {
		f.value[s] = v + (sigma-o.Sigma)*o.Slope[s]
	}
	f.rewards = rewards
	f.improve(marginsOf(f.discount, magnitude(f.value), tolerance).floor, false)
	return f.iterate(rewards, tolerance)
}

// adopt takes a policy over, which earns these rewards.
func (f *Functional) adopt(policy []int32, rewards []float64) {
	for s, action := range policy {
		pair := s*f.actions + int(action)
		f.ordered = f.ordered && f.chosen[s] == f.successor[pair]
		f.policy[s], f.chosen[s], f.gain[s] = action, f.successor[pair], rewards[pair]
	}
	f.solved = true
}

// margins are the gain below which an action is not changed, the rounding of a backup, and the certified
// largest error of the value that follow from both.
type margins struct{ floor, rounding, bound float64 }

// marginsOf returns those for values of at most the given size. Gains within rounding are not gains: without
// this floor a tie could alternate for ever.
func marginsOf(discount, largest, tolerance float64) margins {
	rounding := roundingSlack * largest
	return margins{
		floor:    max(tolerance*(1-discount)-rounding, rounding),
		rounding: rounding,
		// (floor + rounding)/(1 - discount), without its last roundings.
		bound: max(tolerance, 2*rounding/(1-discount)),
	}
}

// nearTie is how much less than the best an action is worth in a state, at least, if no solution within the
// bound takes it: the bound, and the rounding of both values.
func (m margins) nearTie(discount float64) float64 { return m.bound + m.rounding/(1-discount) }

// iterate improves the policy held until it is certified.
func (f *Functional) iterate(rewards []float64, tolerance float64) Solution {
	f.rewards, f.largest = rewards, magnitude(rewards)
	m, sweeps := iterate(&f.graph, f, f.discount, f.largest, tolerance)
	f.rewards, f.margin = nil, m.nearTie(f.discount)
	return Solution{Policy: f.policy, Value: f.value, Sweeps: sweeps, Bound: m.bound}
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

// magnitude returns the largest absolute entry but -Inf, the reward of an action that a state does not have. The bits
// of numbers above 0 are in the order of the numbers, and take no branches to compare.
func magnitude(table []float64) float64 {
	const sign, infinite = 1 << 63, 0x7ff << 52
	var a, b, c, d uint64 // each waits for itself alone
	rest := table
	for ; len(rest) >= 4; rest = rest[4:] {
		a, b = max(a, math.Float64bits(rest[0])&^sign), max(b, math.Float64bits(rest[1])&^sign)
		c, d = max(c, math.Float64bits(rest[2])&^sign), max(d, math.Float64bits(rest[3])&^sign)
	}
	for _, x := range rest {
		a = max(a, math.Float64bits(x)&^sign)
	}
	if largest := max(a, b, c, d); largest < infinite {
		return math.Float64frombits(largest)
	}
	finite := 0.0
	for _, x := range table {
		if size := math.Abs(x); size > finite && x >= -math.MaxFloat64 {
			finite = size
		}
	}
	return finite
}

func (f *Functional) mustFit(rewards []float64) {
	if len(rewards) != f.states*f.actions {
		panic(fmt.Sprintf("mdp: %d rewards for %d states x %d actions", len(rewards), f.states, f.actions))
	}
}

// improve implements improver. Values only rise, and later states of the pass already improve on them, so they stay
// below those of the policy they come from.
func (f *Functional) improve(floor float64, reversed bool) (improved bool) {
	return f.pass(f.value, floor, reversed)
}

// pass is improve by what the states are known to be worth, which are the values themselves, or others.
func (f *Functional) pass(known []float64, floor float64, reversed bool) (improved bool) {
	if f.actions == 5 {
		return f.passFive(known, floor, reversed)
	}
	n, actions, discount := f.states, f.actions, f.discount
	value, rewards, successor := f.value[:n], f.rewards, f.successor
	for i := range n {
		s := i
		if reversed {
			s = n - 1 - i
		}
		best, choice := value[s]+floor, -1
		next := successor[s*actions : s*actions+actions]
		for a, r := range rewards[s*actions : s*actions+actions] {
			if q := r + discount*known[next[a]]; q > best {
				best, choice = q, a
			}
		}
		if choice >= 0 {
			f.policy[s], f.chosen[s], f.gain[s] = int32(choice), next[choice], rewards[s*actions+choice]
			value[s] = best
			improved = true
		}
	}
	f.ordered = f.ordered && !improved
	return improved
}

// ValueFrom implements Solver: it follows the policy from the start until that closes a cycle, which is
// exact except for rounding whatever the tolerance.
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
	v := f.closeCycle(f.discount, path, at)
	for i := len(path) - 1; i >= 0; i-- {
		v = f.gain[path[i]] + f.discount*v
	}
	horizon := 1 / (1 - f.discount)
	return v, roundingSlack * largest * horizon * horizon
}
