package guidance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Perpendicular returns the part of a perpendicular to v. The velocity must not be zero.
func Perpendicular(a, v r3.Vec) r3.Vec {
	return across(a, v, 1/r3.Dot(v, v))
}

// across is Perpendicular for a v whose inverse square is known.
func across(a, v r3.Vec, perSpeedSq float64) r3.Vec {
	return r3.Sub(a, r3.Scale(r3.Dot(a, v)*perSpeedSq, v))
}

// Limit scales a down to the limit if it is longer; limit is in the unit of a.
func Limit(a r3.Vec, limit float64) r3.Vec {
	if square := r3.Dot(a, a); square > limit*limit {
		return r3.Scale(limit/math.Sqrt(square), a)
	}
	return a
}

// Direction returns the unit vector with the given heading, counter-clockwise from east, and pitch, upwards
// from horizontal, both in radians.
func Direction(heading, pitch float64) r3.Vec {
	sinH, cosH := math.Sincos(heading)
	sinP, cosP := math.Sincos(pitch)
	return r3.Vec{X: cosP * cosH, Y: cosP * sinH, Z: sinP}
}
