package audit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// near compares with a closed form, to what rounding leaves.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

func TestClosedFormsOfClaimsAndShares(t *testing.T) {
	halved := Claim{Epsilon: math.Log(2), Delta: 0.1, Adjacency: 1}
	near(t, "false negatives at 0.1", halved.FalseNegative(0.1), 1-0.1-2*0.1)
	near(t, "false negatives at 0.5", halved.FalseNegative(0.5), (1-0.1-0.5)/2)
	near(t, "false negatives at 0.95", halved.FalseNegative(0.95), 0)
	near(t, "all of three, at least", share{3, 3}.lower(0.125), 0.5)
	near(t, "one of two, at least", share{1, 2}.lower(0.19), 0.1)
	near(t, "none of three, at most", share{0, 3}.upper(0.125), 0.5)
	near(t, "one of two, at most", share{1, 2}.upper(0.19), 0.9)
	near(t, "any heads or none", atLeast(share{0, 3}, 0.25), 1)
	near(t, "two or three heads", atLeast(share{2, 3}, 0.5), 0.5)
	near(t, "three heads", atLeast(share{3, 3}, 0.5), 0.125)
	near(t, "three of three with one third", atLeast(share{3, 3}, 1./3), 1./27)
	mu, standardError := event{right: share{50, 100}, wrong: share{50, 100}}.mu()
	near(t, "mu of halves", mu, 0)
	near(t, "its standard error", standardError, math.Sqrt(2*0.25/100)*math.Sqrt(2*math.Pi))
}

// The probability of two shares as far apart is the sum over all that are, also if right and wrong exclude each other.
func TestAsFarApartByEnumeration(t *testing.T) {
	const p, q = 0.4, 0.35
	quantiles := func(right, wrong float64) float64 {
		return distuv.UnitNormal.Quantile(right) - distuv.UnitNormal.Quantile(wrong)
	}
	e := event{right: share{5, 6}, wrong: share{2, 7}}
	want := 0.0
	for k := range 7 {
		for l := range 8 {
			if quantiles(share{k, 6}.middle(), share{l, 7}.middle()) >= quantiles(5./6, 2./7)-1e-12 {
				want += distuv.Binomial{N: 6, P: p}.Prob(float64(k)) * distuv.Binomial{N: 7, P: q}.Prob(float64(l))
			}
		}
	}
	near(t, "probability", e.asFarApart(p, q, quantiles), want)

	same := event{right: share{4, 6}, wrong: share{1, 6}, same: true}
	difference := func(right, wrong float64) float64 { return right - 2*wrong }
	want = 0
	for k := range 7 {
		for l := range 7 - k {
			if difference(share{k, 6}.middle(), share{l, 6}.middle()) >= difference(4./6, 1./6)-1e-12 {
				multinomial := math.Gamma(7) / (math.Gamma(float64(k+1)) * math.Gamma(float64(l+1)) * math.Gamma(float64(7-k-l)))
				want += multinomial * math.Pow(p, float64(k)) * math.Pow(q, float64(l)) * math.Pow(1-p-q, float64(6-k-l))
			}
		}
	}
	near(t, "of outcomes that exclude each other", same.asFarApart(p, q, difference), want)
}

// Under (epsilon, delta), n releases that are always told apart are most probable where the wrong input looks so with
// the probability (1-delta)/exp(epsilon). No p-value is NaN, however large epsilon is.
func TestPValuesOfEventsThatNeverAgree(t *testing.T) {
	all := event{right: share{23, 23}, wrong: share{0, 23}}
	want := math.Pow(1-0.99/math.E, 23)
	if p := all.epsilonBeyond(1, 0.01); p > want*1.01+2*outside || p < want/2 {
		t.Errorf("epsilon 1: %g, want %g up to the steps of the search", p, want)
	}
	if p := all.muBeyond(0.1); p < outside || p > 1e-5 {
		t.Errorf("mu 0.1: %g", p)
	}
	for _, p := range []float64{all.epsilonBeyond(1000, 0.01), all.epsilonBeyond(30, 0), all.muBeyond(44),
		event{right: share{0, 23}, wrong: share{23, 23}}.muBeyond(44)} {
		if !(p > 0.5 && p <= 1) { // the range of q ends before 1
			t.Errorf("p %g, want a large one", p)
		}
	}
}

// What a mechanism shows that just keeps (epsilon, delta) is beyond it as rarely as the p-value says, and what shows
// more is found.
func TestEpsilonBeyondAtTheBoundary(t *testing.T) {
	for _, c := range []struct {
		right, wrong int
		low, high    float64
	}{
		{272 + 10, 100, 0.3, 0.9}, // of 1,000 each, as expected at epsilon 1, delta 0.01
		{60, 5, 1e-9, 1e-3},
		{20, 15, 0.9, 1},
	} {
		e := event{right: share{c.right, 1000}, wrong: share{c.wrong, 1000}}
		if p := e.epsilonBeyond(1, 0.01); p < c.low || p > c.high {
			t.Errorf("%+v: p %g, want %g to %g", e, p, c.low, c.high)
		}
	}
}

// The half-line that was chosen and noise that repeats share the rate of a test and the level of a bound.
func TestEventsShareTheRateAndTheLevel(t *testing.T) {
	c := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	e := Evidence{forEpsilon: event{right: share{300, 1000}, wrong: share{100, 1000}},
		repeats: event{right: share{77, 4000}, wrong: share{0, 4000}, same: true}}
	e.bound(c, 0.04)
	near(t, "bound", e.EpsilonLow, max(e.forEpsilon.epsilonLow(0.01, 0.02), e.repeats.epsilonLow(0.01, 0.02)))
	near(t, "p-value", e.tests(c)[0].P, 2*e.repeats.epsilonBeyond(1, 0.01))
	e.repeats = event{}
	e.bound(c, 0.04)
	near(t, "bound of one event", e.EpsilonLow, e.forEpsilon.epsilonLow(0.01, 0.04))
	near(t, "p-value of one event", e.tests(c)[0].P, e.forEpsilon.epsilonBeyond(1, 0.01))
}

// Noise that repeats is counted under both inputs, whatever it is: here 0.7, up to what rounding leaves. What would be
// the other input with this noise is wrong.
func TestRepeatedNoiseByHand(t *testing.T) {
	s := newSplit([]float64{0.7, 3, 1.7, 0.7}, []float64{1.7, 1.7000000000000002, -5, 0.7, 2})
	if noise := s.mostRepeated(1); math.Abs(noise-0.7) > 1e-9 {
		t.Errorf("noise %g repeats, want 0.7", noise)
	}
	want := event{right: share{4, 9}, wrong: share{2, 9}, same: true}
	if got := s.again(1, 0.7); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if noise := newSplit([]float64{0.3, 0.7}, []float64{1.1, 2}).mostRepeated(1); noise != 0 {
		t.Errorf("noise %g, want 0 where none repeats", noise)
	}
}

// A bound beyond what is promised is never written as what is promised.
func TestBoundsDifferFromThePromise(t *testing.T) {
	for _, c := range []struct {
		low, promised float64
		want          string
	}{{1.0031, 1, "1.003"}, {0.99996, 1, "0.99996"}, {1, 1, "1"}, {2.345, 1, "2.35"}} {
		if got := lowerBound(c.low, c.promised); got != c.want {
			t.Errorf("%g beside %g is written as %s, want %s", c.low, c.promised, got, c.want)
		}
	}
}
