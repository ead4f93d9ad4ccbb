package guidance

import (
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Leg is the law of a level leg to a waypoint: the acceleration that nulls the zero-effort miss, gain/tgo^2 (p
// - r - v tgo), without its vertical part. A gain of 3 minimises control energy (Bryson & Ho 1975, Section
// 5.4). Use NewLeg.
type Leg struct {
	Gain          float64 // navigation gain, dimensionless, > 0
	SpeedKmS      float64 // km/s, > 0
	MinTimeToGoS  float64 // lower limit of the time-to-go, s, > 0
	minRangeSqKm2 float64 // squared range below which the limit applies
	farFactor     float64 // gain * speed^2
	nearFactor    float64 // gain / limit^2
}

// NewLeg returns the law with its constants.
func NewLeg(gain, speedKmS, minTimeToGoS float64) Leg {
	floorKm := speedKmS * minTimeToGoS
	return Leg{
		Gain: gain, SpeedKmS: speedKmS, MinTimeToGoS: minTimeToGoS,
		minRangeSqKm2: floorKm * floorKm,
		farFactor:     gain * speedKmS * speedKmS,
		nearFactor:    gain / (minTimeToGoS * minTimeToGoS),
	}
}

// Command returns the commanded acceleration, km/s^2, at position r (km) and velocity v (km/s) towards
// the waypoint.
func (l *Leg) Command(r, v, waypoint r3.Vec) r3.Vec {
	toGo := r3.Sub(waypoint, r)
	tgo := max(r3.Norm(toGo)/l.SpeedKmS, l.MinTimeToGoS)
	a := r3.Scale(l.Gain/(tgo*tgo), r3.Sub(toGo, r3.Scale(tgo, v)))
	a.Z = 0
	return a
}

// Lateral returns the part of Command perpendicular to the velocity, in the horizontal plane of the waypoint,
// in which a level leg stays: toGo is the vector to the waypoint (km), v the velocity (km/s). With tgo =
// range/speed the gain over tgo^2 is gain speed^2/range^2, which needs no square root.
func (l *Leg) Lateral(toGo, v r2.Vec) r2.Vec {
	// In the plane the perpendicular part of toGo is its cross product with v, along v turned left.
	across, over := v.X*toGo.Y-v.Y*toGo.X, v.X*v.X+v.Y*v.Y
	if rangeSq := toGo.X*toGo.X + toGo.Y*toGo.Y; rangeSq > l.minRangeSqKm2 {
		across, over = l.farFactor*across, rangeSq*over
	} else {
		across *= l.nearFactor
	}
	across /= over
	return r2.Vec{X: -across * v.Y, Y: across * v.X}
}
