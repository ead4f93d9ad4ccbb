package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/integrate/quad"

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
// relative 1e-6 in epsilon, on the side that each bound promises.
func TestGaussianLossesComposeToTheExactValue(t *testing.T) {
	for _, mu := range []float64{0.03, 1, 3} {
		for _, releases := range []int{1, 400} {
			for _, delta := range []float64{1e-3, 1e-12} {
				exact, err := privacy.Epsilon(delta, 1/(mu*math.Sqrt(float64(releases))), 1)
				if err != nil {
					t.Fatal(err)
				}
				losses := repeat(numeric{Gaussian{mu}}, releases)
				upper, err := Upper.Epsilon(delta, losses...)
				if err != nil || !(upper >= exact && upper <= exact*(1+1e-6)) {
					t.Errorf("%d releases of mu %g at delta %g: epsilon %.9g from above, want %.9g, %v", releases, mu, delta, upper,
						exact, err)
				}
				if lower, err := Lower.Epsilon(delta, losses...); err != nil || !(lower <= exact && lower >= exact*(1-5e-5)) {
					t.Errorf("%d releases of mu %g at delta %g: epsilon %.9g from below, want %.9g, %v", releases, mu, delta, lower,
						exact, err)
				}
			}
		}
	}
	got, err := Upper.Epsilon(1e-6, Gaussian{0.3}, Gaussian{0.4})
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
			losses := repeat(Guarantee{c.e, c.d}, c.k)
			upper, err := Upper.Delta(epsilon, losses...)
			lower, err2 := Lower.Delta(epsilon, losses...)
			if err != nil || err2 != nil || !(lower <= exact && exact <= upper) || !(upper <= exact*(1+1e-2)+1e-7) ||
				!(lower >= exact*(1-1e-2)) {
				t.Errorf("%+v at epsilon %g: delta from %.9g to %.9g, want %.9g, %v %v", c, epsilon, lower, upper, exact, err, err2)
			}
		}
	}
}

