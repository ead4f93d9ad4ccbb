package loss

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"veilpath/planner/privacy"
)

// The least Mu of randomized response is 2 Qinv(1/(1+exp(epsilon))), where its trade-off curve has its corner
// (Dong, Roth and Su 2022, Section 2). Laplace noise has the same total variation as its Mu, and no epsilon has a
// larger delta.
func TestGDPOfALoss(t *testing.T) {
	for _, epsilon := range []float64{0.1, 0.5, 1, 3, 8} {
		want := -2 * mathext.NormalQuantile(1/(1+math.Exp(epsilon)))
		if got, err := GDPOf(Guarantee{epsilon, 0}); err != nil || math.Abs(got.Mu/want-1) > 1e-9 {
			t.Errorf("epsilon %g: mu %v, want %v, %v", epsilon, got.Mu, want, err)
		}
		l := Laplace{epsilon}
		got, err := GDPOf(l)
		if err != nil {
			t.Fatal(err)
		}
		holds := func(g GDP) bool {
			for e := 0.0; e < epsilon; e += epsilon / 97 {
				if delta, _ := g.Delta(e); delta < curve(l, e)*(1-1e-9) {
					return false
				}
			}
			return true
		}
		if !holds(got) || holds(GDP{got.Mu * 0.999}) {
			t.Errorf("Laplace noise of epsilon %g: mu %g does not hold, or is not the least", epsilon, got.Mu)
		}
	}
	if got, err := GDPOf(Gaussian{0.7}); err != nil || got.Mu != 0.7 {
		t.Errorf("mu %v, %v", got, err)
	}
	for _, l := range []Loss{Guarantee{1, 1e-9}, Dirichlet{5, 1}} {
		if got, err := GDPOf(l); err != nil || !math.IsInf(got.Mu, 1) {
			t.Errorf("%T%+v: mu %v, %v", l, l, got.Mu, err)
		}
	}
}

// The least Rho is Mu^2/2 of a Gaussian; of pure guarantees and Laplace noise it is the Kullback-Leibler divergence,
// epsilon tanh(epsilon/2) and epsilon - 1 + exp(-epsilon), which the divergences over their orders fall from.
func TestZCDPOfALoss(t *testing.T) {
	for _, x := range []float64{0.1, 0.5, 1, 3} {
		for _, c := range []struct {
			loss Loss
			want float64
		}{{Gaussian{x}, x * x / 2}, {Guarantee{x, 0}, x * math.Tanh(x/2)}, {Laplace{x}, x + math.Expm1(-x)},
			{DiscreteGaussian{2 / x, 2}, x * x / 2}} {
			if got := ZCDPOf(c.loss).Rho; !(got >= c.want*(1-1e-12) && got <= c.want*(1+1e-7)) {
				t.Errorf("%T%+v: rho %.10g, want %.10g", c.loss, c.loss, got, c.want)
			}
			if got := ZCDPOf(c.loss); got.Rho < c.loss.Renyi(1.01)/1.01 || got.Rho < c.loss.Renyi(30)/30 {
				t.Errorf("%T%+v: rho %g is below a divergence over its order", c.loss, c.loss, got.Rho)
			}
		}
	}
	if got := ZCDPOf(Dirichlet{5, 1}).Rho; !math.IsInf(got, 1) {
		t.Errorf("Dirichlet noise has rho %g", got)
	}
}

// Conversions there and back return what they began with. What follows from a concentrated guarantee is weaker than
// what is known of the Gaussian mechanism that it came from, and stronger than by the simple bounds of Bun and
// Steinke (2016, Proposition 1.3) and Mironov (2017, Proposition 3). No order gives less.
func TestConversions(t *testing.T) {
	const same = 1e-9
	for _, mu := range []float64{0.05, 0.5, 2} {
		for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
			g := GDP{mu}
			exact, err := g.Epsilon(delta)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := GDPWithin(exact, delta); err != nil || math.Abs(back.Mu/mu-1) > same {
				t.Errorf("mu %g comes back as %g, %v", mu, back.Mu, err)
			}
			if back, err := g.Delta(exact); err != nil || math.Abs(back/delta-1) > same {
				t.Errorf("delta %g comes back as %g, %v", delta, back, err)
			}
			z := g.ZCDP()
			epsilon := z.Epsilon(delta)
			if simple := z.Rho + 2*math.Sqrt(z.Rho*math.Log(1/delta)); !(epsilon > exact && epsilon < simple) {
				t.Errorf("mu %g at delta %g: epsilon %g, want it between %g and %g", mu, delta, epsilon, exact, simple)
			}
			if back := z.Delta(epsilon); math.Abs(back/delta-1) > 1e-7 {
				t.Errorf("rho %g: delta %g comes back as %g", z.Rho, delta, back)
			}
			if back, err := ZCDPWithin(epsilon, delta); err != nil || math.Abs(back.Rho/z.Rho-1) > 1e-7 {
				t.Errorf("rho %g comes back as %g, %v", z.Rho, back.Rho, err)
			}
			for order := 1.001; order < 1e3; order *= 1.3 {
				r := z.Renyi(order)
				e := r.Epsilon(delta)
				if e < epsilon*(1-same) {
					t.Errorf("rho %g: order %g gives epsilon %g, less than %g", z.Rho, order, e, epsilon)
				}
				if simple := r.Divergence + math.Log(1/delta)/(order-1); e > simple {
					t.Errorf("%+v at delta %g: epsilon %g, more than %g", r, delta, e, simple)
				}
				if least, _ := privacy.Delta(1, 1/mu, 1); r.Delta(1) < least {
					t.Errorf("%+v at epsilon 1: delta %g, less than the exact %g", r, r.Delta(1), least)
				}
				if e == 0 {
					continue
				}
				if back := r.Delta(e); math.Abs(back/delta-1) > same {
					t.Errorf("%+v: delta %g comes back as %g", r, delta, back)
				}
				if back, err := RenyiWithin(order, e, delta); err != nil || math.Abs(back.Divergence-r.Divergence) > same*e {
					t.Errorf("%+v comes back as %+v, %v", r, back, err)
				}
			}
		}
	}
	if _, err := RenyiWithin(1.1, 0.1, 1e-6); err == nil {
		t.Error("a divergence of order 1.1 gives epsilon 0.1 at delta 1e-6")
	}
}
