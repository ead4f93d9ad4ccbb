package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Position and velocity are one state of the classical Runge-Kutta step: its stage velocities follow from
// the stage accelerations, so the position update reduces to r + h v + h^2/6 (a1 + a2 + a3). The step
// exists twice, for a leg, which is level and so needs two coordinates, and for GENEX, which needs three.

// level is the motion of a leg in the horizontal plane.
type level struct {
	leg      guidance.Leg
	waypoint r2.Vec
	limit    float64 // km/s^2
}

// acceleration returns the lateral acceleration at position r and velocity v, km/s^2.
func (l *level) acceleration(r, v r2.Vec) r2.Vec {
	a := l.leg.Lateral(r2.Vec{X: l.waypoint.X - r.X, Y: l.waypoint.Y - r.Y}, v)
	if square := a.X*a.X + a.Y*a.Y; square > l.limit*l.limit {
		cut := l.limit / math.Sqrt(square)
		a.X, a.Y = cut*a.X, cut*a.Y
	}
	return a
}

// step advances position and velocity by h seconds; a1 is the acceleration at the start.
func (l *level) step(r, v, a1 r2.Vec, h float64) (r2.Vec, r2.Vec) {
	half, sixth := h/2, h/6
	v2 := advance2(v, half, a1)
	a2 := l.acceleration(advance2(r, half, v), v2)
	v3 := advance2(v, half, a2)
	a3 := l.acceleration(advance2(r, half, v2), v3)
	v4 := advance2(v, h, a3)
	a4 := l.acceleration(advance2(r, h, v3), v4)
	middle := r2.Vec{X: a2.X + a3.X, Y: a2.Y + a3.Y}
	r = advance2(r, h, advance2(v, sixth, r2.Vec{X: a1.X + middle.X, Y: a1.Y + middle.Y}))
	v = advance2(v, sixth, r2.Vec{X: a1.X + a4.X + 2*middle.X, Y: a1.Y + a4.Y + 2*middle.Y})
	return r, v
}

// terminal is the motion under GENEX.
type terminal struct {
	genex guidance.Genex
	limit float64 // km/s^2
}

// acceleration returns the lateral acceleration at position r and velocity v, km/s^2.
func (t *terminal) acceleration(r, v r3.Vec) r3.Vec {
	return guidance.Limit(t.genex.Lateral(r, v), t.limit)
}

// step advances position and velocity by h seconds; a1 is the acceleration at the start.
func (t *terminal) step(r, v, a1 r3.Vec, h float64) (r3.Vec, r3.Vec) {
	half, sixth := h/2, h/6
	v2 := advance3(v, half, a1)
	a2 := t.acceleration(advance3(r, half, v), v2)
	v3 := advance3(v, half, a2)
	a3 := t.acceleration(advance3(r, half, v2), v3)
	v4 := advance3(v, h, a3)
	a4 := t.acceleration(advance3(r, h, v3), v4)
	middle := r3.Add(a2, a3)
	r = advance3(r, h, advance3(v, sixth, r3.Add(a1, middle)))
	v = advance3(v, sixth, r3.Add(r3.Add(a1, a4), r3.Scale(2, middle)))
	return r, v
}

// advance2 returns x + h dx in the plane, advance3 in space.
func advance2(x r2.Vec, h float64, dx r2.Vec) r2.Vec {
	return r2.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y}
}

func advance3(x r3.Vec, h float64, dx r3.Vec) r3.Vec {
	return r3.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y, Z: x.Z + h*dx.Z}
}
