package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Position and velocity are one state of the classical Runge-Kutta step: its stage velocities follow from
// the stage accelerations, so the position update reduces to r + h v + h^2/6 (a1 + a2 + a3). The step
// exists twice, for a leg, which is level and so needs two coordinates, and for GENEX, which needs three. Each
// takes flights that are side by side through a stage before it goes to the next.

// plane is a step on a leg, in the horizontal plane.
type plane struct {
	along r2.Vec    // velocity of the last stage
	a     [4]r2.Vec // acceleration of every stage
}

// space is a step under GENEX.
type space struct {
	along r3.Vec
	a     [4]r3.Vec
}

// stepLevel advances flights on a leg by h seconds, at a speed and with accelerations up to a limit.
func stepLevel(flights []*flight, h, speed, limit float64) {
	for k, ahead := range [4]float64{0, h / 2, h / 2, h} {
		for _, f := range flights {
			m, at, along := &f.plane, horizontal(f.r), horizontal(f.v)
			if k > 0 {
				at, along = advance2(at, ahead, m.along), advance2(along, ahead, m.a[k-1])
			}
			m.along = along
			a := f.leg.Lateral(r2.Vec{X: f.waypoint.X - at.X, Y: f.waypoint.Y - at.Y}, along)
			if square := a.X*a.X + a.Y*a.Y; square > limit*limit {
				cut := limit / math.Sqrt(square)
				a.X, a.Y = cut*a.X, cut*a.Y
			}
			m.a[k] = a
		}
	}
	sixth := h / 6
	for _, f := range flights {
		a, atR, atV := &f.plane.a, horizontal(f.r), horizontal(f.v)
		middle := r2.Vec{X: a[1].X + a[2].X, Y: a[1].Y + a[2].Y}
		r := advance2(atR, h, advance2(atV, sixth, r2.Vec{X: a[0].X + middle.X, Y: a[0].Y + middle.Y}))
		v := advance2(atV, sixth, r2.Vec{X: a[0].X + a[3].X + 2*middle.X, Y: a[0].Y + a[3].Y + 2*middle.Y})
		v = r2.Scale(speed/math.Sqrt(r2.Dot(v, v)), v)
		f.r.X, f.r.Y, f.v.X, f.v.Y = r.X, r.Y, v.X, v.Y
		f.sample().A = r3.Vec{X: a[0].X, Y: a[0].Y}
	}
}

// stepTerminal advances flights under GENEX as stepLevel does those on a leg.
func stepTerminal(flights []*flight, h, speed, limit float64) {
	for k, ahead := range [4]float64{0, h / 2, h / 2, h} {
		for _, f := range flights {
			m, at, along := &f.space, f.r, f.v
			if k > 0 {
				at, along = advance3(at, ahead, m.along), advance3(along, ahead, m.a[k-1])
			}
			m.along = along
			m.a[k] = guidance.Limit(f.genex.Lateral(at, along), limit)
		}
	}
	sixth := h / 6
	for _, f := range flights {
		a := &f.space.a
		middle := r3.Add(a[1], a[2])
		f.sample().A = a[0]
		f.r = advance3(f.r, h, advance3(f.v, sixth, r3.Add(a[0], middle)))
		v := advance3(f.v, sixth, r3.Add(r3.Add(a[0], a[3]), r3.Scale(2, middle)))
		f.v = r3.Scale(speed/math.Sqrt(r3.Dot(v, v)), v)
	}
}

// advance2 returns x + h dx in the plane, advance3 in space.
func advance2(x r2.Vec, h float64, dx r2.Vec) r2.Vec {
	return r2.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y}
}

func advance3(x r3.Vec, h float64, dx r3.Vec) r3.Vec {
	return r3.Vec{X: x.X + h*dx.X, Y: x.Y + h*dx.Y, Z: x.Z + h*dx.Z}
}
