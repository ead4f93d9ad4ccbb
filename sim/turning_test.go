package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// A turn to a point abeam ends once the flight points at least 45 degrees aside of straight away from the waypoint.
func TestTurnsEndAtFortyFiveDegrees(t *testing.T) {
	waypoint, abeam := r2.Vec{X: -10}, r2.Vec{Y: 10}
	for degrees, want := range map[float64]bool{0: true, 44.9: true, -44.9: true, 45.1: false, -45.1: false, 90: false,
		180: false} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		f := flight{v: r3.Vec{X: cos, Y: sin}, waypoint: waypoint, aim: abeam}
		if got := f.turning(); got != want || (f.aim == waypoint) == want {
			t.Errorf("%g degrees: it turns on: %t, towards %v", degrees, got, f.aim)
		}
	}
	if f := (flight{v: r3.Vec{X: 1}, waypoint: waypoint, aim: waypoint}); f.turning() {
		t.Error("a flight towards its waypoint turns aside")
	}
}
