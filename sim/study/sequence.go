package study

import "math"

// Sequence is a confidence sequence for a mean: intervals after every value that all hold the mean, with
// the confidence asked for, at once. So one may look after every value and stop when one likes, where
// looking again and again at ordinary intervals would stop on a lucky one.
//
// It is the empirical Bernstein sequence of Waudby-Smith & Ramdas (2023, Theorem 2), for values between
// 0 and a known bound. It supposes no shape, so two humps or a rare outlier do it no harm, and it knows
// that equal values so far do not mean that all are. Its bets are tuned for the half-width at which the
// caller means to stop. The price of looking always is 2.4 to 4 times the flights of an interval looked at
// once, more where the target is coarse or the values hardly vary, because of the bound.
type Sequence struct {
	bound, target float64 // target in units of bound
	price         float64 // log(2/alpha)

	n           int
	sum, spread float64 // of the values, and of their squared distances from the running means
	bets        float64 // sum of lambda
	won, lost   float64 // sums of lambda x and of v psi(lambda)
}

// NewSequence returns a sequence for values in [0, bound] that is narrowest when its half-width is
// target, both above 0; confidence is in (0, 1).
func NewSequence(bound, target, confidence float64) *Sequence {
	return &Sequence{bound: bound, target: target / bound, price: math.Log(2 / (1 - confidence)), spread: 0.25, sum: 0.5}
}

// Add takes a value. It reports whether the value is in [0, bound]; one that is not is no basis for an
// interval and is not counted.
func (s *Sequence) Add(value float64) bool {
	x := value / s.bound
	if !(x >= 0 && x <= 1) {
		return false
	}
	mean, variance := s.sum/float64(s.n+1), s.spread/float64(s.n+1) // of the values before, shrunk to 1/2 and 1/4
	bet := min(s.target/(s.target+variance), largestBet)
	s.bets += bet
	s.won += bet * x
	s.lost += (x - mean) * (x - mean) * bernstein(bet)
	s.n++
	s.sum += x
	d := x - s.sum/float64(s.n+1)
	s.spread += d * d
	return true
}

// largestBet keeps the loss of a bet finite.
const largestBet = 0.75

// bernstein is 4 psi_E of the paper: what a bet loses per squared surprise.
func bernstein(bet float64) float64 { return -math.Log1p(-bet) - bet }

// Values returns how many values were added.
func (s *Sequence) Values() int { return s.n }

// Interval returns the ends of the present interval, within [0, bound].
func (s *Sequence) Interval() (low, high float64) {
	if s.n == 0 {
		return 0, s.bound
	}
	centre, half := s.won/s.bets, (s.price+s.lost)/s.bets
	return s.bound * max(0, centre-half), s.bound * min(1, centre+half)
}

// HalfWidth returns half the width of the present interval.
func (s *Sequence) HalfWidth() float64 {
	low, high := s.Interval()
	return (high - low) / 2
}

// Needed estimates how many values it takes in all until the half-width is the target, if those to come
// vary as those before did.
func (s *Sequence) Needed() int {
	variance := s.spread / float64(s.n+1)
	bet := min(s.target/(s.target+variance), largestBet)
	gain := bet*s.target - variance*bernstein(bet) // of one value
	more := (s.price + s.lost - s.target*s.bets) / gain
	return s.n + int(math.Ceil(max(0, min(more, math.MaxInt32))))
}

// LeastHalfWidth returns a half-width that no sequence of so many values in [0, bound] gets below, whatever the
// values and the target: every bet is at most largestBet, so half of what the theorem adds and takes away is at
// least bound log(2/alpha) / (largestBet values), and cutting the interval at one end of [0, bound] at most halves
// it, because the centre lies within; cut at both ends it is bound/2.
func LeastHalfWidth(bound, confidence float64, values int) float64 {
	return bound / 2 * min(1, math.Log(2/(1-confidence))/(largestBet*float64(values)))
}
