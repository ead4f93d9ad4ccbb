package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"veilpath/planner/privacy"
)

// numeric is a Gaussian loss that is not composed by the exact formula.
type numeric struct{ Gaussian }

func repeat(l Loss, n int) []Loss {
	losses := make([]Loss, n)
	for i := range losses {
		losses[i] = l
	}
	return losses
}

// Gaussian losses add up to that of the root of the sum of the squares, by transforms as by the formula: within a
// relative 1e-6 in epsilon, from above.
func TestGaussianLossesComposeToTheExactValue(t *testing.T) {
	for _, mu := range []float64{0.03, 1, 3} {
		for _, releases := range []int{1, 400} {
			for _, delta := range []float64{1e-3, 1e-12} {
				exact, err := privacy.Epsilon(delta, 1/(mu*math.Sqrt(float64(releases))), 1)
				if err != nil {
					t.Fatal(err)
				}
				losses := repeat(numeric{Gaussian{mu}}, releases)
				upper, err := Epsilon(delta, losses...)
				if err != nil || !(upper >= exact && upper <= exact*(1+1e-6)) {
					t.Errorf("%d releases of mu %g at delta %g: epsilon %.9g from above, want %.9g, %v", releases, mu, delta, upper,
						exact, err)
				}
			}
		}
	}
	got, err := Epsilon(1e-6, Gaussian{0.3}, Gaussian{0.4})
	if want, _ := privacy.Epsilon(1e-6, 2, 1); err != nil || math.Abs(got/want-1) > 1e-12 {
		t.Errorf("mu 0.3 and 0.4: epsilon %v, want %v of mu 0.5, %v", got, want, err)
	}
}

// Randomized responses compose as Kairouz, Oh and Viswanath (2015), Theorem 3.3, say: k of them, each (e, d), are
// ((k-2i) e, D_i)-differentially private with D_i = 1 - (1-d)^k (1-X_i),
//
//	X_i = sum over l < i of C(k, l) (exp((k-l) e) - exp((k-2i+l) e))/(1+exp(e))^k.
func TestGuaranteesComposeToTheOptimalValue(t *testing.T) {
	for _, c := range []struct {
		e, d float64
		k    int
	}{{0.5, 0, 2}, {0.1, 1e-8, 20}, {1, 1e-7, 5}, {0.02, 0, 100}} {
		for _, i := range []int{1, c.k / 4, c.k / 2} {
			epsilon, x := float64(c.k-2*i)*c.e, 0.0
			choose := 1.0
			for l := range i {
				x += choose * (math.Exp(float64(c.k-l)*c.e) - math.Exp(float64(c.k-2*i+l)*c.e)) /
					math.Pow(1+math.Exp(c.e), float64(c.k))
				choose *= float64(c.k-l) / float64(l+1)
			}
			infinite := -math.Expm1(float64(c.k) * math.Log1p(-c.d))
			exact := infinite + (1-infinite)*x
			if exact == 0 { // at the largest epsilon
				continue
			}
			losses := repeat(Guarantee{c.e, c.d}, c.k)
			got, err := Epsilon(exact, losses...)
			const rounding = 1e-9
			if err != nil || !(got >= epsilon*(1-rounding) && got <= epsilon*(1+rounding)+rounding) {
				t.Errorf("%+v at delta %g: epsilon %.12g, want %.12g, %v", c, exact, got, epsilon, err)
			}
		}
	}
}

// hockeyStick is delta at any real epsilon of losses with a Gaussian among them, by enumeration.
func hockeyStick(epsilon, mu float64, rest []Loss) float64 {
	if len(rest) == 0 {
		return tail(epsilon/mu-mu/2) - math.Exp(epsilon)*tail(epsilon/mu+mu/2)
	}
	after := func(loss float64) float64 { return hockeyStick(epsilon-loss, mu, rest[1:]) }
	switch l := rest[0].(type) {
	case Guarantee:
		likely := math.Exp(l.Epsilon) / (1 + math.Exp(l.Epsilon))
		return l.Delta + (1-l.Delta)*(likely*after(l.Epsilon)+(1-likely)*after(-l.Epsilon))
	case DiscreteGaussian:
		sum, all := 0.0, 0.0
		steps := float64(l.Steps)
		for y := -20 * math.Ceil(l.Sigma); y <= 20*l.Sigma; y++ {
			p := math.Exp(-y * y / (2 * l.Sigma * l.Sigma))
			all += p
			sum += p * after((2*y*steps+steps*steps)/(2*l.Sigma*l.Sigma))
		}
		return sum / all
	}
	panic(fmt.Sprintf("no exact value for %T", rest[0]))
}

