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
	r, v      r2.Vec    // at its start
	at, along r2.Vec    // position and velocity of the present stage
	a         [4]r2.Vec // acceleration of every stage
}

// space is a step under GENEX.
type space struct {
	at, along r3.Vec
	a         [4]r3.Vec
}

// stepLevel advances flights on a leg by h seconds.
func stepLevel(flights []*flight, h, speed float64) {
	for k, ahead := range [4]float64{0, h / 2, h / 2, h} {
		for _, f := range flights {
			m, limit := &f.plane, f.scenario.AccelLimitKmS2
			if k == 0 {
				m.r, m.v = horizontal(f.r), horizontal(f.v)
				m.at, m.along = m.r, m.v
			} else {
				m.at, m.along = advance2(m.r, ahead, m.along), advance2(m.v, ahead, m.a[k-1])
			}
			a := f.leg.Lateral(r2.Vec{X: f.waypoint.X - m.at.X, Y: f.waypoint.Y - m.at.Y}, m.along)
			if square := a.X*a.X + a.Y*a.Y; square > limit*limit {
				cut := limit / math.Sqrt(square)
				a.X, a.Y = cut*a.X, cut*a.Y
			}
			m.a[k] = a
		}
	}
	sixth := h / 6
	for _, f := range flights {
		m := &f.plane
		a := &m.a
		middle := r2.Vec{X: a[1].X + a[2].X, Y: a[1].Y + a[2].Y}
		r := advance2(m.r, h, advance2(m.v, sixth, r2.Vec{X: a[0].X + middle.X, Y: a[0].Y + middle.Y}))
		v := advance2(m.v, sixth, r2.Vec{X: a[0].X + a[3].X + 2*middle.X, Y: a[0].Y + a[3].Y + 2*middle.Y})
		v = r2.Scale(speed/math.Sqrt(r2.Dot(v, v)), v)
		f.r.X, f.r.Y, f.v.X, f.v.Y = r.X, r.Y, v.X, v.Y
		f.sample().A = r3.Vec{X: a[0].X, Y: a[0].Y}
	}
}

// stepTerminal advances flights under GENEX by h seconds.
func stepTerminal(flights []*flight, h, speed float64) {
	for k, ahead := range [4]float64{0, h / 2, h / 2, h} {
		for _, f := range flights {
			m := &f.space
			if k == 0 {
				m.at, m.along = f.r, f.v
			} else {
				m.at, m.along = advance3(f.r, ahead, m.along), advance3(f.v, ahead, m.a[k-1])
			}
			m.a[k] = guidance.Limit(f.genex.Lateral(m.at, m.along), f.scenario.AccelLimitKmS2)
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
