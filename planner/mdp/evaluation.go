package mdp

import (
	"fmt"
	"math"
)

// Evaluator computes the value of given policies.
type Evaluator struct{ *sweeper }

// NewEvaluator prepares the evaluation of policies of a law at a discount, 0 < discount < 1.
func NewEvaluator(law Law, discount float64) (*Evaluator, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	s.useDirect()
	return &Evaluator{s}, nil
}

// Evaluate returns the value of a policy under a reward table: every Value is within Bound of the true value,
// and Bound is at most tolerance or, if that is larger, the bound that rounding allows (tolerance 0 requests
// it). If elimination is possible, Evaluate first sweeps for as long as elimination would take, and then
// eliminates; the certificate is the same. The result aliases the solver's buffers and does not depend on
// earlier solves.
func (s *sweeper) Evaluate(policy []int32, rewards []float64, tolerance float64) Solution {
	s.mustFit(rewards)
	s.mustBePolicy(policy)
	copy(s.policy, policy)
	s.rewards, s.sweeps, s.checks = rewards, 0, 0
	clear(s.v)
	s.adopt()
	if p, ok := s.applyDown(tolerance, s.patience()); ok {
		return s.solution(p, true)
	}
	s.direct.factor(s.kernel)
	s.apply()
	s.newton()
	s.apply()
	s.newton() // refines the result of elimination
	return s.solution(s.apply(), true)
}

// patience is the number of sweeps of an evaluation that cost as much as elimination: an entry of a sparse row
// takes eight times as long as an entry of a band, which is read in order.
func (s *sweeper) patience() int {
	if s.direct == nil {
		return math.MaxInt
	}
	band := s.kernel.bandwidth()
	sweeps := band * band / (8 * s.kernel.outcomes())
	if sweeps < 32 { // too few to certify anything
		return 0
	}
	return sweeps
}

// ValueFrom implements Solver.
func (s *sweeper) ValueFrom(start int, policy []int32, rewards []float64, tolerance float64) (value, bound float64) {
	solution := s.Evaluate(policy, rewards, tolerance)
	return solution.Value[start], solution.Bound
}

// applyDown applies the adopted policy, at most most times, until the backup in out certifies the tolerance,
// and reports whether it does.
func (s *sweeper) applyDown(tolerance float64, most int) (p progress, ok bool) {
	s.checks = 0
	for range most {
		p = s.apply()
		if s.certified(p, tolerance, true) {
			return p, true
		}
		s.advance()
	}
	return p, false
}

func (s *sweeper) mustBePolicy(policy []int32) {
	if len(policy) != s.law.States() {
		panic(fmt.Sprintf("mdp: a policy of %d actions for %d states", len(policy), s.law.States()))
	}
	for state, action := range policy {
		if action < 0 || int(action) >= s.law.Actions() {
			panic(fmt.Sprintf("mdp: policy takes action %d in state %d, of %d actions", action, state, s.law.Actions()))
		}
	}
}