// For random mixtures of mechanisms the epsilon of the exact delta is at least the exact epsilon, and close to it.
func TestTheBoundHoldsTheExactEpsilon(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 8 {
		mu := 0.2 + 2*random.Float64()
		var rest []Loss
		for range 1 + random.IntN(3) {
			if random.IntN(2) == 0 {
				rest = append(rest, Guarantee{2 * random.Float64(), 1e-7 * random.Float64()})
			} else {
				rest = append(rest, DiscreteGaussian{1 + 4*random.Float64(), 1 + random.Int64N(3)})
			}
		}
		losses := append([]Loss{Gaussian{mu}}, rest...)
		epsilon := 6 * random.Float64()
		exact := hockeyStick(epsilon, mu, rest)
		if exact < 1e-6 { // for infinite losses of probability 1e-7 an epsilon is hardly known
			continue
		}
		const sums, apart = 1e-9, 1e-4
		if got, err := Epsilon(exact, losses...); err != nil || !(got >= epsilon*(1-sums) && got <= epsilon+apart) {
			t.Errorf("trial %d, %+v at delta %g: epsilon %.9g, want %.9g, %v", trial, losses, exact, got, epsilon, err)
		}
	}
}

// Google's accountant publishes these in its tests (dp_accounting, privacy_loss_distribution_test.py).
func TestPublishedValues(t *testing.T) {
	for _, c := range []struct {
		loss           Loss
		low, high, p   float64
		withinRounding float64
	}{
		{Gaussian{1}, -1, 0, 0.30853754 - 0.06680720, 2e-8}, {Gaussian{1}, 0, 1, 0.38292492, 1e-8},
		{Gaussian{2}, 1, 2, 0.19146246, 1e-8}, {Gaussian{2}, 3, math.Inf(1), 0.12447741 + 0.18406013, 2e-8},
		{Guarantee{1, 0}, 0.5, 1, 0.73105858, 1e-8}, {Guarantee{1, 0}, -1.5, -1, 0.26894142, 1e-8},
		{Guarantee{0.5, 0.2}, 0, 1, 0.49796746, 1e-8}, {Guarantee{0.5, 0.2}, -1, 0, 0.30203254, 1e-8},
		{Guarantee{0.5, 0.2}, 1, math.Inf(1), 0.2, 1e-15},
	} {
		if p, _ := c.loss.Masses(c.low, c.high); math.Abs(p-c.p) > c.withinRounding {
			t.Errorf("%T%+v is in (%g, %g] with probability %.9g, want %.8f", c.loss, c.loss, c.low, c.high, p, c.p)
		}
	}
	// Their delta at epsilon 3 is 0.00153, to 1e-5; it falls by 0.0047 per epsilon there.
	epsilon, err := Epsilon(0.00153, repeat(numeric{Gaussian{1. / 20}}, 400)...)
	if err != nil || math.Abs(epsilon-3) > 1e-5/0.0047 {
		t.Errorf("400 releases of mu 1/20 at delta 0.00153: epsilon %.6f, want 3, %v", epsilon, err)
	}
}

// Losses without a finite epsilon, without a loss, and impossible ones.
func TestExtremes(t *testing.T) {
	for _, c := range []struct {
		delta  float64
		losses []Loss
		want   float64
	}{
		{1e-6, []Loss{Guarantee{0.4, 1e-5}}, math.Inf(1)},
		{1e-5, []Loss{Guarantee{0.4, 6e-6}, Guarantee{0.4, 6e-6}}, math.Inf(1)},
		{0.3, []Loss{Guarantee{0.4, 1e-5}}, 0}, // at epsilon 0 the delta is 0.197
		{1e-3, []Loss{Guarantee{0, 1e-5}}, 0},
		{1e-9, []Loss{Guarantee{1, 0}}, 1 - 1e-9*(1+math.Exp(-1))}, // delta is (1-exp(epsilon-1))/(1+exp(-1))
		{0.9, []Loss{Guarantee{1, 0}, Gaussian{1}}, 0},
	} {
		if got, err := Epsilon(c.delta, c.losses...); err != nil || !(got >= c.want) || math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%+v at delta %g: epsilon %v, want %v, %v", c.losses, c.delta, got, c.want, err)
		}
	}
	for _, bad := range []Loss{Gaussian{-1}, Gaussian{math.NaN()}, Gaussian{0}, Guarantee{1, 2},
		DiscreteGaussian{0, 1}} {
		if _, err := Epsilon(1e-6, bad); err == nil {
			t.Errorf("%T%+v is accepted", bad, bad)
		}
	}
	if _, err := Epsilon(1e-6); err == nil {
		t.Error("no losses are accepted")
	}
	for _, delta := range []float64{0, 1, math.NaN()} {
		if _, err := Epsilon(delta, Gaussian{1}); err == nil {
			t.Errorf("delta %g is accepted", delta)
		}
	}
}

