package privacy

import (
	"fmt"
	"math"
	"math/bits"
)

// DiscreteGaussian is the distribution on the integers with probabilities proportional to exp(-y^2/(2 sigma^2)), for a
// rational sigma = a/c. Noise from it keeps differential privacy on a computer, where floating-point Gaussian noise
// does not (Mironov 2012): its sampler uses integers only and is exact.
type DiscreteGaussian struct {
	a, c uint64 // sigma = a/c
	// t is the scale of the discrete Laplace proposals. A proposal y is accepted with probability exp(-(slope |y| -
	// offset)^2/denominator), which is exp(-(|y| - sigma^2/t)^2/(2 sigma^2)) in whole numbers.
	t, slope, offset, denominator uint64
}

const (
	// sigmaBits is the precision of sigma's numerator if sigma is not an integer: rounding up adds less than
	// 2^-13 = 0.012 %.
	sigmaBits = 13
	// largestSigma keeps every product of the sampler within 64 bits, and the square that needs more within 128.
	largestSigma = 1 << 28
)

// NewDiscreteGaussian returns the discrete Gaussian of the smallest representable sigma at or above the given
// one, which must lie between 1 and 2^28. Representable are fractions with a 14-bit numerator and a power of
// two as the denominator, and integers from 2^13 on. Sigma returns the fraction.
func NewDiscreteGaussian(sigma float64) (DiscreteGaussian, error) {
	if !(sigma >= 1 && sigma <= largestSigma) {
		return DiscreteGaussian{}, fmt.Errorf("privacy: sigma on the grid is %g steps; it must lie between 1 and %d", sigma,
			largestSigma)
	}
	c := uint64(1)
	for sigma*float64(c) < 1<<sigmaBits {
		c *= 2
	}
	return discreteGaussian(uint64(math.Ceil(sigma*float64(c))), c), nil
}

// discreteGaussian returns the distribution for sigma = a/c, where c = 1 and a <= 2^28, or a <= 2^14 and c <= 2^13.
func discreteGaussian(a, c uint64) DiscreteGaussian {
	if c == 1 { // t = sigma: (|y| - a)^2/(2 a^2)
		return DiscreteGaussian{a: a, c: c, t: a, slope: 1, offset: a, denominator: 2 * a * a}
	}
	// (|y| - a^2/(c^2 t))^2 c^2/(2 a^2), over c^2 t. c t <= a+c <= 2^15.
	t := a/c + 1
	return DiscreteGaussian{a: a, c: c, t: t, slope: c * c * t, offset: a * a, denominator: 2 * a * a * c * c * t * t}
}

// next returns the discrete Gaussian of the next larger representable sigma.
func (g DiscreteGaussian) next() DiscreteGaussian {
	if g.c > 1 && g.a >= 1<<(sigmaBits+1) {
		return discreteGaussian(g.a/2+1, g.c/2)
	}
	return discreteGaussian(g.a+1, g.c)
}

// Sigma returns sigma as the fraction numerator/denominator.
func (g DiscreteGaussian) Sigma() (numerator, denominator uint64) { return g.a, g.c }

// sigma is the same as an exact float64.
func (g DiscreteGaussian) sigma() float64 { return float64(g.a) / float64(g.c) }

// Sample draws exactly, with integer arithmetic only (Canonne, Kamath and Steinke 2020, Algorithm 3): it draws
// discrete Laplace proposals of scale t and accepts one with the ratio of the two probabilities. The number of
// proposals and random words depends on the value drawn, so the running time leaks a little about it.
func (g DiscreteGaussian) Sample(e *Entropy) int64 {
	for {
		magnitude, negative := g.proposal(e)
		distance := magnitude * g.slope
		if distance < g.offset {
			distance = g.offset - distance
		} else {
			distance -= g.offset
		}
		if !e.bernoulliExpSquare(distance, g.denominator) {
			continue
		}
		if negative {
			return -int64(magnitude)
		}
		return int64(magnitude)
	}
}

// longestRun bounds the proposals to t 2^20, so that no product overflows. A longer run is drawn again; it has
// probability exp(-2^20), far below the smallest double.
const longestRun = 1 << 20

// proposal is a discrete Laplace variate of scale t, probabilities proportional to exp(-|y|/t) (their Algorithm 2).
func (g DiscreteGaussian) proposal(e *Entropy) (magnitude uint64, negative bool) {
	for {
		u := e.below(g.t)
		if !e.bernoulliExp(u, g.t) {
			continue
		}
		run := uint64(0)
		for run <= longestRun && e.bernoulliExp(1, 1) {
			run++
		}
		if run > longestRun {
			continue
		}
		magnitude = u + g.t*run
		negative = e.bernoulli(1, 2)
		if negative && magnitude == 0 {
			continue // zero has one sign
		}
		return magnitude, negative
	}
}

