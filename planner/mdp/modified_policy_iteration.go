package mdp

import "math"

// ModifiedPolicyIteration improves the policy with a plain backup, which also certifies, and evaluates it
// only roughly, by applying it several times (Puterman 1994, Section 6.5): applying a policy costs a
// fraction of improving it. Plain sweeps move all values alike where the residual is uniform, so that
// its span shrinks with the mixing of the chain and not just with the discount.
//
// On state spaces far wider than the horizon values settle from place to place, not all together, and
// there the policy is followed by Gauss-Seidel sweeps instead: a third of the sweeps on a grid of a
// million states, but six times as many on one of 400 with a long horizon.
//
// It is the solver for large models and for joint ones.
type ModifiedPolicyIteration struct {
	*sweeper
	wide bool // the state space is far wider than the horizon
}

func newModifiedPolicyIteration(s *sweeper) *ModifiedPolicyIteration {
	width := math.Sqrt(float64(s.law.States())) // as of a square grid
	return &ModifiedPolicyIteration{sweeper: s, wide: width*(1-s.discount) >= farWider}
}

const (
	// evaluationGain ends an evaluation when it has shrunk the span of the residual this much, and
	// evaluationSweeps when it takes more sweeps than that: the policy is not worth knowing better.
	evaluationGain   = 0.1
	evaluationSweeps = 16
	// farWider is how many horizons, 1/(1 - discount), make a state space wide.
	farWider = 10
	// mixing is the fraction of the discount below which a plain sweep shrinks the span by mixing.
	mixing = 0.9
)

// Solve implements Solver.
func (s *ModifiedPolicyIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	for adopted := false; ; {
		p := s.backup()
		if s.settled(p, tolerance, false) {
			return s.solution(p, false)
		}
		s.advance()
		adopted = adopted && p.changes == 0
		if p.changes > s.law.States()/2 {
			continue // not yet worth evaluating
		}
		if !adopted {
			s.adopt()
			adopted = true
		}
		s.evaluateRoughly(p.span(), tolerance*(1-s.discount)/s.discount)
	}
}

// evaluateRoughly moves v towards the value of the adopted policy, from a residual of the given span to
// one that is small in comparison or small enough.
func (s *ModifiedPolicyIteration) evaluateRoughly(span, enough float64) {
	enough = max(enough, evaluationGain*span)
	for i := range evaluationSweeps {
		p := s.apply()
		s.advance()
		if p.span() <= enough {
			return
		}
		// Plain sweeps converge from any start and finish what these do not.
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
