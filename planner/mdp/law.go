package mdp

import (
	"fmt"
	"math"
	"slices"
)

// Law is a transition law T(s, a, s') of a finite Markov decision process. There are three laws, and every
// solver accepts them: Model (sparse rows of any shape), SlipModel (a successor per action and a slip
// probability) and Joint (agents that move independently). Laws are immutable and safe for concurrent use.
type Law interface {
	// States returns the number of states.
	States() int
	// Actions returns the number of actions, the same in every state.
	Actions() int
	// AppendOutcomes appends the possible next states of an action, each with its probability.
	AppendOutcomes(to []Outcome, state, action int) []Outcome

	// kernel returns the sweeps of the law at a discount. The method is unexported, so a new law needs a kernel
	// in this package.
	kernel(discount float64) kernel
}

// tables are the inputs and outputs of a solver's sweeps.
type tables struct {
	rewards []float64 // states x actions, state-major
	v       []float64 // the value to back up
	out     []float64 // the value after the backup
	policy  []int32   // action of every state
}

// progress summarises a sweep.
type progress struct {
	lowest, highest float64 // extremes of out - v
	changes         int     // states whose action changed
}

// noProgress is the identity of merge.
var noProgress = progress{lowest: math.Inf(1), highest: math.Inf(-1)}

func (p progress) merge(q progress) progress {
	return progress{min(p.lowest, q.lowest), max(p.highest, q.highest), p.changes + q.changes}
}

// extend adds the change of one state. Comparisons are faster than min and max, which handle NaN.
func (p progress) extend(change float64) progress {
	if change < p.lowest {
		p.lowest = change
	}
	if change > p.highest {
		p.highest = change
	}
	return p
}

func (p progress) span() float64 { return p.highest - p.lowest }

// kernel computes the sweeps of a transition law. Every method works on the states [from, to). Methods may run
// on disjoint ranges at once, except those that write v in place.
type kernel interface {
	// blocks returns the distribution of the states over the cores.
	blocks() *schedule
	// prepare preprocesses v over the range; every backup follows a prepare of all states.
	prepare(t *tables, from, to int)
	// backup writes the Bellman backup of v to out and the lowest maximising action to policy.
	backup(t *tables, from, to int) progress

	// adopt fixes the policy for relax, apply and coefficients.
	adopt(t *tables, from, to int)
	// relax backs v up in place under the adopted policy: each state uses its predecessors' new values. It makes
	// at once the change that a state's probability of staying would add in later sweeps: v += (q - v)/(1 -
	// discount*T(s, a, s)) (Puterman 1994, Sections 6.3.3 and 6.3.4).
	relax(v []float64, from, to int, backward bool)
	// apply writes reward + discount*expectation under the adopted policy to out.
	apply(v, out []float64, from, to int) progress
	// coefficients subtracts the adopted row of discounted probabilities from row, whose first entry belongs to
	// state first.
	coefficients(state int, row []float64, first int)
	// bandwidth is the largest distance |s' - s| of a transition.
	bandwidth() int
	// outcomes is the largest number of outcomes of a state and action.
	outcomes() int

	// rounding bounds the error of one backup, or of one backup under the adopted policy, in units of 2^-53 times
	// the largest magnitude in v and out.
	rounding(adopted bool) float64
	// defect bounds the difference between 1 and the sum of a row of probabilities, as stored.
	defect() float64
}

// CheckRewards returns an error unless rewards is a table of states x actions finite entries, or -Inf where a
// state does not have the action. Every state must have an action.
func CheckRewards(law Law, rewards []float64) error {
	states, actions := law.States(), law.Actions()
	if len(rewards) != states*actions {
		return fmt.Errorf("mdp: %d rewards for %d states x %d actions", len(rewards), states, actions)
	}
	for i, r := range rewards {
		if math.IsNaN(r) || math.IsInf(r, 1) {
			return fmt.Errorf("mdp: reward of state %d, action %d is %v, want a finite number", i/actions, i%actions, r)
		}
	}
	for s := range states {
		if !slices.ContainsFunc(rewards[s*actions:(s+1)*actions], func(r float64) bool { return !math.IsInf(r, -1) }) {
			return fmt.Errorf("mdp: state %d has no action: all of its rewards are -Inf", s)
		}
	}
	return nil
}

// checkShape returns an error unless a table of states x actions can be indexed with 31-bit states.
func checkShape(states, actions int) error {
	if states < 1 || actions < 1 {
		return fmt.Errorf("mdp: a model needs at least one state and one action, got %d and %d", states, actions)
	}
	if states > math.MaxInt32 {
		return fmt.Errorf("mdp: %d states exceed the limit of %d", states, math.MaxInt32)
	}
	if actions > math.MaxInt/states {
		return fmt.Errorf("mdp: a table of %d states x %d actions exceeds the integer range", states, actions)
	}
	return nil
}
