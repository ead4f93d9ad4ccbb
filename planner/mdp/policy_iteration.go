package mdp

import "math"

// PolicyIteration alternates between the exact value of a policy and the policy that is greedy with respect to
// it (Howard 1960; Puterman 1994, Section 6.4). It starts from the first policy that a sweep of value iteration
// leaves unchanged, which saves most of the evaluations: a sweep costs a small part of one.
//
// It evaluates policies by elimination within the band of the transitions if that is cheap or the problem is
// small, and otherwise by applying them until only rounding is left.
type PolicyIteration struct{ *sweeper }

func newPolicyIteration(s *sweeper) *PolicyIteration {
	s.useDirect()
	return &PolicyIteration{s}
}

// fruitless is the number of evaluations that may fail to halve the span before value iteration finishes the
// solve: at the level of rounding, tied actions may alternate for ever.
const fruitless = 8

// Solve implements Solver.
func (s *PolicyIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	p := s.backup()
	for !s.certified(p, tolerance, false) && p.changes > 0 {
		s.advance()
		p = s.backup()
	}
	least, failures := p.span(), 0
	for fresh := true; !s.certified(p, tolerance, false); p = s.backup() {
		if p.span() > least/2 {
			failures++
		} else {
			least, failures = p.span(), 0
		}
		switch {
		case failures > fruitless:
			s.advance()
			continue
		case fresh || p.changes > 0:
			s.adopt()
			if s.direct != nil {
				s.direct.factor(s.kernel)
			}
			fresh = false
		}
		s.evaluateBackup()
	}
	return s.solution(p, false)
}

// evaluateBackup moves v, whose backup by the adopted policy is in out, to that policy's value.
func (s *PolicyIteration) evaluateBackup() {
	if s.direct != nil {
		s.newton()
		return
	}
	s.advance()
	s.applyDown(0, math.MaxInt)
	s.advance()
	s.checks = 0
}
