package loss

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"veilpath/planner/privacy"
)

// GDP is Gaussian differential privacy: neighbours are at least as hard to distinguish as N(0, 1) and N(Mu, 1)
// (Dong, Roth and Su 2022).
type GDP struct{ Mu float64 }

// Epsilon returns the least epsilon at a delta in (0, 1).
func (g GDP) Epsilon(delta float64) (float64, error) { return privacy.Epsilon(delta, 1/g.Mu, 1) }

// Delta returns the least delta at an epsilon, 0 or more.
func (g GDP) Delta(epsilon float64) (float64, error) { return privacy.Delta(epsilon, 1/g.Mu, 1) }

// ZCDP returns the zero-concentrated differential privacy that follows.
func (g GDP) ZCDP() ZCDP { return ZCDP{g.Mu * g.Mu / 2} }

// GDPWithin returns the largest Mu from which (epsilon, delta)-differential privacy follows.
func GDPWithin(epsilon, delta float64) (GDP, error) {
	sigma, err := privacy.Analytic.Sigma(epsilon, delta, 1)
	return GDP{1 / sigma}, err
}

// GDPOf returns the least Mu that a loss allows, +Inf if none does. It is exact for [Gaussian] and for a [Guarantee]
// with a Delta of 0; otherwise it is the largest found at 200 epsilons.
func GDPOf(l Loss) (GDP, error) {
	if g, ok := l.(Gaussian); ok {
		return GDP(g), nil
	}
	if math.IsInf(ZCDPOf(l).Rho, 1) { // Mu gives a finite Rho
		return GDP{math.Inf(1)}, nil
	}
	p, q := l.Masses(0, math.Inf(1))
	mu := 2 * mathext.NormalQuantile((1+p-q)/2) // at epsilon 0, where delta is 2 Phi(Mu/2) - 1
	const steps = 200
	_, high := reach(l)
	for i := range steps {
		epsilon := high * float64(1+i) / steps
		p, q := l.Masses(epsilon, math.Inf(1))
		delta := p - math.Exp(epsilon)*q
		if !(delta > 0) {
			break
		}
		within, err := GDPWithin(epsilon, delta)
		if err != nil {
			return GDP{}, err
		}
		mu = max(mu, within.Mu)
	}
	return GDP{mu}, nil
}

// ZCDP is zero-concentrated differential privacy: the Renyi divergence of every order a > 1 is at most a Rho (Bun
// and Steinke 2016).
type ZCDP struct{ Rho float64 }

// Epsilon returns an epsilon at a delta in (0, 1): the least that follows from the Renyi divergences of all orders.
func (z ZCDP) Epsilon(delta float64) float64 {
	a := 1 + math.Exp(minimum(func(u float64) float64 { return z.Renyi(1 + math.Exp(u)).Epsilon(delta) }, orders))
	return z.Renyi(a).Epsilon(delta)
}

// Delta returns a delta at an epsilon, 0 or more: the least that follows from the Renyi divergences of all orders.
func (z ZCDP) Delta(epsilon float64) float64 {
	a := 1 + math.Exp(minimum(func(u float64) float64 { return z.Renyi(1 + math.Exp(u)).logDelta(epsilon) }, orders))
	return min(1, math.Exp(z.Renyi(a).logDelta(epsilon)))
}

// Renyi returns the Renyi differential privacy of an order above 1 that follows.
func (z ZCDP) Renyi(order float64) Renyi { return Renyi{order, order * z.Rho} }

// ZCDPWithin returns the largest Rho from which Epsilon and Delta find (epsilon, delta)-differential privacy. It is
// an error if no Rho above 0 will do.
func ZCDPWithin(epsilon, delta float64) (ZCDP, error) {
	rho := func(u float64) float64 {
		r, _ := RenyiWithin(1+math.Exp(u), epsilon, delta)
		return r.Divergence / r.Order
	}
	z := ZCDP{rho(minimum(func(u float64) float64 { return -rho(u) }, orders))}
	if !(z.Rho > 0) {
		return ZCDP{}, fmt.Errorf("loss: no zero-concentrated privacy gives epsilon %g at delta %g; raise either", epsilon,
			delta)
	}
	return z, nil
}

// ZCDPOf returns the least Rho of a loss, +Inf if there is none: the largest Renyi divergence over its order, to a
// relative 1e-7 and rounded up.
func ZCDPOf(l Loss) ZCDP {
	ratio := func(u float64) float64 { return l.Renyi(1+math.Exp(u)) / (1 + math.Exp(u)) }
	best := orders[0]
	for u := orders[0]; u <= orders[1]; u += orderStep {
		if ratio(u) > ratio(best) {
			best = u
		}
	}
	best = minimum(func(u float64) float64 { return -ratio(u) }, [2]float64{best - orderStep, best + orderStep})
	return ZCDP{ratio(best) * (1 + 1e-8)}
}

// orders is the range of log(order-1) that is searched for the best order, and orderStep the first step of the
// search.
var orders = [2]float64{-20, 20}

const orderStep = 0.25

// Renyi is Renyi differential privacy: the Renyi divergence of an Order above 1 is at most Divergence (Mironov
// 2017).
type Renyi struct{ Order, Divergence float64 }

// Epsilon returns the least epsilon that follows at a delta in (0, 1), 0 or more (Canonne, Kamath and Steinke 2020,
// Proposition 12).
func (r Renyi) Epsilon(delta float64) float64 {
	return max(0, r.Divergence+math.Log1p(-1/r.Order)-(math.Log(delta)+math.Log(r.Order))/(r.Order-1))
}

// Delta returns the least delta that follows at an epsilon.
func (r Renyi) Delta(epsilon float64) float64 { return min(1, math.Exp(r.logDelta(epsilon))) }

func (r Renyi) logDelta(epsilon float64) float64 {
	return (r.Order-1)*(r.Divergence-epsilon+math.Log1p(-1/r.Order)) - math.Log(r.Order)
}

// RenyiWithin returns the largest Divergence of an order above 1 from which (epsilon, delta)-differential privacy
// follows. It is an error if that is not above 0.
func RenyiWithin(order, epsilon, delta float64) (Renyi, error) {
	r := Renyi{order, epsilon - math.Log1p(-1/order) + (math.Log(delta)+math.Log(order))/(order-1)}
	if !(r.Divergence > 0) {
		return r, fmt.Errorf("loss: no Renyi divergence of order %g gives epsilon %g at delta %g; take a larger order",
			order, epsilon, delta)
	}
	return r, nil
}

// minimum returns where a function with a single minimum in a range has it, to about 1e-9 of the range (golden
// section).
func minimum(f func(float64) float64, within [2]float64) float64 {
	const golden = 0.6180339887498949
	low, high := within[0], within[1]
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range 45 {
		if fa <= fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}
