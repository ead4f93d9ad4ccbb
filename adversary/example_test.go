package adversary_test

import (
	"fmt"

	"veilpath/adversary"
)

// One flight tells every radius where it would have recognised the destination.
func ExampleCurve() {
	errors := adversary.PredictionErrors{
		ErrorKm:    []float64{5, 3, 0.5, 0.6, 0.2, 0.1},
		DistanceKm: []float64{60, 50, 40, 30, 20, 10},
	}
	const inARow, handover = 2, 4
	var curve adversary.Curve
	curve.Fill(&errors, inARow, handover)
	for _, radiusKm := range []float64{4, 1, 0.3, 0.01} {
		d := curve.Detect(radiusKm)
		fmt.Printf("radius %g km: %v, %g km from the target, before the hand-over: %v\n", radiusKm, d.Detected, d.DistanceKm,
			d.BeforeHandover)
	}
	// Output:
	// radius 4 km: true, 40 km from the target, before the hand-over: true
	// radius 1 km: true, 30 km from the target, before the hand-over: true
	// radius 0.3 km: true, 10 km from the target, before the hand-over: false
	// radius 0.01 km: false, 0 km from the target, before the hand-over: false
}
