package mdp

import (
	"errors"
	"math"
	"math/bits"
	"runtime"
)

// Functional solves models with deterministic transitions. Under a policy such a model is a functional graph,
// in which each state leads to exactly one other, so one pass over the states gives the exact value: it closes
// the cycles with a geometric series and then follows the trees that lead to them backwards. Policy iteration
// with this evaluation (Howard 1960; Puterman 1994, Section 6.4) ends after a few improvements. A Functional
// has its own buffers: it allocates nothing per solve and serves one goroutine.
type Functional struct {
	states, actions int
	discount        float64
	successor       []int32 // state*actions+action -> next state

	policy  []int32   // action of every state
	graph             // under policy
	rewards []float64 // while they are solved for
	solved  bool      // policy is the result of an earlier solve
	margin  float64   // of that solve, see nearTie
	largest float64   // largest absolute reward of that solve
}

// NewFunctional prepares a solver for a deterministic model; it returns an error for other models.
func NewFunctional(m *Model, discount float64) (*Functional, error) {
	if err := CheckDiscount(discount); err != nil {
		return nil, err
	}
	if !m.Deterministic() {
		return nil, errors.New("mdp: the functional solver needs transitions with a single outcome; use a solver for " +
			"random transitions")
	}
	f := &Functional{states: m.states, actions: m.actions, discount: discount, successor: m.next,
		policy: make([]int32, m.states)}
	f.resize(m.states)
	return f, nil
}

// roundingSlack bounds rounding relative to V, the largest value, in units u of 2^-53: 32 u. A backup and its
// comparison lose at most 5 u V. The value that evaluate computes is within 9 u V/(1 - discount) of the
// policy's value: the sum around a cycle of length L loses 4 u V (1 - d)/(1 - discount), d = discount^L, and
// the division by 1 - d restores it to full size; d itself carries L roundings, and L d/(1 - d) is at most
// discount/(1 - discount); and each step of a tree adds 2 u V.
const roundingSlack = 16 * 0x1p-52

// Solve implements Solver: the bound is the tolerance or, if that is larger, the bound that rounding allows.
// The search starts from the policy that is greedy with respect to the guess (nil: all zeros); the guess
// affects only speed, unless two policies tie within the tolerance. Rewards must be finite and of length states
// x actions.
func (f *Functional) Solve(rewards, guess []float64, tolerance float64) Solution {
	mustFit(rewards, f.states, f.actions)
	if guess == nil {
		clear(f.value)
	} else {
		copy(f.value, guess)
	}
	f.rewards, f.solved = rewards, true
	f.improve(math.Inf(-1), false)
	return f.iterate(rewards, tolerance)
}

// SolveNear is Solve with a faster start: it chooses the first actions by the guess alone, where Solve uses the
// new values of earlier states for later ones, so that its states wait for each other. If two policies tie
// within the tolerance, the start may decide between them.
func (f *Functional) SolveNear(guess, rewards []float64, tolerance float64) Solution {
	mustFit(rewards, f.states, f.actions)
	f.rewards, f.solved = rewards, true
	f.pass(guess, math.Inf(-1), false)
	return f.iterate(rewards, tolerance)
}

// Resolve returns the same as Solve, but starts from the policy of the previous solve, which is faster when the
// rewards are similar. If another policy comes so close that the start could decide between them, it calls
// Solve; so the result never depends on earlier solves.
func (f *Functional) Resolve(rewards, guess []float64, tolerance float64) Solution {
	mustFit(rewards, f.states, f.actions)
	if !f.solved {
		return f.Solve(rewards, guess, tolerance)
	}
	for s, action := range f.policy {
		f.gain[s] = rewards[s*f.actions+int(action)]
	}
	solution := f.iterate(rewards, tolerance)
	// If no other action comes near, the value is optimal up to rounding, and every policy that takes another
	// action in some state loses more there than Solve allows.
	if !f.unique(rewards, f.margin) {
		return f.Solve(rewards, guess, tolerance)
	}
	return solution
}

// SolveAlong is Solve that starts from the policy of an optimum at another sigma, which is faster when the policy is
// nearly optimal; the slope of the optimum gives its values at sigma. If two policies tie within the tolerance, the
// start may decide between them.
func (f *Functional) SolveAlong(o *Optimum, sigma float64, rewards []float64, tolerance float64) Solution {
	mustFit(rewards, f.states, f.actions)
	f.adopt(o.Policy, rewards)
	for s, v := range o.Value {
		f.value[s] = v + (sigma-o.Sigma)*o.Slope[s]
	}
	f.rewards = rewards
	f.improve(marginsOf(f.discount, magnitude(f.value), tolerance).floor, false)
	return f.iterate(rewards, tolerance)
}

// adopt takes over a policy with its rewards.
func (f *Functional) adopt(policy []int32, rewards []float64) {
	for s, action := range policy {
		pair := s*f.actions + int(action)
		f.ordered = f.ordered && f.chosen[s] == f.successor[pair]
		f.policy[s], f.chosen[s], f.gain[s] = action, f.successor[pair], rewards[pair]
	}
	f.solved = true
}

// margins are the gain below which an action is kept, the rounding of a backup, and the certified largest error
// of the value that follows from both.
type margins struct{ floor, rounding, bound float64 }

