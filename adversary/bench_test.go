package adversary_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
)

// BenchmarkObserve is what a study does with a flight: its prediction errors, the detection curve and one look-up.
func BenchmarkObserve(b *testing.B) {
	all := flights(b, 0.1)
	observer := adversary.NewBallisticObserver(0.1)
	var errors adversary.PredictionErrors
	var curve adversary.Curve
	watch := func(i int) {
		errors.Fill(observer, all[i%len(all)], r3.Vec{})
		curve.Fill(&errors, 3, 0)
		curve.Detect(0.7)
	}
	for i := range all { // grows the buffers
		watch(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		watch(i)
	}
}