// The bound holds at every epsilon, whatever losses the weights make likely: it allows for what lies beyond the grid
// and for rounding.
func TestTheBoundHoldsForOtherWeights(t *testing.T) {
	const mu = 0.5
	c, err := newComposition(repeat(numeric{Gaussian{mu}}, 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, weight := range []float64{0.01, 1, 5, 20} {
		s := c.sum(weight)
		for epsilon := 0.0; epsilon < 12; epsilon += 0.1 {
			exact, err := privacy.Delta(epsilon, 1/(2*mu), 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.delta(epsilon); got < exact {
				t.Errorf("weight %g, epsilon %g: delta %g, want %g", weight, epsilon, got, exact)
			}
		}
	}
}

// Guarantees with one Epsilon have a closed form, however large the Epsilon is. The first one alone is randomized
// response: delta = (exp(e) - exp(epsilon))/(1 + exp(e)).
func TestGuaranteesAreExact(t *testing.T) {
	for _, e := range []float64{0.1, 1, 25, 600} {
		for _, epsilon := range []float64{0, e / 2, e} {
			want := -math.Expm1(epsilon-e) / (1 + math.Exp(-e))
			if r, ok := responsesOf([]Loss{Guarantee{Epsilon: e}}); !ok || math.Abs(r.delta(epsilon)-want) > 1e-10*want {
				t.Errorf("e %g: delta %.17g at epsilon %g, want %.17g", e, r.delta(epsilon), epsilon, want)
			}
		}
		delta := 1e-6
		want := e + math.Log1p(-delta*(1+math.Exp(-e)))
		if got, err := Epsilon(delta, Guarantee{Epsilon: e}); err != nil || math.Abs(got-want) > 1e-9*e {
			t.Errorf("e %g: epsilon %.17g, want %.17g, %v", e, got, want, err)
		}
	}
	// Three responses of ln 2: 8/27 of the loss 3 ln 2, of which 3/4 lie beyond ln 2, and 12/27 of ln 2, of which none.
	const want = 8. / 27 * 3 / 4
	if r, ok := responsesOf(repeat(Guarantee{Epsilon: math.Ln2}, 3)); !ok ||
		math.Abs(r.delta(math.Ln2)-want) > 1e-10*want {
		t.Errorf("delta %.17g, want %.17g", r.delta(math.Ln2), want)
	}
	if got, _ := Epsilon(0.01, Guarantee{Epsilon: 2, Delta: 0.01}); math.Abs(got-2) > 1e-9 {
		t.Errorf("epsilon %g at the delta of the guarantee, want 2", got)
	}
}

// Discrete noise of many steps takes no longer than noise of few, and its bound is close to that of the continuous
// noise. Below the limit the sum and the normal agree as closely as is stated.
func TestDiscreteGaussianOfManySteps(t *testing.T) {
	for _, sigma := range []float64{1e5, 1e6, 1e12} {
		start := time.Now()
		noise := DiscreteGaussian{Sigma: sigma, Steps: int64(sigma / 3)}
		mu := float64(noise.Steps) / sigma
		exact, err := privacy.Epsilon(1e-6, 1/mu, 1)
		if err != nil {
			t.Fatal(err)
		}
		upper, err := Epsilon(1e-6, noise)
		if err != nil || !(exact <= upper && upper <= exact*(1+1e-5)) {
			t.Errorf("sigma %g: epsilon %.9g, want %.9g, %v", sigma, upper, exact, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("sigma %g took %v", sigma, took)
		}
	}
	sum := DiscreteGaussian{maxSummedSigma, 5000}
	normal := DiscreteGaussian{math.Nextafter(maxSummedSigma, math.Inf(1)), 5000}
	for _, from := range []float64{-1.01234567, 0.01234567, 1.01234567, 4.01234567} { // away from whole steps
		p, q := sum.Masses(from, from+0.30000003)
		p2, q2 := normal.Masses(from, from+0.30000003)
		if most := normal.relativeError(); math.Abs(p2/p-1) > most || math.Abs(q2/q-1) > most || most > 2e-6 {
			t.Errorf("losses from %g: %g and %g by the sum, %g and %g by the normal", from, p, q, p2, q2)
		}
	}
}
