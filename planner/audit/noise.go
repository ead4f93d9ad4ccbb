package audit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// testNoise tests noise against the normal law of the claim's sigma. Noise is what a release has more than its input.
// Released values may be nil. Both are sorted here.
//
// Rounding of releases must not count. A rounded value differs from the value before by at most half a step of the
// grid, which is taken as the least difference between two values: of the noise or of the releases, whichever is
// larger. Every test leaves room for that much.
func (c Claim) testNoise(noise, released []float64) []Test {
	noise, released = slices.Clone(noise), slices.Clone(released)
	slices.Sort(noise)
	slices.Sort(released)
	tolerance := alike * max(c.Sigma, c.Adjacency)
	room := max(leastGap(noise, tolerance), leastGap(released, tolerance), tolerance) / 2
	return []Test{c.testSigma(noise, room), c.testShape(noise, room), c.testRepeats(noise, room, tolerance)}
}

// leastGap returns the least difference of sorted values that is above a tolerance; 0 if there is none.
func leastGap(sorted []float64, tolerance float64) float64 {
	least := math.Inf(1)
	for i := 1; i < len(sorted); i++ {
		if gap := sorted[i] - sorted[i-1]; gap > tolerance {
			least = min(least, gap)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// testSigma tests that the noise has at least the claimed standard deviation. The sum of squares over sigma^2 has the
// chi-squared distribution with as many degrees of freedom as there are values.
func (c Claim) testSigma(noise []float64, room float64) Test {
	n, squares, most := float64(len(noise)), 0.0, 0.0
	for _, v := range noise {
		squares += v * v
		v = math.Abs(v) + room
		most += v * v
	}
	sigma := math.Sqrt(squares / n)
	return Test{Name: "noise_sigma", Measure: "sigma of the noise", Statistic: sigma, Limit: c.Sigma, AtLeast: true,
		Claim: fmt.Sprintf("the noise has a standard deviation of at least %.4g", c.Sigma),
		Finding: fmt.Sprintf("the noise is about %.0f %% of what sigma %.4g says: its standard deviation is %.4g",
			100*sigma/c.Sigma, c.Sigma, sigma),
		P: mathext.GammaIncReg(n/2, most/(2*c.Sigma*c.Sigma)),
	}
}

// testShape tests that the noise is normal with mean 0. Its standard deviation is the claimed one, or the measured one
// if that is larger. The largest distance of the two distribution functions is beyond d with a probability of at most
// 2 exp(-2 n d^2) for a known deviation (Massart 1990), and of less for a measured one; the sum covers both.
func (c Claim) testShape(noise []float64, room float64) Test {
	n, squares := float64(len(noise)), 0.0
	for _, v := range noise {
		squares += v * v
	}
	far := farthest(noise, room, distuv.Normal{Sigma: max(c.Sigma, math.Sqrt(squares/n))}.CDF)
	return Test{Name: "noise_normal", Measure: "distance from a normal law", Claim: "the noise is normal", Statistic: far,
		Chance: true, P: min(1, 4*math.Exp(-2*n*far*far)),
		Finding: fmt.Sprintf("the noise is not normal: the two distributions are up to %.3g apart", far)}
}

// farthest returns the largest distance of the distribution function of sorted values from a law that leaves them some
// room.
func farthest(sorted []float64, room float64, law func(float64) float64) (far float64) {
	n := float64(len(sorted))
	for i, v := range sorted {
		far = max(far, law(v-room)-float64(i)/n, float64(i+1)/n-law(v+room))
	}
	return far
}

// testRepeats tests that no noise repeats more often than rounded normal noise does. Whatever value is the first of k
// in its step, k-1 of the n-1 others are in the same step; the n values that can be the first share the rate.
func (c Claim) testRepeats(noise []float64, room, tolerance float64) Test {
	value, k := mode(noise, tolerance)
	law := distuv.Normal{Sigma: c.Sigma}
	p := law.CDF(value+room+tolerance) - law.CDF(value-room-tolerance)
	t := Test{Name: "noise_repeats", Measure: "values with the same noise", Claim: "normal noise does not repeat",
		Statistic: float64(k), Limit: max(1, math.Ceil(p*float64(len(noise)))), Chance: true, P: 1}
	what := fmt.Sprintf("have the same noise of %.4g", value)
	if math.Abs(value) <= tolerance {
		what = "are their inputs, without noise"
	}
	t.Finding = fmt.Sprintf("%d of %d released values %s", k, len(noise), what)
	if k > 2 { // two may agree up to the tolerance
		t.P = min(1, float64(len(noise))*atLeast(share{k - 1, len(noise) - 1}, p))
	}
	return t
}

// atLeast is the probability of at least s.k successes in s.n trials with probability p.
func atLeast(s share, p float64) float64 {
	if s.k == 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(s.k), float64(s.n-s.k+1), min(1, p))
}

// uniform tests whether numbers are independent and uniform between 0 and 1, as releases are that are put into their
// own distribution functions: by the largest difference of the two distributions. It is beyond d for n numbers with a
// probability of at most 2 exp(-2 n d^2) (Massart 1990).
func uniform(u []float64, claim string) Test {
	slices.Sort(u)
	far, n := farthest(u, 0, func(v float64) float64 { return v }), float64(len(u))
	return Test{Name: "law", Measure: "distance from stated law", Claim: claim, Statistic: far, Chance: true,
		Finding: fmt.Sprintf("it is not true that %s: the two distributions are up to %.3g apart", claim, far),
		P:       min(1, 2*math.Exp(-2*n*far*far))}
}
