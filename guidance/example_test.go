package guidance_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// A vehicle 17 km west of its target, flying north of east, is turned back to arrive due east.
func ExampleGenex() {
	law := guidance.NewGenex(0, 1.7, 0.3, r3.Vec{}, r3.Vec{X: 1.7})
	r := r3.Vec{X: -17}
	v := r3.Scale(1.7, guidance.Direction(0.1, 0))
	a := guidance.Limit(law.Lateral(r, v), 0.2)
	fmt.Printf("%.4f %.4f %.4f km/s^2\n", a.X, a.Y, a.Z)
	// Output: 0.0068 -0.0675 0.0000 km/s^2
}

// A waypoint 45 degrees to the left asks for a turn.
func ExampleLeg() {
	law := guidance.NewLeg(3, 1.7, 2)
	toGo, v := r2.Vec{X: 12.5, Y: 12.5}, r2.Vec{X: 1.7}
	fmt.Printf("%.3f km/s^2\n", r2.Norm(law.Lateral(toGo, v)))
	// Output: 0.347 km/s^2
}

func ExampleGains() {
	k1, k2 := guidance.Gains(0)
	fmt.Println(k1, k2)
	// Output: 6 -2
}
