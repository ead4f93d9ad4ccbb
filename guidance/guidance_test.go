package guidance

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// rounding is relative: a few operations in float64.
const rounding = 8 * 0x1p-52

func TestPerpendicular(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 5000 {
		a, v := randomVec(rng, math.Exp(3*rng.NormFloat64())), randomVec(rng, math.Exp(3*rng.NormFloat64()))
		p := Perpendicular(a, v)
		if along := math.Abs(r3.Dot(p, v)); along > rounding*r3.Norm(a)*r3.Norm(v) {
			t.Fatalf("the part %v of %v has %.3g along %v", p, a, along, v)
		}
		// What was removed lies along v, so nothing perpendicular was lost.
		removed := r3.Sub(a, p)
		if across := r3.Norm(r3.Cross(removed, v)); across > rounding*r3.Norm(a)*r3.Norm(v) {
			t.Fatalf("of %v, %v was removed, which is not along %v", a, removed, v)
		}
	}
}

func TestLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for range 5000 {
		a, limit := randomVec(rng, 1), 3*rng.Float64()
		got := Limit(a, limit)
		if r3.Norm(a) <= limit {
			if got != a {
				t.Fatalf("%v is within %g but became %v", a, limit, got)
			}
			continue
		}
		if off := math.Abs(r3.Norm(got) - limit); off > rounding*limit {
			t.Fatalf("%v limited to %g has length %g", a, limit, r3.Norm(got))
		}
		if turned := r3.Norm(r3.Cross(got, a)); turned > rounding*limit*r3.Norm(a) || r3.Dot(got, a) < 0 {
			t.Fatalf("%v limited to %g turned to %v", a, limit, got)
		}
	}
	if got := Limit(r3.Vec{X: 3, Y: 4}, 5); got != (r3.Vec{X: 3, Y: 4}) {
		t.Errorf("a command at the limit became %v", got)
	}
	if got := Limit(r3.Vec{}, 0); got != (r3.Vec{}) {
		t.Errorf("no command limited to nothing became %v", got)
	}
}

func TestDirection(t *testing.T) {
	h := math.Sqrt2 / 2
	for _, c := range []struct {
		heading, pitch float64
		want           r3.Vec
	}{
		{0, 0, r3.Vec{X: 1}},
		{math.Pi / 2, 0, r3.Vec{Y: 1}},
		{math.Pi, 0, r3.Vec{X: -1}},
		{-math.Pi / 4, 0, r3.Vec{X: h, Y: -h}},
		{1, math.Pi / 2, r3.Vec{Z: 1}},
		{0, -math.Pi / 4, r3.Vec{X: h, Z: -h}},
	} {
		if got := Direction(c.heading, c.pitch); !(r3.Norm(r3.Sub(got, c.want)) <= rounding) {
			t.Errorf("heading %g, pitch %g: %v, want %v", c.heading, c.pitch, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 1000 {
		heading, pitch := math.Pi*(2*rng.Float64()-1), math.Pi/2*(2*rng.Float64()-1)
		d := Direction(heading, pitch)
		const angleTolerance = 1e-13 // rad; atan2 and asin away from the pole
		if !(math.Abs(r3.Norm(d)-1) <= rounding) {
			t.Fatalf("heading %g, pitch %g: length %.17g", heading, pitch, r3.Norm(d))
		}
		if math.Abs(pitch) < 1.5 && (!(math.Abs(math.Atan2(d.Y, d.X)-heading) <= angleTolerance) ||
			!(math.Abs(math.Asin(d.Z)-pitch) <= angleTolerance)) {
			t.Fatalf("heading %g, pitch %g came back as %g, %g", heading, pitch, math.Atan2(d.Y, d.X), math.Asin(d.Z))
		}
	}
}