// bernoulliExpSquare is true with probability exp(-d^2/q), exactly: one success
// of exp(-1) for every whole unit and one of the rest. d^2/q must fit in 64 bits.
func (e *Entropy) bernoulliExpSquare(d, q uint64) bool {
	high, low := bits.Mul64(d, d)
	units, rest := bits.Div64(high, low, q)
	for range units {
		if !e.bernoulliExp(1, 1) {
			return false
		}
	}
	return e.bernoulliExp(rest, q)
}

// Delta returns a certified upper bound on the delta at which adding this noise to an integer of sensitivity steps >= 1
// is (epsilon, delta)-differentially private. The exact value is (Canonne, Kamath and Steinke 2020, Theorem 7)
//
//	sum over y > y0 of P(y) (1 - exp(epsilon - (2 y steps + steps^2)/(2 sigma^2))),
//	y0 = epsilon sigma^2/steps - steps/2,
//
// for neighbours exactly steps apart. Closer neighbours are covered: P is log-concave, so the worst event for a shift k
// is a half-line, and moving the mean further only lowers its probability under the neighbour.
//
// Up to sigma = 2^12 the sum is evaluated, all terms positive, with a bound for the terms left out; above, it is
// bounded by the integral. In either case a relative 1e-9 is added, far more than the rounding of the evaluation. The
// bound is never below 1e-300: smaller numbers lose their relative accuracy, and 0, which the evaluation underflows to,
// is no bound, as the exact value is above.
func (g DiscreteGaussian) Delta(epsilon float64, steps int64) (float64, error) {
	if err := checkNonNegative("epsilon", epsilon); err != nil {
		return 0, err
	}
	if steps < 1 || steps > largestSteps {
		return 0, fmt.Errorf("privacy: sensitivity is %d steps of the grid; it must lie between 1 and %d", steps,
			largestSteps)
	}
	bound := g.integralDelta(epsilon, float64(steps))
	if g.sigma() <= largestSummed {
		bound = g.summedDelta(epsilon, float64(steps))
	}
	return math.Min(1, math.Max(leastCertified, bound*(1+roundingMargin))), nil
}

const (
	largestSteps   = 1 << 40
	largestSummed  = 1 << 12
	roundingMargin = 1e-9
	leastCertified = 1e-300
)

// summedDelta evaluates the sum over y > y0. P is the density over its sum Z;
// Z >= sqrt(2 pi) sigma by Poisson summation.
func (g DiscreteGaussian) summedDelta(epsilon, steps float64) float64 {
	variance := g.sigma() * g.sigma()
	// Beyond farOut standard deviations, where densities may underflow, terms
	// count whole: a geometric series of ratio exp(-farOut/sigma).
	far := math.Ceil(farOut * g.sigma())
	y := math.Max(math.Floor(epsilon*variance/steps-steps/2), -far)
	sum := 2 * math.Exp(-farOut*farOut/2) * (1 + g.sigma())
	for ; ; y++ {
		density := math.Exp(-y * y / (2 * variance))
		if gain := (2*y*steps+steps*steps)/(2*variance) - epsilon; gain > 0 {
			sum += density * -math.Expm1(-gain)
		}
		if y <= 0 {
			continue
		}
		// Later densities fall at least geometrically by exp(-y/variance).
		if rest := density / -math.Expm1(-y/variance); rest <= roundingMargin/10*sum || density == 0 {
			return (sum + rest) / (sqrt2Pi * g.sigma())
		}
	}
}

// farOut: exp(-38^2/2) = 1e-314.
const farOut = 38

// integralDelta bounds the sum by the integral plus the largest term: the terms are log-concave in y, hence rise and
// fall once. In s = (y-y0)/sigma a term is at most a s exp(-(x+s)^2/2), x = y0/sigma, a = steps/sigma, and at most 1.
func (g DiscreteGaussian) integralDelta(epsilon, steps float64) float64 {
	a := steps / g.sigma()
	x := epsilon/a - a/2
	s := 2 / (x + math.Hypot(x, 2)) // where a s exp(-(x+s)^2/2) is largest
	if x < 0 {
		s = (math.Hypot(x, 2) - x) / 2
	}
	largest := math.Min(1, a*s*math.Exp(-(x+s)*(x+s)/2))
	return math.Exp(logDelta(x, a)) + largest/(sqrt2Pi*g.sigma())
}
