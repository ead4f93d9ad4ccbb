package mdp

import (
	"math"
	"slices"
)

// Optimum is an optimal policy at one sigma, for rewards base + sigma slope.
type Optimum struct {
	Sigma  float64
	Policy []int32   // action of every state
	Value  []float64 // value of the policy at Sigma, which is the optimal value
	Slope  []float64 // derivative of the policy's value by sigma: its value under slope

	largest float64 // largest absolute reward at Sigma
}

// Keep stores the result of f's last solve, which was at sigma. It reuses its storage.
func (o *Optimum) Keep(f *Functional, sigma float64, slopes []float64) {
	o.Sigma, o.largest = sigma, f.largest
	o.Policy = append(o.Policy[:0], f.policy...)
	o.Value = append(o.Value[:0], f.value...)
	for s, action := range f.policy {
		f.gain[s] = slopes[s*f.actions+int(action)]
	}
	f.revalue(f.discount)
	o.Slope = append(o.Slope[:0], f.value...)
	copy(f.value, o.Value)
}

// Reduced is the part of a deterministic problem that matters from a start state between two sigmas, for
// rewards base + sigma slope: the reachable states and their actions, without actions that are optimal at no
// sigma in between (MacQueen 1967). In every state the optimal value is convex in sigma: it lies below the
// chord of its values at both ends and above the lines of the policies that are optimal at the ends. An action
// whose value, computed with the chord, falls short of one of these lines at both ends falls short of it in
// between. Closer ends leave fewer actions; if one policy is optimal at both ends, only that policy is left.
//
// A Reduced has its own buffers and serves one goroutine.
type Reduced struct {
	discount  float64
	tolerance float64
	largest   float64 // bounds the rewards of the whole problem between the ends

	// The states, renumbered, and their arcs: state s has the arcs first[s] to first[s+1].
	first       []int32
	pair        []int32 // state*actions+action in the whole problem
	next        []int32
	base, slope []float64
	start       int32

	low, high, mid end // mid is the last solve
	graph              // under its policy
	choice         []int32
	reward         []float64 // by arc
	margin         float64   // see nearTie

	// Buffers of reduce: the new numbers of the states, and the reached states in order.
	number  []int32
	reached []int32
}

// end is a policy that is optimal at an end of the interval.
type end struct {
	sigma        float64
	value, slope []float64
	choice       []int32 // arcs
}

// NewReduced returns the unreduced problem of f.
func (f *Functional) NewReduced(start int, tolerance float64) *Reduced {
	r := &Reduced{discount: f.discount, tolerance: tolerance, next: f.successor, start: int32(start)}
	for s := range f.states + 1 {
		r.first = append(r.first, int32(s*f.actions))
	}
	for pair := range f.successor {
		r.pair = append(r.pair, int32(pair))
	}
	return r
}

// Between sets the ends of an unreduced problem: optima at two sigmas, the lower first. It keeps the slices and
// does not change their entries.
func (r *Reduced) Between(base, slope []float64, low, high *Optimum) {
	r.base, r.slope, r.largest = base, slope, max(low.largest, high.largest)
	r.low.set(low, r.first)
	r.high.set(high, r.first)
}

// set sets an end to an optimum; state s has the arcs from first[s] on.
func (e *end) set(o *Optimum, first []int32) {
	e.sigma, e.value, e.slope, e.choice = o.Sigma, o.Value, o.Slope, e.choice[:0]
	for s, action := range o.Policy {
		e.choice = append(e.choice, first[s]+action)
	}
}

// Rest reduces r to its interval and stores the result in to.
func (r *Reduced) Rest(to *Reduced) { r.reduce(to, &r.low, &r.high) }

// Left reduces r to the interval below its last solve and stores the result in to.
func (r *Reduced) Left(to *Reduced) { r.reduce(to, &r.low, r.solved()) }

// Right reduces r to the interval above its last solve and stores the result in to.
func (r *Reduced) Right(to *Reduced) { r.reduce(to, r.solved(), &r.high) }

// solved returns the policy of the last solve, with its slopes.
func (r *Reduced) solved() *end {
	if m := &r.mid; len(m.slope) == 0 {
		for s, arc := range m.choice {
			r.gain[s] = r.slope[arc]
		}
		r.revalue(r.discount)
		m.slope = append(m.slope, r.value...)
	}
	return &r.mid
}

// eliminated is the shortfall of an eliminated action in units of nearTie, the loss that a solve allows. It
// leaves room for the errors of the values that are compared and of the lines through them.
const eliminated = 8

