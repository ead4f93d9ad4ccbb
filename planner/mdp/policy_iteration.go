package mdp

import "math"

// policyIteration alternates between the exact value of a policy and the policy that is greedy with respect to
// it (Howard 1960; Puterman 1994, Section 6.4). It starts from the first policy that a sweep of value iteration
// leaves unchanged, which saves most of the evaluations: a sweep costs a small part of one.
//
// It evaluates policies by elimination within the band of the transitions if that is cheap or the problem is
// small, and otherwise by applying them until only rounding is left.
type policyIteration struct{ *sweeper }

func newPolicyIteration(s *sweeper) *policyIteration {
	s.useDirect()
	return &policyIteration{s}
}

// maxFailures is the number of evaluations that may fail to halve the span before value iteration finishes the
// solve: at the level of rounding, tied actions may alternate for ever.
const maxFailures = 8

func (s *policyIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	p := s.backup()
	for !s.certified(p, tolerance, false) && p.changes > 0 {
		s.advance()
		p = s.backup()
	}
	least, failures := p.span(), 0
	for first := true; !s.certified(p, tolerance, false); p = s.backup() {
		if p.span() > least/2 {
			failures++
		} else {
			least, failures = p.span(), 0
		}
		switch {
		case failures > maxFailures:
			s.advance()
			continue
		case first || p.changes > 0:
			s.adopt()
			if s.direct != nil {
				s.direct.factor(s.kernel)
			}
			first = false
		}
		// Move v, whose backup by the adopted policy is in out, to that policy's value.
		if s.direct != nil {
			s.newton()
			continue
		}
		s.advance()
		s.applyUntil(0, math.MaxInt)
		s.advance()
		s.checks = 0
	}
	return s.solution(p, false)
}

// modifiedPolicyIteration improves the policy with a backup, which also certifies, and evaluates it only
// approximately, by applying it several times (Puterman 1994, Section 6.5): applying a policy costs a fraction
// of improving it. Where the residual is uniform, plain sweeps change all values equally, so that the span of
// the residual shrinks with the mixing of the chain and not only with the discount.
//
// On state spaces far wider than the horizon, values converge region by region, and Gauss-Seidel sweeps follow
// the policy instead: they take a third of the sweeps on a grid of a million states, but six times as many on a
// grid of 400 states with a long horizon.
//
// It is the solver for large models and for teams.
type modifiedPolicyIteration struct {
	*sweeper
	wide bool // the state space is far wider than the horizon
}

func newModifiedPolicyIteration(s *sweeper) *modifiedPolicyIteration {
	width := math.Sqrt(float64(s.law.States())) // side of a square grid
	return &modifiedPolicyIteration{sweeper: s, wide: width*(1-s.discount) >= wideHorizons}
}

const (
	// evaluationGain ends an evaluation that has shrunk the span of the residual by this factor, and
	// evaluationSweeps one that takes more sweeps: a more accurate value of the policy is not worth its time.
	evaluationGain   = 0.1
	evaluationSweeps = 16
	// wideHorizons is the width of a wide state space in horizons, 1/(1 - discount).
	wideHorizons = 10
	// mixing is the fraction of the discount below which a plain sweep shrinks the span by mixing.
	mixing = 0.9
)

func (s *modifiedPolicyIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	for adopted := false; ; {
		p := s.backup()
		if s.certified(p, tolerance, false) {
			return s.solution(p, false)
		}
		s.advance()
		adopted = adopted && p.changes == 0
		if p.changes > s.law.States()/2 {
			continue // too early for an evaluation
		}
		if !adopted {
			s.adopt()
			adopted = true
		}
		s.evaluateApproximately(p.span(), tolerance*(1-s.discount)/s.discount)
	}
}

// evaluateApproximately moves v towards the value of the adopted policy, until the span of the residual is small
// compared with the given span, or at most enough.
func (s *modifiedPolicyIteration) evaluateApproximately(span, enough float64) {
	enough = max(enough, evaluationGain*span)
	for i := range evaluationSweeps {
		p := s.apply()
		s.advance()
		if p.span() <= enough {
			return
		}
		// Plain sweeps converge from any start and finish the work of Gauss-Seidel sweeps.
		if i == 0 && s.wide && p.span() > mixing*s.discount*span && s.checks < s.limit/2 {
			for k := range evaluationSweeps {
				s.relax(k%2 == 1)
			}
			return
		}
	}
}
