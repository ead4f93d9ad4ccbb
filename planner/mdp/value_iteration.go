package mdp

import "math"

// ValueIteration backs the value up until the span of the residual certifies the tolerance (Puterman 1994,
// Section 6.6.3). Every sweep uses the values of the sweep before (Jacobi). It is the simplest solver, the
// reference for the others, and the one whose sweeps the paper counts.
type ValueIteration struct{ *sweeper }

// NewValueIteration prepares a solver of a law at a discount, 0 < discount < 1.
func NewValueIteration(law Law, discount float64) (*ValueIteration, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return &ValueIteration{s}, nil
}

func (s *ValueIteration) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	for {
		p := s.backup()
		if s.certified(p, tolerance, false) {
			return s.solution(p, false)
		}
		s.advance()
	}
}

// change is the supremum norm of a sweep's change.
func (p progress) change() float64 { return max(math.Abs(p.lowest), math.Abs(p.highest)) }

// SweepsToChange returns the number of sweeps of textbook value iteration, which ends with the first sweep that changes
// every value by less than a threshold, without doing most of them. If a sweep changes every value by an amount between
// l and h, then k sweeps later the changes lie between discount^k l and discount^k h; once both predict the same sweep,
// the number is certain (up to rounding of the changes themselves: of the order of 2^-53 times the largest value,
// relative to the threshold). It also returns the number of sweeps that it did.
func (s *ValueIteration) SweepsToChange(rewards, guess []float64, threshold float64) (sweeps, done int) {
	s.load(rewards, guess)
	for {
		p := s.backup()
		s.checks++
		if p.change() < threshold || s.exhausted() {
			return s.sweeps, s.sweeps
		}
		// The smallest magnitude, if all changes have one sign, bounds later changes from below, up to the discount.
		if least := max(p.lowest, -p.highest); least > 0 {
			fewest, most := s.sweepsBelow(threshold, least), s.sweepsBelow(threshold, p.change())
			if fewest == most {
				return s.sweeps + fewest, s.sweeps
			}
		}
		s.advance()
	}
}

// sweepsBelow returns the least k >= 1 with discount^k * change < threshold.
func (s *sweeper) sweepsBelow(threshold, change float64) int {
	k := math.Log(threshold/change) / math.Log(s.discount)
	return int(math.Floor(k)) + 1
}