// marginsOf returns the margins for values of at most the given size. Gains within rounding do not count as
// gains: without this floor a tie could alternate for ever.
func marginsOf(discount, largest, tolerance float64) margins {
	rounding := roundingSlack * largest
	return margins{
		floor:    max(tolerance*(1-discount)-rounding, rounding),
		rounding: rounding,
		// (floor + rounding)/(1 - discount), without its last roundings.
		bound: max(tolerance, 2*rounding/(1-discount)),
	}
}

// nearTie is the shortfall of an action that no solution within the bound can take: the bound plus the rounding
// of both values.
func (m margins) nearTie(discount float64) float64 { return m.bound + m.rounding/(1-discount) }

// iterate improves the current policy until it is certified.
func (f *Functional) iterate(rewards []float64, tolerance float64) Solution {
	f.rewards, f.largest = rewards, magnitude(rewards)
	m, sweeps := iterate(&f.graph, f, f.discount, f.largest, tolerance)
	f.rewards, f.margin = nil, m.nearTie(f.discount)
	return Solution{Policy: f.policy, Value: f.value, Sweeps: sweeps, Bound: m.bound}
}

// unique reports whether, in every state, only one action is within margin of the state's value.
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

// magnitude returns the largest absolute entry except -Inf, the reward of an action that a state does not have.
// The bit patterns of positive numbers are in the order of the numbers, and comparing them takes no branches.
func magnitude(table []float64) float64 {
	const sign, infinite = 1 << 63, 0x7ff << 52
	var a, b, c, d uint64 // four independent maxima, so that none waits for another
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

// improve implements improver. Values only rise, and later states of the pass use the new values, so the values
// stay below those of the policy that they come from.
func (f *Functional) improve(floor float64, reversed bool) (improved bool) {
	return f.pass(f.value, floor, reversed)
}

// pass is improve with known as the values of next states: f.value, or others.
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

// ValueFrom implements Solver: it follows the policy from the start until the path closes a cycle, which is
// exact up to rounding for any tolerance.
func (f *Functional) ValueFrom(start int, policy []int32, rewards []float64, _ float64) (value, bound float64) {
	mustFit(rewards, f.states, f.actions)
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

// Route is the path of a solve's policy from a start state.
type Route struct {
	Pairs []int32 // state*actions+action of every step, in order, until a state repeats
	// Gap is a lower bound on the advantage of the route's actions over all others in their states, by the
	// solve's value. Every solve of the same rewards, from any guess, takes the same route if Gap exceeds Margin.
	Gap, Margin float64
}

// Route appends the route of the last solve, which must have had these rewards, to pairs.
func (f *Functional) Route(start int, rewards []float64, pairs []int32) Route {
	mustFit(rewards, f.states, f.actions)
	route := Route{Pairs: pairs, Gap: math.Inf(1), Margin: f.margin}
	clear(f.mark)
	for at := int32(start); f.mark[at] == 0; at = f.chosen[at] {
		f.mark[at] = 1
		first := int(at) * f.actions
		chosen := first + int(f.policy[at])
		route.Pairs = append(route.Pairs, int32(chosen))
		for pair := first; pair < first+f.actions; pair++ {
			if pair != chosen {
				route.Gap = min(route.Gap, f.value[at]-rewards[pair]-f.discount*f.value[f.successor[pair]])
			}
		}
	}
	return route
}

// passFive is pass for five actions, as in PaperMoves. The best action follows no pattern, and a mispredicted
// branch takes longer than the rest of the work for a state: the largest value is found without branches, and
// its action only if it gains.
func (f *Functional) passFive(known []float64, floor float64, reversed bool) (improved bool) {
	discount, value, rewards, successor := f.discount, f.value, f.rewards, f.successor
	s, step := 0, 1
	if reversed {
		s, step = len(value)-1, -1
	}
	for range len(value) {
		// Slices with a constant capacity need no bounds checks.
		reward, next := (*[5]float64)(rewards[5*s:5*s+5:5*s+5]), (*[5]int32)(successor[5*s:5*s+5:5*s+5])
		a, b, c := reward[0]+discount*known[next[0]], reward[1]+discount*known[next[1]], reward[2]+discount*known[next[2]]
		d, e := reward[3]+discount*known[next[3]], reward[4]+discount*known[next[4]]
		if least := value[s] + floor; a > least || b > least || c > least || d > least || e > least {
			worth := largest(a, b, c, d, e)
			choice := bits.TrailingZeros(one(a == worth) | one(b == worth)<<1 | one(c == worth)<<2 | one(d == worth)<<3 | 1<<4)
			f.policy[s], f.chosen[s], f.gain[s], value[s] = int32(choice), next[choice], reward[choice], worth
			improved = true
		}
		s += step
	}
	f.ordered = f.ordered && !improved
	return improved
}

// largest returns the largest of five numbers. In WebAssembly Go calls a function for each max, so it uses
// branches there.
func largest(a, b, c, d, e float64) float64 {
	if runtime.GOARCH != "wasm" {
		return max(max(a, b), max(c, d), e)
	}
	if b > a {
		a = b
	}
	if c > a {
		a = c
	}
	if d > a {
		a = d
	}
	if e > a {
		a = e
	}
	return a
}

// one returns 1 for true and 0 for false.
func one(b bool) uint {
	if b {
		return 1
	}
	return 0
}
