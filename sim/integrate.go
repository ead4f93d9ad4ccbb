package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Position and velocity are one state of the classical Runge-Kutta step: its stage velocities follow from the
// stage accelerations, so the position update is r + h v + h^2/6 (a1 + a2 + a3). The step exists twice, for a
// leg, which is level and needs two coordinates, and for GENEX, which needs three. Each completes a stage for
// all parallel flights before the next stage.

// plane is a step on a leg, in the horizontal plane: the accelerations of the first three stages, and the
// velocities of the two middle ones.
type plane struct{ a1, a2, a3, v2, v3 r2.Vec }

// space is a step under GENEX.
type space struct{ a1, a2, a3, v2, v3 r3.Vec }

// stepLevel advances flights on a leg by a step, at constant speed and with limited accelerations.
func stepLevel(flights []*flight) {
	for _, f := range flights {
		at, v := horizontal(f.r), horizontal(f.v)
		a1 := clip(f.leg.Lateral(r2.Sub(f.aim, at), v), f.limit)
		f.plane.a1 = a1
		sample := f.history.next()
		sample.R = r3.Vec{X: at.X, Y: at.Y, Z: f.r.Z}
		sample.V = r3.Vec{X: v.X, Y: v.Y, Z: f.v.Z}
		sample.A = r3.Vec{X: a1.X, Y: a1.Y}
	}
	for _, f := range flights {
		m, at, v, half := &f.plane, horizontal(f.r), horizontal(f.v), f.step/2
		v2 := advance2(v, half, m.a1)
		m.v2, m.a2 = v2, clip(f.leg.Lateral(r2.Sub(f.aim, advance2(at, half, v)), v2), f.limit)
	}
	for _, f := range flights {
		m, at, v, half := &f.plane, horizontal(f.r), horizontal(f.v), f.step/2
		v3 := advance2(v, half, m.a2)
		m.v3, m.a3 = v3, clip(f.leg.Lateral(r2.Sub(f.aim, advance2(at, half, m.v2)), v3), f.limit)
	}
	for _, f := range flights {
		m, at, v, h, sixth := &f.plane, horizontal(f.r), horizontal(f.v), f.step, f.step/6
		a1, a4 := m.a1, clip(f.leg.Lateral(r2.Sub(f.aim, advance2(at, h, m.v3)), advance2(v, h, m.a3)), f.limit)
		middle := r2.Add(m.a2, m.a3)
		r := advance2(at, h, advance2(v, sixth, r2.Add(a1, middle)))
		v = advance2(v, sixth, r2.Vec{X: a1.X + a4.X + 2*middle.X, Y: a1.Y + a4.Y + 2*middle.Y})
		v = r2.Scale(f.speed/math.Sqrt(r2.Dot(v, v)), v)
		f.r.X, f.r.Y, f.v.X, f.v.Y = r.X, r.Y, v.X, v.Y
	}
}

// clip limits an acceleration in the plane, as guidance.Limit does in space.
func clip(a r2.Vec, limit float64) r2.Vec {
	if square := a.X*a.X + a.Y*a.Y; square > limit*limit {
		return r2.Scale(limit/math.Sqrt(square), a)
	}
	return a
}

// stepTerminal advances flights under GENEX, as stepLevel advances flights on a leg.
func stepTerminal(flights []*flight) {
	for _, f := range flights {
		a1 := guidance.Limit(f.genex.Lateral(f.r, f.v), f.limit)
		f.space.a1 = a1
		sample := f.history.next()
		sample.R, sample.V, sample.A = f.r, f.v, a1
	}
	for _, f := range flights {
		m, half := &f.space, f.step/2
		v2 := advance3(f.v, half, m.a1)
		m.v2 = v2
		m.a2 = guidance.Limit(f.genex.Lateral(advance3(f.r, half, f.v), v2), f.limit)
	}
	for _, f := range flights {
		m, half := &f.space, f.step/2
		v3 := advance3(f.v, half, m.a2)
		m.v3 = v3
		m.a3 = guidance.Limit(f.genex.Lateral(advance3(f.r, half, m.v2), v3), f.limit)
	}
	for _, f := range flights {
		m, h, sixth := &f.space, f.step, f.step/6
		a1, a4 := m.a1, guidance.Limit(f.genex.Lateral(advance3(f.r, h, m.v3), advance3(f.v, h, m.a3)), f.limit)
		middle := r3.Add(m.a2, m.a3)
		f.r = advance3(f.r, h, advance3(f.v, sixth, r3.Add(a1, middle)))
		v := advance3(f.v, sixth, r3.Add(r3.Add(a1, a4), r3.Scale(2, middle)))
		f.v = r3.Scale(f.speed/math.Sqrt(r3.Dot(v, v)), v)
	}
}

// advance2 returns x + h dx in the plane, advance3 in space.
func advance2(x r2.Vec, h float64, dx r2.Vec) r2.Vec {
	return r2.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y}
}

func advance3(x r3.Vec, h float64, dx r3.Vec) r3.Vec {
	return r3.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y, Z: x.Z + h*dx.Z}
}