// reduce stores in to the problem between two optima: the remaining arcs of the states that they reach from the
// start, numbered in the order in which they are reached.
func (r *Reduced) reduce(to *Reduced, low, high *end) {
	number := slices.Grow(r.number[:0], len(r.first)-1)[:len(r.first)-1]
	for s := range number {
		number[s] = -1
	}
	to.discount, to.tolerance, to.largest, to.start = r.discount, r.tolerance, r.largest, 0
	to.first = append(to.first[:0], 0)
	to.pair, to.next, to.base, to.slope = to.pair[:0], to.next[:0], to.base[:0], to.slope[:0]
	to.low.reset(low.sigma)
	to.high.reset(high.sigma)
	slack := eliminated * marginsOf(r.discount, r.largest/(1-r.discount), r.tolerance).nearTie(r.discount)
	discount, valueLow, valueHigh, width := r.discount, low.value, high.value, high.sigma-low.sigma
	number[r.start] = 0
	reached := append(r.reached[:0], r.start)
	for i := 0; i < len(reached); i++ {
		s := reached[i]
		// The values below which an action is eliminated: the lines of the two end policies, at both ends.
		oneLow, oneHigh := valueLow[s]-slack, valueLow[s]+width*low.slope[s]-slack
		otherLow, otherHigh := valueHigh[s]-width*high.slope[s]-slack, valueHigh[s]-slack
		chosenLow, chosenHigh := low.choice[s], high.choice[s]
		first := r.first[s]
		next := r.next[first:r.first[s+1]]
		base, slope := r.base[first:][:len(next)], r.slope[first:][:len(next)]
		for k, state := range next {
			atLow := base[k] + low.sigma*slope[k] + discount*valueLow[state]
			atHigh := base[k] + high.sigma*slope[k] + discount*valueHigh[state]
			arc := first + int32(k)
			if !((atLow >= oneLow || atHigh >= oneHigh) && (atLow >= otherLow || atHigh >= otherHigh) || arc == chosenLow ||
				arc == chosenHigh) {
				continue
			}
			if number[state] < 0 {
				number[state] = int32(len(reached))
				reached = append(reached, state)
			}
			added := int32(len(to.next))
			if arc == chosenLow {
				to.low.add(low, s, added)
			}
			if arc == chosenHigh {
				to.high.add(high, s, added)
			}
			to.pair, to.next = append(to.pair, r.pair[arc]), append(to.next, number[state])
			to.base, to.slope = append(to.base, base[k]), append(to.slope, slope[k])
		}
		to.first = append(to.first, int32(len(to.next)))
	}
	r.number, r.reached = number, reached
}

// reset empties an end and sets its sigma.
func (e *end) reset(sigma float64) {
	e.sigma, e.value, e.slope, e.choice = sigma, e.value[:0], e.slope[:0], e.choice[:0]
}

// add appends state s of another end; arc is the new number of its arc.
func (e *end) add(from *end, s, arc int32) {
	e.value, e.slope, e.choice = append(e.value, from.value[s]), append(e.slope, from.slope[s]), append(e.choice, arc)
}

// Solve solves the reduced problem at a sigma between the ends. The search starts from the values of both end
// policies at that sigma.
func (r *Reduced) Solve(sigma float64) {
	n := len(r.first) - 1
	r.graph.resize(n)
	r.choice = slices.Grow(r.choice[:0], n)[:n]
	r.reward = r.reward[:0]
	for i, b := range r.base {
		r.reward = append(r.reward, b+float64(sigma*r.slope[i])) // rounded as in a mechanism
	}
	for s := range r.value {
		low, high := r.low.value[s]+r.low.slope[s]*(sigma-r.low.sigma), r.high.value[s]+r.high.slope[s]*(sigma-r.high.sigma)
		r.value[s] = max(low, high)
	}
	r.improve(math.Inf(-1), false)
	solved, _ := iterate(&r.graph, r, r.discount, r.largest, r.tolerance)
	r.margin = solved.nearTie(r.discount)
	r.mid.reset(sigma)
	r.mid.value, r.mid.choice = append(r.mid.value, r.value...), append(r.mid.choice, r.choice...)
}

// improve implements improver like Functional.
func (r *Reduced) improve(floor float64, reversed bool) (improved bool) {
	discount, value, reward, next := r.discount, r.value, r.reward, r.next
	for i := range value {
		s := i
		if reversed {
			s = len(value) - 1 - i
		}
		best, choice := value[s]+floor, int32(-1)
		for arc := r.first[s]; arc < r.first[s+1]; arc++ {
			if q := reward[arc] + discount*value[next[arc]]; q > best {
				best, choice = q, arc
			}
		}
		if choice >= 0 {
			r.choice[s], r.chosen[s], r.gain[s] = choice, next[choice], reward[choice]
			value[s] = best
			improved = true
		}
	}
	r.ordered = r.ordered && !improved
	return improved
}

// Route returns the route of the last solve. Its gap compares with the remaining actions; the eliminated ones
// fall short by more than the margin between both ends.
func (r *Reduced) Route(pairs []int32) Route {
	route := Route{Pairs: pairs, Gap: math.Inf(1), Margin: r.margin}
	clear(r.mark)
	value := r.mid.value
	for at := r.start; r.mark[at] == 0; at = r.chosen[at] {
		r.mark[at] = 1
		route.Pairs = append(route.Pairs, r.pair[r.mid.choice[at]])
		for arc := r.first[at]; arc < r.first[at+1]; arc++ {
			if arc != r.mid.choice[at] {
				route.Gap = min(route.Gap, value[at]-r.reward[arc]-r.discount*value[r.next[arc]])
			}
		}
	}
	return route
}

// Shortfalls returns the largest amounts, at least 0, by which the values of the routes of the two end policies
// fall short of the last solve's values in one of their states.
func (r *Reduced) Shortfalls() (low, high float64) { return r.shortfall(&r.low), r.shortfall(&r.high) }

func (r *Reduced) shortfall(e *end) float64 {
	clear(r.mark)
	path := r.path[:0]
	at := r.start
	for r.mark[at] == 0 {
		r.mark[at] = 1
		path = append(path, at)
		r.gain[at] = r.reward[e.choice[at]]
		at = r.next[e.choice[at]]
	}
	return r.graph.shortfall(r.discount, path, at, r.mid.value)
}
