package mdp

import (
	"fmt"
	"math"
)

// Solver finds optimal policies of one transition law and one discount under any number of reward tables. A
// solver has its own buffers, allocates nothing per solve and serves one goroutine.
type Solver interface {
	// Solve returns a policy and a value certified to be within Solution.Bound of the optimum in every state. It
	// works until the bound is at most tolerance or rounding allows no smaller one (Solution.Within distinguishes
	// these). guess is a value to start from, or nil; a good guess saves time. Rewards are states x actions
	// numbers, state-major, -Inf where a state lacks the action; see CheckRewards.
	Solve(rewards, guess []float64, tolerance float64) Solution
	// ValueFrom returns the value of a policy at a start state under a reward table and a certified bound of its
	// error, at most tolerance or the bound that rounding allows (tolerance 0 requests it).
	ValueFrom(start int, policy []int32, rewards []float64, tolerance float64) (value, bound float64)
}

// Solution is a policy with its value and certificate. Its slices alias the solver's buffers and hold until the
// solver's next call.
//
// In every state, both the optimal value v* and the value of Policy lie within Bound of Value: this is the
// certificate ||v - v*|| <= Bound, in the supremum norm and including rounding (Puterman 1994, Theorem 6.6.12).
// So the value of Policy is within twice the bound of the optimum.
type Solution struct {
	Policy []int32   // action of every state
	Value  []float64 // value of every state
	Sweeps int       // passes over the states
	Bound  float64   // certified largest error of Value in any state
}

// Bounds returns the certified lower and upper bounds of the optimal value of a state.
func (s Solution) Bounds(state int) (lower, upper float64) {
	v := s.Value[state]
	return math.Nextafter(v-s.Bound, math.Inf(-1)), math.Nextafter(v+s.Bound, math.Inf(1))
}

// Within returns an error unless the solution is certified to the tolerance. The error names the reached bound,
// the smallest that double precision allows at this discount and these rewards.
func (s Solution) Within(tolerance float64) error {
	if s.Bound <= tolerance {
		return nil
	}
	return &ToleranceError{Bound: s.Bound, Tolerance: tolerance}
}

// ToleranceError reports a solution that is not certified to the requested tolerance.
type ToleranceError struct{ Bound, Tolerance float64 }

// Error names the reached bound and the remedy.
func (e *ToleranceError) Error() string {
	return fmt.Sprintf("mdp: the value is certified to %.3g, not to the tolerance %.3g: rounding at this discount and "+
		"size of reward allows no better; raise the tolerance", e.Bound, e.Tolerance)
}

// NewSolver returns the fastest solver of a law: exact policy iteration for deterministic transitions, policy
// iteration by elimination if a single agent's transitions stay within a narrow band of state numbers, and
// modified policy iteration otherwise and for teams.
func NewSolver(law Law, discount float64) (Solver, error) {
	if Deterministic(law) {
		if m, ok := law.(*Model); ok {
			return NewFunctional(m, discount)
		}
		sparse, err := Expand(law.(*SlipModel))
		if err != nil {
			return nil, err
		}
		return NewFunctional(sparse, discount)
	}
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	if _, team := law.(*Joint); team {
		s.useDirect() // for the evaluation of policies
	} else if s.bandIsNarrow() {
		return newPolicyIteration(s), nil
	}
	return newModifiedPolicyIteration(s), nil
}

// Deterministic reports whether every transition of a single agent's law has one outcome. It is false for every
// team.
func Deterministic(law Law) bool {
	switch m := law.(type) {
	case *Model:
		return m.Deterministic()
	case *SlipModel:
		return m.slip == 0
	}
	return false
}