// hockeyStick is delta at any real epsilon of losses with a Gaussian among them, by enumeration and quadrature.
func hockeyStick(epsilon, mu float64, rest []Loss) float64 {
	if len(rest) == 0 {
		return tail(epsilon/mu-mu/2) - math.Exp(epsilon)*tail(epsilon/mu+mu/2)
	}
	after := func(loss float64) float64 { return hockeyStick(epsilon-loss, mu, rest[1:]) }
	switch l := rest[0].(type) {
	case Guarantee:
		likely := math.Exp(l.Epsilon) / (1 + math.Exp(l.Epsilon))
		return l.Delta + (1-l.Delta)*(likely*after(l.Epsilon)+(1-likely)*after(-l.Epsilon))
	case Laplace:
		between := quad.Fixed(func(x float64) float64 { return math.Exp(-x) / 2 * after(l.Epsilon-2*x) }, 0, l.Epsilon, 40,
			quad.Legendre{}, 0)
		return (after(l.Epsilon)+math.Exp(-l.Epsilon)*after(-l.Epsilon))/2 + between
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

// For random mixtures of mechanisms the lower bound is at most the exact delta and the upper bound at least that,
// and they are close.
func TestBoundsHoldTheExactDelta(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 8 {
		mu := 0.2 + 2*random.Float64()
		var rest []Loss
		for range 1 + random.IntN(3) {
			switch random.IntN(3) {
			case 0:
				rest = append(rest, Guarantee{2 * random.Float64(), 1e-7 * random.Float64()})
			case 1:
				rest = append(rest, Laplace{2 * random.Float64()})
			default:
				rest = append(rest, DiscreteGaussian{1 + 4*random.Float64(), 1 + random.Int64N(3)})
			}
		}
		losses := append([]Loss{Gaussian{mu}}, rest...)
		epsilon := 6 * random.Float64()
		exact := hockeyStick(epsilon, mu, rest)
		if exact < 1e-6 { // for infinite losses of probability 1e-7 an epsilon is hardly known
			continue
		}
		const quadrature = 1e-9 // relative
		upper, err := Upper.Delta(epsilon, losses...)
		if err != nil || !(upper >= exact*(1-quadrature)) || !(upper <= exact*(1+1e-5)) {
			t.Errorf("trial %d, %+v at epsilon %g: delta %.9g from above, want %.9g, %v", trial, losses, epsilon, upper,
				exact, err)
		}
		lower, err := Lower.Delta(epsilon, losses...)
		if err != nil || !(lower <= exact*(1+quadrature)) || !(lower >= exact*(1-2e-3)) {
			t.Errorf("trial %d, %+v at epsilon %g: delta %.9g from below, want %.9g, %v", trial, losses, epsilon, lower,
				exact, err)
		}
		// The epsilons of the exact delta lie on either side of epsilon.
		high, err := Upper.Epsilon(exact, losses...)
		low, err2 := Lower.Epsilon(exact, losses...)
		if err != nil || err2 != nil || !(low <= epsilon*(1+1e-9) && epsilon <= high*(1+1e-9)) || high-low > 2e-3 {
			t.Errorf("trial %d, %+v at delta %g: epsilon from %.9g to %.9g, want %.9g, %v %v", trial, losses, exact, low, high,
				epsilon, err, err2)
		}
	}
}

// Two Laplace losses compose to what the integral of one curve over the other's loss says.
func TestLaplaceLossesComposeToTheIntegral(t *testing.T) {
	curve := func(e, epsilon float64) float64 { // of one, at any real epsilon
		switch {
		case epsilon >= e:
			return 0
		case epsilon <= -e:
			return -math.Expm1(epsilon)
		}
		return -math.Expm1((epsilon - e) / 2)
	}
	for _, c := range []struct{ one, other, epsilon float64 }{{0.5, 0.5, 0.3}, {0.5, 0.5, 0.95}, {1, 0.25, 0},
		{1, 0.25, 1.2}, {2, 3, 4.9}} {
		e := c.other
		exact := (curve(c.one, c.epsilon-e) + math.Exp(-e)*curve(c.one, c.epsilon+e)) / 2
		const panels = 2000 // the curve has kinks
		for i := range panels {
			exact += quad.Fixed(func(x float64) float64 { return math.Exp(-x) / 2 * curve(c.one, c.epsilon-e+2*x) },
				e*float64(i)/panels, e*float64(i+1)/panels, 4, quad.Legendre{}, 0)
		}
		upper, err := Upper.Delta(c.epsilon, Laplace{c.one}, Laplace{c.other})
		lower, err2 := Lower.Delta(c.epsilon, Laplace{c.one}, Laplace{c.other})
		const quadrature = 1e-8
		if err != nil || err2 != nil || !(lower <= exact*(1+quadrature) && exact <= upper*(1+quadrature)) ||
			!(upper <= exact*(1+1e-4)) || !(lower >= exact*(1-1e-2)) {
			t.Errorf("%+v: delta from %.9g to %.9g, want %.9g, %v %v", c, lower, upper, exact, err, err2)
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
		{Laplace{1}, 0, 1, 0.69673467, 1e-8}, {Laplace{1}, -1, 0, 0.11932561, 1e-8}, {Laplace{1}, -2, -1, 0.18393972, 1e-8},
		{Laplace{2}, 0, 1, 0.11932561, 1e-8}, {Laplace{2}, -1, 0, 0.07237464, 1e-8}, {Laplace{2}, -2, -1, 0.04389744, 1e-8},
		{Laplace{2}, -3, -2, 0.06766764, 1e-8},
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
	delta, err := Upper.Delta(3, repeat(numeric{Gaussian{1. / 20}}, 400)...)
	if err != nil || math.Abs(delta-0.00153) > 1e-5 {
		t.Errorf("400 releases of mu 1/20 at epsilon 3: delta %.6f, want 0.00153, %v", delta, err)
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
		{0.9, []Loss{Laplace{1}, Gaussian{1}}, 0},
	} {
		for _, bound := range []Bound{Upper, Lower} {
			got, err := bound.Epsilon(c.delta, c.losses...)
			above := got >= c.want
			if bound == Lower {
				above = got <= c.want
			}
			if err != nil || !above || math.Abs(got-c.want) > 1e-4 {
				t.Errorf("%+v at delta %g: epsilon %v, want %v, %v", c.losses, c.delta, got, c.want, err)
			}
		}
	}
	for _, bad := range []Loss{Gaussian{-1}, Gaussian{math.NaN()}, Gaussian{0}, Laplace{-1}, Guarantee{1, 2},
		DiscreteGaussian{0, 1}} {
		if _, err := Upper.Epsilon(1e-6, bad); err == nil {
			t.Errorf("%T%+v is accepted", bad, bad)
		}
	}
	if _, err := Upper.Epsilon(1e-6); err == nil {
		t.Error("no losses are accepted")
	}
	for _, delta := range []float64{0, 1, math.NaN()} {
		if _, err := Upper.Epsilon(delta, Gaussian{1}); err == nil {
			t.Errorf("delta %g is accepted", delta)
		}
	}
	for _, epsilon := range []float64{-1, math.Inf(1), math.NaN()} {
		if _, err := Upper.Delta(epsilon, Gaussian{1}); err == nil {
			t.Errorf("epsilon %g is accepted", epsilon)
		}
	}
}

// The bounds hold at every epsilon, whatever losses the weights make likely: they allow for what lies beyond the grid
// and for rounding.
func TestBoundsHoldForOtherWeights(t *testing.T) {
	const mu = 0.5
	for _, bound := range []Bound{Upper, Lower} {
		c, err := newComposition(bound, repeat(numeric{Gaussian{mu}}, 4))
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
				if got := s.delta(epsilon); bound == Upper && got < exact || bound == Lower && got > exact {
					t.Errorf("bound %d, weight %g, epsilon %g: delta %g, want %g", bound, weight, epsilon, got, exact)
				}
			}
		}
	}
}

// Guarantees with one Epsilon have a closed form, from both sides, however large the Epsilon is. The first one alone is
// randomized response: delta = (exp(e) - exp(epsilon))/(1 + exp(e)).
func TestGuaranteesAreExact(t *testing.T) {
	for _, b := range []Bound{Upper, Lower} {
		for _, e := range []float64{0.1, 1, 25, 600} {
			for _, epsilon := range []float64{0, e / 2, e} {
				want := -math.Expm1(epsilon-e) / (1 + math.Exp(-e))
				if got, err := b.Delta(epsilon, Guarantee{Epsilon: e}); err != nil || math.Abs(got-want) > 1e-10*want {
					t.Errorf("bound %d, e %g: delta %.17g at epsilon %g, want %.17g, %v", b, e, got, epsilon, want, err)
				}
			}
			delta := 1e-6
			want := e + math.Log1p(-delta*(1+math.Exp(-e)))
			if got, err := b.Epsilon(delta, Guarantee{Epsilon: e}); err != nil || math.Abs(got-want) > 1e-9*e {
				t.Errorf("bound %d, e %g: epsilon %.17g, want %.17g, %v", b, e, got, want, err)
			}
		}
		// Three responses of ln 2: 8/27 of the loss 3 ln 2, of which 3/4 lie beyond ln 2, and 12/27 of ln 2, of which none.
		const want = 8. / 27 * 3 / 4
		if got, err := b.Delta(math.Ln2, repeat(Guarantee{Epsilon: math.Ln2}, 3)...); err != nil ||
			math.Abs(got-want) > 1e-10*want {
			t.Errorf("bound %d: delta %.17g, want %.17g, %v", b, got, want, err)
		}
		if got, _ := b.Epsilon(0.01, Guarantee{Epsilon: 2, Delta: 0.01}); math.Abs(got-2) > 1e-9 {
			t.Errorf("bound %d: epsilon %g at the delta of the guarantee, want 2", b, got)
		}
	}
}

// Discrete noise of many steps takes no longer than noise of few, and its bounds hold those of the continuous noise.
// Below the limit the sum and the normal agree as closely as is stated.
func TestDiscreteGaussianOfManySteps(t *testing.T) {
	for _, sigma := range []float64{1e5, 1e6, 1e12} {
		start := time.Now()
		noise := DiscreteGaussian{Sigma: sigma, Steps: int64(sigma / 3)}
		mu := float64(noise.Steps) / sigma
		exact, err := privacy.Epsilon(1e-6, 1/mu, 1)
		if err != nil {
			t.Fatal(err)
		}
		upper, err := Upper.Epsilon(1e-6, noise)
		lower, err2 := Lower.Epsilon(1e-6, noise)
		if err != nil || err2 != nil || !(lower <= exact && exact <= upper && upper <= exact*(1+1e-5) &&
			lower >= exact*(1-1e-3)) {
			t.Errorf("sigma %g: epsilon %.9g to %.9g, want %.9g within, %v, %v", sigma, lower, upper, exact, err, err2)
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
