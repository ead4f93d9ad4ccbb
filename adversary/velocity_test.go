package adversary_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// straight is a level flight at constant velocity that ends 4 km above the ground.
func straight() *sim.History {
	h := &sim.History{StepS: 0.5}
	v := r3.Vec{X: 1.5, Y: -0.25}
	for i := range 41 {
		h.Samples = append(h.Samples, sim.Sample{R: r3.Add(r3.Vec{X: -10, Y: 3, Z: 4}, r3.Scale(float64(i)*h.StepS, v)),
			V: v})
	}
	return h
}

// A straight flight is foreseen exactly from its first step; who puts its end on the ground is off by its
// altitude there, however the frame is laid.
func TestConstantVelocityForeseesAStraightFlight(t *testing.T) {
	h := straight()
	end := h.Samples[len(h.Samples)-1].R
	origin := r3.Vec{X: 7, Y: -8, Z: 1.5}
	foreseen := make([]r3.Vec, len(h.Samples))
	for _, o := range []adversary.ConstantVelocity{{}, {OnGround: true}} {
		want := r3.Sub(end, origin)
		if o.OnGround {
			want.Z = -origin.Z
		}
		o.Foresee(h, origin, foreseen)
		for i, f := range foreseen {
			if !(r3.Norm(r3.Sub(f, want)) <= distanceTolerance) {
				t.Fatalf("%+v, sample %d: foresees %v, want %v", o, i, f, want)
			}
		}
		var errors adversary.PredictionErrors
		errors.Fill(o, h, end)
		if first := errors.ErrorKm[0]; !(math.Abs(first-map[bool]float64{true: 4}[o.OnGround]) <= distanceTolerance) {
			t.Errorf("%+v: off by %g km at the start", o, first)
		}
	}
}
