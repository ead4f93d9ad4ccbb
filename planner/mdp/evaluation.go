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
	mustFit(rewards, s.law.States(), s.law.Actions())
	s.mustBePolicy(policy)
	copy(s.policy, policy)
	s.rewards, s.sweeps, s.checks = rewards, 0, 0
	clear(s.v)
	s.adopt()
	if p, ok := s.applyUntil(tolerance, s.maxSweeps()); ok {
		return s.solution(p, true)
	}
	s.direct.factor(s.kernel)
	s.apply()
	s.newton()
	s.apply()
	s.newton() // refines the result of elimination
	return s.solution(s.apply(), true)
}

// maxSweeps is the number of sweeps of an evaluation that cost as much as elimination: an entry of a sparse row
// takes eight times as long as an entry of a band, which is read in order.
func (s *sweeper) maxSweeps() int {
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

// applyUntil applies the adopted policy, at most most times, until the backup in out certifies the tolerance,
// and reports whether it does.
func (s *sweeper) applyUntil(tolerance float64, most int) (p progress, ok bool) {
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

// Mix returns the Markov reward process of a stochastic policy: a law with a single action, which has the
// outcomes of all actions weighted by their probabilities, and its rewards by state. policy has the
// probabilities of all actions, states x actions. The probabilities of a state sum to 1 up to rounding, which
// is normalised away, and are 0 for actions that it lacks, whose rewards are -Inf.
func Mix(law Law, policy, rewards []float64) (process *Model, gains []float64, err error) {
	states, actions := law.States(), law.Actions()
	if len(policy) != states*actions || len(rewards) != states*actions {
		return nil, nil, fmt.Errorf("mdp: %d probabilities and %d rewards for %d states x %d actions", len(policy),
			len(rewards), states, actions)
	}
	gains = make([]float64, states)
	var row, outcomes []Outcome
	process, err = NewModel(states, 1, func(state, _ int) []Outcome {
		of := policy[state*actions : (state+1)*actions]
		sum := 0.0
		for _, q := range of {
			sum += q
		}
		row = row[:0]
		for action, q := range of {
			if q == 0 {
				continue
			}
			gains[state] += q / sum * rewards[state*actions+action]
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
			for _, o := range outcomes {
				row = addOutcome(row, 0, Outcome{State: o.State, Probability: q / sum * o.Probability})
			}
		}
		return row
	})
	return process, gains, err
}

// EvaluateStochastic returns the value of a stochastic policy as Evaluate does for a policy; the arguments are
// those of Mix.
func EvaluateStochastic(law Law, policy, rewards []float64, discount, tolerance float64) (Solution, error) {
	process, gains, err := Mix(law, policy, rewards)
	if err != nil {
		return Solution{}, err
	}
	evaluator, err := NewEvaluator(process, discount)
	if err != nil {
		return Solution{}, err
	}
	return evaluator.Evaluate(make([]int32, law.States()), gains, tolerance), nil
}
