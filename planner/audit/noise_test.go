package audit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The tests of noise by hand, for values that are no more than rounding apart and for others.
func TestNoiseByHand(t *testing.T) {
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}
	tests := claim.testNoise([]float64{-3, 1, 0, 2, 1, 1}, []float64{7, 7.5, 8, 10})
	// The grid has steps of 1: each square is at most that of the value and half a step. Chi-squared of 6 degrees of
	// freedom is below x with the probability 1 - exp(-x/2)(1 + x/2 + x^2/8).
	x := (3.5*3.5 + 3*1.5*1.5 + 0.5*0.5 + 2.5*2.5) / 4
	near(t, "sigma", tests[0].Statistic, math.Sqrt(16./6))
	near(t, "its probability", tests[0].P, 1-math.Exp(-x/2)*(1+x/2+x*x/8))
	// At -3 a sixth of the values has come, and at 1 five sixths, of which all lay below 1.5.
	cdf := distuv.Normal{Sigma: 2}.CDF
	near(t, "distance", tests[1].Statistic, max(1./6-cdf(-2.5), 5./6-cdf(1.5), cdf(0.5)-1./3))
	near(t, "its probability", tests[1].P, 1)
	// Three values of 1 are in one step of 0.1: one of six is the first, and two or more of five others follow it.
	repeats := claim.testNoise([]float64{-3, 1, 0.9, 2, 1, 1}, nil)[2]
	p := cdf(1.05) - cdf(0.95)
	near(t, "repeats", repeats.Statistic, 3)
	want := 6 * (10*p*p*math.Pow(1-p, 3) + 10*math.Pow(p, 3)*(1-p)*(1-p) + 5*math.Pow(p, 4)*(1-p) + math.Pow(p, 5))
	if math.Abs(repeats.P/want-1) > 1e-6 || want > 0.1 { // up to the tolerance of equal values
		t.Errorf("probability of three: %g, want %g", repeats.P, want)
	}
}

// A sigma that is 10 % low is found by 2,400 differences of release and input, six standard errors of their variance,
// and one that is larger than stated is no fault. Rounding of releases does not count.
func TestNoiseOfAnotherSigma(t *testing.T) {
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		by, step float64
		found    bool
	}{{0.9, 0, true}, {0.9, 0.01, true}, {1, 0, false}, {1, 0.01, false}, {1, 1, false}, {1, 5, false}, {1.5, 0, false}} {
		var noise, released []float64
		for i := range 2400 {
			reward := 0.333 * float64(i%40)
			v := reward + c.by*claim.Sigma*random.NormFloat64()
			if c.step > 0 {
				v = c.step * math.Round(v/c.step)
			}
			noise, released = append(noise, v-reward), append(released, v)
		}
		least := 1.0
		for _, test := range claim.testNoise(noise, released) {
			least = min(least, test.P)
		}
		if found := least < 1e-4; found != c.found {
			t.Errorf("%g sigma, steps of %g: p %g, found %t", c.by, c.step, least, found)
		}
	}
}

// Uniform numbers are a distance of 1/(2n) off at the least, and 1 at the most.
func TestUniformByHand(t *testing.T) {
	near(t, "evenly spread", uniform([]float64{0.875, 0.125, 0.625, 0.375}, "").Statistic, 0.125)
	near(t, "all 0", uniform([]float64{0, 0}, "").Statistic, 1)
	near(t, "its probability", uniform(make([]float64, 5), "").P, 2*math.Exp(-10))
}
