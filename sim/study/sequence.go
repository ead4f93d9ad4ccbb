package study

import "math"

// Sequence is a confidence sequence for a mean: intervals after every value that all contain the mean together,
// with the given confidence. So it is valid to check after every value and stop at any time; with ordinary
// intervals, repeated checks would stop at a lucky one.
//
// It uses betting (Waudby-Smith & Ramdas 2023, section 4), for values between 0 and a known bound. Against
// every mean m, one gambler starts with 1 and multiplies the wealth by (1 + k x)/(1 + k m) for every value x,
// and another by (1 - k x)/(1 - k m): fair games if m is the mean and k is chosen before x is seen. An m at
// which either wealth ever reaches 2/alpha is rejected as the mean, with an error probability of alpha (Ville's
// inequality). It assumes no shape of the distribution, so humps or rare outliers do no harm, and equal values
// so far do not count as proof that all are equal. Its bets are tuned for the half-width at which the caller
// intends to stop: then the bound hardly matters if the half-width times the bound is below the variance. The
// price of checking at any time is about twice the flights of an interval that is checked once, more if the
// target is coarse or the values hardly vary.
type Sequence struct {
	bound, target float64 // target in units of bound
	price         float64 // log(2/alpha)

	n          int
	mean, sum2 float64 // of the values, and the sum of their squared distances from the mean
	low, high  gambler
	tuned      int // number of values at which bets are tuned next
}

// gambler bets that the mean is above, or below, some number.
type gambler struct {
	won  float64    // sum of log(1 + k x), or of log(1 - k x)
	bets []betBlock // k in blocks of values
}

type betBlock struct{ bet, values float64 }

// NewSequence returns a sequence for values in [0, bound] that is tuned for a half-width of target, both above
// 0; confidence is in (0, 1).
func NewSequence(bound, target, confidence float64) *Sequence {
	return &Sequence{bound: bound, target: target / bound, price: math.Log(2 / (1 - confidence)), mean: 0.5}
}

const (
	largestBet  = 0.75 // as a fraction of the bet that would risk everything
	firstTuning = 16   // number of values before the second bets
	tuningRatio = 1.5  // ratio of the number of values at a tuning to that at the tuning before
	firstSpread = 1. / 64
)

// Add adds a value. It reports whether the value is in [0, bound]; other values are not valid for an interval
// and are not counted.
func (s *Sequence) Add(value float64) bool {
	x := value / s.bound
	if !(x >= 0 && x <= 1) {
		return false
	}
	if s.n == s.tuned {
		above, below := s.bets()
		s.low.bets, s.high.bets = append(s.low.bets, betBlock{bet: above}), append(s.high.bets, betBlock{bet: below})
		s.tuned = max(firstTuning, int(tuningRatio*float64(s.n)))
	}
	s.low.add(x, 1)
	s.high.add(x, -1)
	s.n++
	if s.n == 1 {
		s.mean = x
		return true
	}
	off := x - s.mean
	s.mean += off / float64(s.n)
	s.sum2 += off * (x - s.mean)
	return true
}

// add adds a value; sign is the sign of the bet.
func (g *gambler) add(x, sign float64) {
	last := &g.bets[len(g.bets)-1]
	g.won += math.Log1p(sign * last.bet * x)
	last.values++
}

// bets returns the bets that show soonest that the mean is above a point target below it, and below a point
// target above it.
func (s *Sequence) bets() (above, below float64) {
	size := s.target / (s.target*s.target + s.variance()) // of a bet on x - m
	m := s.mean - s.target
	up := size
	if m > 0 {
		up = min(size, largestBet/m)
	}
	return up / (1 - up*max(m, 0)), min(size/(1+size*(s.mean+s.target)), largestBet)
}

// variance is the variance of the values, increased while they are few.
func (s *Sequence) variance() float64 { return (s.sum2 + firstSpread) / float64(s.n+1) }

// logDivisor returns the log of the wealth's divisor for a mean of m: the sum of log(1 + sign k m), and its
// derivative.
func (g *gambler) logDivisor(m, sign float64) (sum, slope float64) {
	for _, b := range g.bets {
		sum += b.values * math.Log1p(sign*b.bet*m)
		slope += b.values * sign * b.bet / (1 + sign*b.bet*m)
	}
	return sum, slope
}

// threshold returns the limit of the means m in [0, 1] at which a gambler has won the price; these lie on the side
// of start. Newton's steps come from that side and do not overshoot, because the sums are concave.
func (g *gambler) threshold(price, sign float64) float64 {
	want, start := g.won-price, 0.5-sign/2
	if sum, _ := g.logDivisor(start, sign); sum > want {
		return start
	}
	if sum, _ := g.logDivisor(1-start, sign); sum <= want {
		return 1 - start
	}
	const most, near = 100, 1e-14 // number of steps, far more than needed; rounding
	m := start
	for range most {
		sum, slope := g.logDivisor(m, sign)
		next := m + (want-sum)/slope
		if !(math.Abs(next-m) > near) {
			return next
		}
		m = min(max(next, 0), 1)
	}
	return m
}

// Values returns the number of added values.
func (s *Sequence) Values() int { return s.n }

// Interval returns the ends of the current interval, within [0, bound].
func (s *Sequence) Interval() (low, high float64) {
	if s.n == 0 {
		return 0, s.bound
	}
	return s.bound * s.low.threshold(s.price, 1), s.bound * s.high.threshold(s.price, -1)
}

// MayExclude reports whether the current interval may exclude a mean: it does, or the mean is within rounding
// of an end. It takes a fraction of the time of Interval.
func (s *Sequence) MayExclude(mean float64) bool {
	m := mean / s.bound
	if !(m >= 0 && m <= 1) {
		return true
	}
	const margin = 1e-9 // of sums of logarithms, far more than rounding
	below, _ := s.low.logDivisor(m, 1)
	above, _ := s.high.logDivisor(m, -1)
	return max(s.low.won-below, s.high.won-above) > s.price-margin
}

// HalfWidth returns half the width of the current interval.
func (s *Sequence) HalfWidth() float64 {
	low, high := s.Interval()
	return (high - low) / 2
}

// needed estimates the total number of values until the half-width reaches the target, if the next values vary
// like those so far.
func (s *Sequence) needed() int {
	lower, upper := max(0, s.mean-s.target), min(1, s.mean+s.target)
	above, below := s.bets()
	variance := s.variance() + s.target*s.target
	gain := func(bet float64) float64 { return bet*s.target - bet*bet*variance/2 } // of one value
	divisor, _ := s.low.logDivisor(lower, 1)
	missing := s.price - (s.low.won - divisor)
	divisor, _ = s.high.logDivisor(upper, -1)
	missing += s.price - (s.high.won - divisor)
	more := missing / (gain(above/(1+above*lower)) + gain(below/(1-below*upper)))
	return s.n + int(math.Ceil(max(0, min(more, math.MaxInt32))))
}

// LeastHalfWidth returns a lower bound on the half-width of a sequence after that many equal values in [0,
// bound], for any value and target. With n values x the upper end is at x + (1/k - x) (1 - q), the lower at x -
// (1/k + x) (1 - q), with q = (alpha/2)^(1/n): they are at least (1 - q)/k apart, where k is at most
// largestBet/bound; and if the upper end is cut at the bound, the lower one is (1 - q) x below.
func LeastHalfWidth(bound, confidence float64, values int) float64 {
	return -bound / 2 * math.Expm1(-math.Log(2/(1-confidence))/float64(values))
}
