package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// steering is the acceleration the vehicle flies with: the law in force, projected and limited.
type steering struct {
	leg      guidance.Leg
	waypoint r3.Vec
	genex    guidance.Genex
	engaged  bool    // GENEX steers; otherwise the leg to waypoint
	limit    float64 // km/s^2
}

// acceleration returns the lateral acceleration at position r and velocity v, km/s^2.
func (s *steering) acceleration(r, v r3.Vec) r3.Vec {
	var a r3.Vec
	if s.engaged {
		a = s.genex.Lateral(r, v)
	} else {
		a = s.leg.Lateral(r, v, s.waypoint)
	}
	return guidance.Limit(a, s.limit)
}

// rungeKutta advances position and velocity by one classical Runge-Kutta step of h seconds; a1 is the
// acceleration at its start. Position and velocity are one state, so the stage velocities follow from
// the accelerations and the position update reduces to r + h v + h^2/6 (a1 + a2 + a3).
func (s *steering) rungeKutta(r, v, a1 r3.Vec, h float64) (r3.Vec, r3.Vec) {
	half, third := h/2, h*h/6
	v2 := advance(v, half, a1)
	a2 := s.acceleration(advance(r, half, v), v2)
	v3 := advance(v, half, a2)
	a3 := s.acceleration(advance(r, half, v2), v3)
	v4 := advance(v, h, a3)
	a4 := s.acceleration(advance(r, h, v3), v4)
	middle := r3.Add(a2, a3)
	r = advance(advance(r, h, v), third, r3.Add(a1, middle))
	v = advance(v, h/6, r3.Add(r3.Add(a1, a4), r3.Scale(2, middle)))
	return r, v
}

// advance returns x + h dx.
func advance(x r3.Vec, h float64, dx r3.Vec) r3.Vec {
	return r3.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y, Z: x.Z + h*dx.Z}
}

// renormalise returns v scaled to the given speed.
func renormalise(v r3.Vec, speed float64) r3.Vec {
	return r3.Scale(speed/math.Sqrt(r3.Dot(v, v)), v)
}
