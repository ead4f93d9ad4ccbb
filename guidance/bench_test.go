package guidance

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

var (
	benchmarkPosition = r3.Vec{X: -120, Y: -30, Z: 10}
	benchmarkVelocity = r3.Vec{X: 1.5, Y: 0.8}
	sink              r3.Vec
)

func BenchmarkLeg(b *testing.B) {
	law := NewLeg(3, 1.7, 2)
	r := benchmarkPosition
	for b.Loop() {
		sink = law.Lateral(r, benchmarkVelocity, r3.Vec{X: -100, Y: -25, Z: 10})
		r.X += 1e-9 // no two calls alike
	}
}

func BenchmarkGenex(b *testing.B) {
	law := Genex{SpeedKmS: 1.7, MinTimeToGoS: 0.3, Arrival: r3.Vec{X: 1.6, Y: 0.4, Z: -0.1}}
	r := benchmarkPosition
	for b.Loop() {
		sink = law.Lateral(r, benchmarkVelocity)
		r.X += 1e-9 // no two calls alike
	}
}
