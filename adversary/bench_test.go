package adversary_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
)

// BenchmarkObserve is what a study does with a flight: its track, the detection profile and one look-up.
func BenchmarkObserve(b *testing.B) {
	all := flights(b, 0.1)
	observer := adversary.NewBallisticObserver(0.1)
	var track adversary.Track
	var profile adversary.Profile
	watch := func(i int) {
		observer.Observe(all[i%len(all)], r3.Vec{}, &track)
		profile.Fill(&track, 3)
		profile.Detect(0.7)
	}
	for i := range all { // grows the buffers
		watch(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		watch(i)
	}
}
