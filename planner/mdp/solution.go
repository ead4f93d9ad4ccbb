package mdp

import (
	"fmt"
	"math"
)

// Solver finds optimal policies of one transition law and one discount under any number of reward
// tables. A solver owns its buffers, allocates nothing per solve and serves one goroutine.
type Solver interface {
	// Solve returns a policy and a value certified to be within Solution.Bound of the optimum in every
	// state, after working until that bound is at most tolerance or rounding allows no better
	// (Solution.Within says which). The guess is a value to start from, nil for none; a good one saves
	// time. Rewards are states x actions numbers, state-major, -Inf where a state lacks the action; see CheckRewards.
	Solve(rewards, guess []float64, tolerance float64) Solution
	// ValueFrom returns the value of a policy at a start state under a reward table and a certified bound
	// of its error, at most tolerance or what rounding allows (0 asks for that).
	ValueFrom(start int, policy []int32, rewards []float64, tolerance float64) (value, bound float64)
}

// Solution is a policy with what is known about it. Its slices alias the solver's buffers and hold
// until the next call of the solver.
//
// In every state both the optimal value v* and the value of Policy lie within Bound of Value: that is
// the certificate ||v - v*|| <= Bound, in the supremum norm and with rounding accounted for (Puterman
// 1994, Theorem 6.6.12). Policy is therefore worth within twice the bound of the optimum.
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

// Within returns an error unless the solution is certified to the tolerance. The error names the bound
// reached: the floor that double precision sets at this discount and these rewards.
func (s Solution) Within(tolerance float64) error {
	if s.Bound <= tolerance {
		return nil
	}
	return &ToleranceError{Bound: s.Bound, Tolerance: tolerance}
}

// ToleranceError is a solution that is not certified to the tolerance asked for.
type ToleranceError struct{ Bound, Tolerance float64 }

// Error says what was reached and what to do.
func (e *ToleranceError) Error() string {
	return fmt.Sprintf("mdp: the value is certified to %.3g, not to the tolerance %.3g: rounding at this discount and "+
		"size of reward allows no better; raise the tolerance", e.Bound, e.Tolerance)
}
