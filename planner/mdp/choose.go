package mdp

import (
	"context"
	"fmt"
	"math"
)

// NewSolver returns the fastest solver of a law: exact policy iteration when every transition is
// certain, policy iteration by elimination when transitions stay within a narrow band of state
// numbers, and modified policy iteration otherwise.
func NewSolver(law Law, discount float64) (Solver, error) {
	switch m := law.(type) {
	case *Model:
		if m.Deterministic() {
			return NewFunctional(m, discount)
		}
	case *SlipModel:
		if m.slip == 0 {
			sparse, err := Expand(m)
			if err != nil {
				return nil, err
			}
			return NewFunctional(sparse, discount)
		}
	}
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	if s.bandIsNarrow() {
		return newPolicyIteration(s), nil
	}
	return newModifiedPolicyIteration(s), nil
}

// Solve runs a solver with its result checked: rewards must be finite, the tolerance positive and, in
// the end, certified. Cancelling ctx ends a solve after the sweep under way; the solution then holds
// what is known so far, and the error is the context's. An error that the tolerance is out of reach
// comes with the best solution, too.
func Solve(ctx context.Context, solver Solver, rewards, guess []float64, tolerance float64) (Solution, error) {
	if !(tolerance > 0) {
		return Solution{}, fmt.Errorf("mdp: tolerance %v is not positive", tolerance)
	}
	for i, r := range rewards {
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return Solution{}, fmt.Errorf("mdp: reward %d of the table is %v, want a finite number", i, r)
		}
	}
	if s, ok := solver.(interface{ interruptedBy(<-chan struct{}) }); ok {
		s.interruptedBy(ctx.Done())
		defer s.interruptedBy(nil)
	}
	solution := solver.Solve(rewards, guess, tolerance)
	err := solution.Within(tolerance)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = fmt.Errorf("mdp: solve interrupted after %d sweeps, certified to %.3g: %w", solution.Sweeps, solution.Bound, cause)
	}
	return solution, err
}
