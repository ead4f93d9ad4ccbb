package guidance

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

var (
	sinkLevel r2.Vec
	sink      r3.Vec
)

func BenchmarkLeg(b *testing.B) {
	law := NewLeg(3, 1.7, 2)
	toGo, v := r2.Vec{X: 20, Y: 5}, r2.Vec{X: 1.5, Y: 0.8}
	for b.Loop() {
		sinkLevel = law.Lateral(toGo, v)
		toGo.X += 1e-9 // no two calls alike
	}
}

func BenchmarkGenex(b *testing.B) {
	law := NewGenex(0, 1.7, 0.3, r3.Vec{}, r3.Vec{X: 1.6, Y: 0.4, Z: -0.1})
	r, v := r3.Vec{X: -120, Y: -30, Z: 10}, r3.Vec{X: 1.5, Y: 0.8}
	for b.Loop() {
		sink = law.Lateral(r, v)
		r.X += 1e-9 // no two calls alike
	}
}
