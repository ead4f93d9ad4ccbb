package guidance

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// The law takes its time to go from range over speed, so a speed of range/tgo gives it a known one.
func legLaw(gain float64) feedback {
	return func(toGo, v r3.Vec, tgo float64) r3.Vec {
		leg := NewLeg(gain, r3.Norm(toGo)/tgo, tgo*1e-3)
		return leg.Command(r3.Vec{}, v, toGo)
	}
}

// Of all accelerations that meet the waypoint at time T, the least control energy has
// a = 3 miss tgo/T^3 with miss = p - r - v T, by Cauchy and Schwarz: miss = integral of tgo a. Other gains
// N give N^2/(2N-3) miss^2/T^3, which is smallest, 3, at N = 3.
func TestLegIsOptimalAtGainThree(t *testing.T) {
	const T = 9.0
	start := doubleIntegrator{toGo: r3.Vec{X: 13, Y: -1}, v: r3.Vec{X: 1.5, Y: 0.8}}
	miss := r3.Sub(start.toGo, r3.Scale(T, start.v))
	least := 3 * r3.Norm2(miss) / (T * T * T)

	for _, gain := range []float64{2, 2.5, 2.9, 3, 3.1, 4, 5} {
		flight, end, left, cost := start.fly(legLaw(gain), T, 0)
		if off := r3.Norm(r3.Sub(end.toGo, r3.Scale(left, end.v))); off > flightTolerance*r3.Norm(start.toGo) {
			t.Errorf("gain %g misses by %.3g", gain, off)
		}
		if want := gain * gain / (2*gain - 3) * r3.Norm2(miss) / (T * T * T); !(math.Abs(cost-want) <= flightTolerance*want) {
			t.Errorf("gain %g costs %.12g, want %.12g", gain, cost, want)
		}
		if cost < least*(1-flightTolerance) {
			t.Errorf("gain %g costs %.12g, less than the optimum %.12g", gain, cost, least)
		}
		if gain != 3 {
			continue
		}
		if !(math.Abs(cost-least) <= flightTolerance*least) {
			t.Errorf("gain 3 costs %.12g, the optimum %.12g", cost, least)
		}
		first := 3 / (T * T) * r3.Norm(miss)
		for _, m := range flight {
			want := r3.Scale(3*m.tgo/(T*T*T), miss)
			if off := r3.Norm(r3.Sub(m.command, want)); off > profileTolerance*first {
				t.Fatalf("at tgo %.4g commands %v, the optimum is %v", m.tgo, m.command, want)
			}
		}
	}
}

func TestLegCommandIsLevelAndFloored(t *testing.T) {
	leg := NewLeg(3, 2, 1.5)
	v := r3.Vec{X: 2}
	for _, c := range []struct{ r, want r3.Vec }{
		// range 5: tgo 2.5, 3/6.25 (toGo - 2.5 v), its vertical part dropped but not its range
		{r3.Vec{X: -3, Z: -4}, r3.Vec{X: 3 / 6.25 * (3 - 5)}},
		{r3.Vec{X: -3, Y: 4}, r3.Vec{X: 3 / 6.25 * (3 - 5), Y: 3 / 6.25 * -4}},
		// range 1 is nearer than floor times speed, 3: tgo 1.5
		{r3.Vec{Y: -1}, r3.Vec{X: 3 / 2.25 * -3, Y: 3 / 2.25}},
		{r3.Vec{}, r3.Vec{X: 3 / 2.25 * -3}},
	} {
		const rounding = 1e-14 // absolute, on values of order one
		if got := leg.Command(c.r, v, r3.Vec{}); !(r3.Norm(r3.Sub(got, c.want)) <= rounding) {
			t.Errorf("at %v commands %v, want %v", c.r, got, c.want)
		}
	}
}

// On a level flight in the waypoint's plane the horizontal law is the whole one.
func TestLegLateralIsCommandsPerpendicularPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 20000 {
		leg := NewLeg(1+4*rng.Float64(), math.Exp(2*rng.NormFloat64()), 2)
		v := r3.Scale(leg.SpeedKmS, Direction(math.Pi*(2*rng.Float64()-1), 0))
		reach := leg.SpeedKmS * leg.MinTimeToGoS * math.Exp(2*rng.NormFloat64()) // some inside the floor
		toGo := r3.Scale(reach, Direction(math.Pi*(2*rng.Float64()-1), 0))

		got := leg.Lateral(r2.Vec{X: toGo.X, Y: toGo.Y}, r2.Vec{X: v.X, Y: v.Y})
		want := Perpendicular(leg.Command(r3.Vec{}, v, toGo), v)
		tgo := max(reach/leg.SpeedKmS, leg.MinTimeToGoS)
		terms := leg.Gain / (tgo * tgo) * (reach + leg.SpeedKmS*tgo)
		if off := r3.Norm(r3.Sub(r3.Vec{X: got.X, Y: got.Y}, want)); off > lateralTolerance*terms {
			t.Fatalf("%+v to go %v at %v: lateral %v, perpendicular part %v, apart by %.3g of terms of %.3g", leg, toGo, v, got,
				want, off, terms)
		}
	}
}
