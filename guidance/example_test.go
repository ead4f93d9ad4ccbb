package guidance_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// A vehicle 17 km west of its target, flying north of east, is turned back to arrive due east.
func ExampleGenex() {
	law := guidance.Genex{SpeedKmS: 1.7, MinTimeToGoS: 0.3, Arrival: r3.Vec{X: 1.7}}
	r := r3.Vec{X: -17}
	v := r3.Scale(1.7, guidance.Direction(0.1, 0))
	a := guidance.Limit(law.Lateral(r, v), 0.2)
	fmt.Printf("%.4f %.4f %.4f km/s^2\n", a.X, a.Y, a.Z)
	// Output: 0.0068 -0.0675 0.0000 km/s^2
}

// A waypoint abeam asks for more than the vehicle can turn.
func ExampleLeg() {
	law := guidance.NewLeg(3, 1.7, 2)
	a := law.Lateral(r3.Vec{}, r3.Vec{X: 1.7}, r3.Vec{X: 12.5, Y: 12.5})
	fmt.Printf("wanted %.3f, flown %.3f km/s^2\n", r3.Norm(a), r3.Norm(guidance.Limit(a, 0.2)))
	// Output: wanted 0.347, flown 0.200 km/s^2
}

func ExampleGains() {
	k1, k2 := guidance.Gains(0)
	fmt.Println(k1, k2)
	// Output: 6 -2
}
