package mdp

import "fmt"

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

// Evaluate returns the value of a policy under a reward table: every Value is within Bound of the true
// one, and Bound is at most tolerance or what rounding allows (0 asks for that). It eliminates where the
// problem is small or narrow and sweeps otherwise; the certificate is the same. The result aliases the
// buffers of the solver and does not depend on earlier solves.
func (s *sweeper) Evaluate(policy []int32, rewards []float64, tolerance float64) Solution {
	s.mustFit(rewards)
	s.mustBePolicy(policy)
	copy(s.policy, policy)
	s.rewards, s.sweeps, s.checks = rewards, 0, 0
	clear(s.v)
	s.adopt()
	if s.direct == nil {
		return s.solution(s.applyDown(tolerance), true)
	}
	s.direct.factor(s.kernel)
	s.apply()
	s.newton()
	s.apply()
	s.newton() // refines what elimination left
	return s.solution(s.apply(), true)
}

// ValueFrom implements Solver.
func (s *sweeper) ValueFrom(start int, policy []int32, rewards []float64) float64 {
	return s.Evaluate(policy, rewards, 0).Value[start]
}

// applyDown applies the adopted policy until the backup in out certifies the tolerance.
func (s *sweeper) applyDown(tolerance float64) progress {
	s.checks = 0
	for {
		p := s.apply()
		if s.settled(p, tolerance, true) {
			return p
		}
		s.advance()
	}
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
