package mdp

import "math"

// ModifiedPolicyIteration improves the policy with a backup, which also certifies, and evaluates it only
// approximately, by applying it several times (Puterman 1994, Section 6.5): applying a policy costs a fraction
// of improving it. Where the residual is uniform, plain sweeps change all values equally, so that the span of
// the residual shrinks with the mixing of the chain and not only with the discount.
//
// On state spaces far wider than the horizon, values converge region by region, and Gauss-Seidel sweeps follow
// the policy instead: they take a third of the sweeps on a grid of a million states, but six times as many on a
// grid of 400 states with a long horizon.
//
// It is the solver for large models and for teams.
type ModifiedPolicyIteration struct {
	*sweeper
	wide bool // the state space is far wider than the horizon
}

func newModifiedPolicyIteration(s *sweeper) *ModifiedPolicyIteration {
	width := math.Sqrt(float64(s.law.States())) // side of a square grid
	return &ModifiedPolicyIteration{sweeper: s, wide: width*(1-s.discount) >= farWider}
}

const (
	// evaluationGain ends an evaluation that has shrunk the span of the residual by this factor, and
	// evaluationSweeps one that takes more sweeps: a more accurate value of the policy is not worth its time.
	evaluationGain   = 0.1
	evaluationSweeps = 16
	// farWider is the width of a wide state space in horizons, 1/(1 - discount).
	farWider = 10
	// mixing is the fraction of the discount below which a plain sweep shrinks the span by mixing.
	mixing = 0.9
)

// Solve implements Solver.
func (s *ModifiedPolicyIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
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
		s.evaluateRoughly(p.span(), tolerance*(1-s.discount)/s.discount)
	}
}

// evaluateRoughly moves v towards the value of the adopted policy, until the span of the residual is small
// compared with the given span, or at most enough.
func (s *ModifiedPolicyIteration) evaluateRoughly(span, enough float64) {
	enough = max(enough, evaluationGain*span)
	for i := range evaluationSweeps {
		p := s.apply()
		s.advance()
		if p.span() <= enough {
			return
		}
		// Plain sweeps converge from any start and finish the work of followRoughly.
		if i == 0 && s.wide && p.span() > mixing*s.discount*span && s.checks < s.limit/2 {
			s.followRoughly()
			return
		}
	}
}

func (s *ModifiedPolicyIteration) followRoughly() {
	for i := range evaluationSweeps {
		s.follow(i%2 == 1)
	}
}
