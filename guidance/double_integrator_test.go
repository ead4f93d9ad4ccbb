package guidance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// doubleIntegrator is the plant of the linear theory: what is commanded is the acceleration. It keeps the
// position as the vector to the target, whose rounding shrinks on the way; that of a position would be
// divided by tgo^2.
type doubleIntegrator struct{ toGo, v r3.Vec }

// feedback is a law that knows the time to go exactly.
type feedback func(toGo, v r3.Vec, tgo float64) r3.Vec

// moment is one step of a flight of the double integrator.
type moment struct {
	tgo     float64
	command r3.Vec
}

// The laws divide by powers of the time to go, so steps of equal length would be too coarse at the end
// however short they are. Steps that are a fixed fraction of the time to go see the same dynamics at
// every scale: with closed-loop exponents up to n+3 = 5 a step of one part in 500 leaves a relative
// Runge-Kutta error of (5/500)^4/120, about 1e-10.
const stepPerTgo = 1. / 500

// endPerTgo is where a flight ends, as a fraction of its whole time: what is left shrinks with its first
// power at least, while rounding grows with the inverse.
const endPerTgo = 1e-5

// fly integrates the plant from the full time to go to almost none. It returns the flight, the plant at
// the end, the time to go left there, and the integral of |a|^2/tgo^n up to it.
func (p doubleIntegrator) fly(law feedback, tgo, n float64) (flight []moment, end doubleIntegrator, left,
	cost float64) {
	rate := func(s doubleIntegrator, tgo float64) (dv r3.Vec, dcost float64) {
		dv = law(s.toGo, s.v, tgo)
		return dv, r3.Norm2(dv) / math.Pow(tgo, n)
	}
	shift := func(s doubleIntegrator, h float64, v, dv r3.Vec) doubleIntegrator {
		return doubleIntegrator{r3.Sub(s.toGo, r3.Scale(h, v)), r3.Add(s.v, r3.Scale(h, dv))}
	}
	sum := func(k1, k2, k3, k4 r3.Vec) r3.Vec {
		return r3.Add(r3.Add(k1, k4), r3.Scale(2, r3.Add(k2, k3)))
	}
	for last := tgo * endPerTgo; tgo > last; {
		h := tgo * stepPerTgo
		a1, c1 := rate(p, tgo)
		p2 := shift(p, h/2, p.v, a1)
		a2, c2 := rate(p2, tgo-h/2)
		p3 := shift(p, h/2, p2.v, a2)
		a3, c3 := rate(p3, tgo-h/2)
		p4 := shift(p, h, p3.v, a3)
		a4, c4 := rate(p4, tgo-h)
		flight = append(flight, moment{tgo, a1})
		p = shift(p, h/6, sum(p.v, p2.v, p3.v, p4.v), sum(a1, a2, a3, a4))
		cost += h / 6 * (c1 + 2*c2 + 2*c3 + c4)
		tgo -= h
	}
	return flight, p, tgo, cost
}
