package guidance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Genex steers to a target and arrives with a given velocity. For a double integrator it minimises the integral
// of a^2/tgo^n (Ohlmeyer & Phillips, "Generalized Vector Explicit Guidance", J. Guidance, Control, and Dynamics
// 29(2), 2006): a = [K1 (r_f - r - v tgo) + K2 (v_f - v) tgo]/tgo^2 with K1 = (n+2)(n+3) and K2 = -(n+1)(n+2).
// Use NewGenex.
type Genex struct {
	N            float64 // exponent of the weight on time-to-go, > -1
	SpeedKmS     float64 // km/s, > 0
	MinTimeToGoS float64 // lower limit of the time-to-go, s, > 0
	Target       r3.Vec  // r_f, km
	Arrival      r3.Vec  // v_f, the desired velocity at the target, km/s

	k1, k2     float64
	perFloor   float64 // 1 / MinTimeToGoS
	floorSqKm2 float64 // squared range below which the limit applies
}

// NewGenex returns the law with its constants; the arrival may be set later.
func NewGenex(n, speedKmS, minTimeToGoS float64, target, arrival r3.Vec) Genex {
	k1, k2 := Gains(n)
	floorKm := speedKmS * minTimeToGoS
	return Genex{
		N: n, SpeedKmS: speedKmS, MinTimeToGoS: minTimeToGoS, Target: target, Arrival: arrival,
		k1: k1, k2: k2, perFloor: 1 / minTimeToGoS, floorSqKm2: floorKm * floorKm,
	}
}

// Gains returns K1 and K2 of the law with exponent n.
func Gains(n float64) (k1, k2 float64) { return (n + 2) * (n + 3), -(n + 1) * (n + 2) }

// ExplicitCommand is the law for a given time-to-go: toGo is r_f - r (km), v and arrival the current and the
// desired velocity (km/s). It returns km/s^2.
func ExplicitCommand(n float64, toGo, v, arrival r3.Vec, tgo float64) r3.Vec {
	k1, k2 := Gains(n)
	miss := r3.Sub(toGo, r3.Scale(tgo, v))
	turn := r3.Scale(tgo, r3.Sub(arrival, v))
	return r3.Scale(1/(tgo*tgo), r3.Add(r3.Scale(k1, miss), r3.Scale(k2, turn)))
}

// Command returns the commanded acceleration, km/s^2, at position r (km) and velocity v (km/s).
func (g *Genex) Command(r, v r3.Vec) r3.Vec {
	toGo := r3.Sub(g.Target, r)
	tgo := max(r3.Norm(toGo)/g.SpeedKmS, g.MinTimeToGoS)
	return ExplicitCommand(g.N, toGo, v, g.Arrival, tgo)
}

// Lateral returns the part of Command perpendicular to v. The terms along v vanish in the projection, which
// leaves K1 (r_f - r)/tgo^2 + K2 v_f/tgo. Both vectors are projected before they are scaled, so that the
// processor projects while it computes the square root and the quotient of tgo.
func (g *Genex) Lateral(r, v r3.Vec) r3.Vec {
	toGo := r3.Sub(g.Target, r)
	perTgo := g.perFloor
	if rangeSq := r3.Dot(toGo, toGo); rangeSq > g.floorSqKm2 {
		perTgo = g.SpeedKmS / math.Sqrt(rangeSq)
	}
	perSpeedSq := 1 / r3.Dot(v, v)
	a := r3.Scale(g.k1*perTgo*perTgo, across(toGo, v, perSpeedSq))
	return r3.Add(a, r3.Scale(g.k2*perTgo, across(g.Arrival, v, perSpeedSq)))
}
