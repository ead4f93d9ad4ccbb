package loss

import "math"

// Loss is the privacy loss of a release: log P(x)/Q(x), for the two hardest neighbours' distributions P and Q of the
// output x. A type that implements it must be comparable, so that equal losses are computed once.
type Loss interface {
	// Masses returns the probabilities of a loss above low and up to high, under P and under Q. An infinite loss
	// counts if high is +Inf.
	Masses(low, high float64) (p, q float64)
}

// Gaussian is the loss of normal noise: P = N(Mu, 1) and Q = N(0, 1), so that L is N(Mu^2/2, Mu^2) under P. Mu is
// the L2 sensitivity over the standard deviation.
type Gaussian struct{ Mu float64 }

func (g Gaussian) Masses(low, high float64) (p, q float64) {
	between := func(mean float64) float64 {
		a, b := (low-mean)/g.Mu, (high-mean)/g.Mu
		if a > 0 { // tails keep their digits
			return tail(a) - tail(b)
		}
		return tail(-b) - tail(-a)
	}
	return between(g.Mu * g.Mu / 2), between(-g.Mu * g.Mu / 2)
}

// tail is the probability that a standard normal exceeds x.
func tail(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// Guarantee is the largest loss that (Epsilon, Delta)-differential privacy allows, whatever the mechanism (Kairouz,
// Oh and Viswanath 2015): infinite with probability Delta, and otherwise that of randomized response, Epsilon or
// -Epsilon. Epsilon is 0 or more, Delta in [0, 1).
type Guarantee struct{ Epsilon, Delta float64 }

func (g Guarantee) Masses(low, high float64) (p, q float64) {
	in := func(loss float64) bool { return low < loss && loss <= high }
	if in(math.Inf(1)) {
		p = g.Delta
	}
	if in(g.Epsilon) {
		likely := (1 - g.Delta) / (1 + math.Exp(-g.Epsilon))
		p, q = p+likely, q+likely*math.Exp(-g.Epsilon)
	}
	if in(-g.Epsilon) {
		likely := (1 - g.Delta) / (1 + math.Exp(-g.Epsilon))
		p, q = p+likely*math.Exp(-g.Epsilon), q+likely
	}
	if math.IsInf(low, -1) {
		q += g.Delta
	}
	return p, q
}

// DiscreteGaussian is the loss of discrete Gaussian noise of standard deviation Sigma, in steps, on an integer of
// sensitivity Steps, see privacy.DiscreteGaussian. Sigma is at least 1/2.
type DiscreteGaussian struct {
	Sigma float64
	Steps int64
}

// maxSummedSigma is the Sigma above which probabilities are those of the continuous normal over the same steps, each
// with half a step on both sides: a sum takes time in proportion to Sigma. By the midpoint rule the two differ by a
// share of about (1 + z^2)/(24 Sigma^2) at z standard deviations, see DiscreteGaussian.relativeError.
const maxSummedSigma = 10_000

// A density underflows beyond farthestSigma standard deviations.
const farthestSigma = 38

// relativeError is the largest relative error of a probability.
func (g DiscreteGaussian) relativeError() float64 {
	if g.Sigma <= maxSummedSigma {
		return 0
	}
	return (1 + farthestSigma*farthestSigma) / (12 * g.Sigma * g.Sigma)
}

// Masses implements Loss: the noise y has the loss (2 y Steps + Steps^2)/(2 Sigma^2).
func (g DiscreteGaussian) Masses(low, high float64) (p, q float64) {
	variance, steps := g.Sigma*g.Sigma, float64(g.Steps)
	noise := func(loss float64) float64 {
		y := math.Floor((2*variance*loss - steps*steps) / (2 * steps))
		return max(-farthestSigma*g.Sigma-steps-1, min(y, farthestSigma*g.Sigma))
	}
	if g.Sigma > maxSummedSigma {
		from, to := noise(low)+0.5, noise(high)+0.5
		between := func(from, to float64) float64 {
			if from > 0 { // tails keep their digits
				return tail(from/g.Sigma) - tail(to/g.Sigma)
			}
			return tail(-to/g.Sigma) - tail(-from/g.Sigma)
		}
		return between(from, to), between(from+steps, to+steps)
	}
	// The sum of all densities, by Poisson summation; later terms are below 1e-16.
	sum := math.Sqrt(2*math.Pi*variance) * (1 + 2*(math.Exp(-2*math.Pi*math.Pi*variance)+
		math.Exp(-8*math.Pi*math.Pi*variance)))
	for y := math.Floor(noise(low)) + 1; y <= noise(high); y++ {
		p += math.Exp(-y*y/(2*variance)) / sum
		q += math.Exp(-(y+steps)*(y+steps)/(2*variance)) / sum
	}
	return p, q
}
