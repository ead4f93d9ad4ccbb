package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// constantVelocity expects the vehicle to fly straight on at its current velocity until the final time, which
// is that of the last sample.
type constantVelocity struct {
	onGround bool // it knows that the flight ends at altitude 0
}

func (o constantVelocity) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i := range h.Samples {
		s := &h.Samples[i]
		T := float64(len(h.Samples)-1-i) * h.StepS
		foreseen[i] = r3.Add(r3.Sub(s.R, origin), r3.Scale(T, s.V))
		if o.onGround {
			foreseen[i].Z = -origin.Z
		}
	}
}

// impactTime extrapolates like Ballistic but does not know the final time: it expects the flight to end where
// the extrapolation reaches the ground, altitude 0. If it never does, as in level flight, there is no
// prediction.
type impactTime struct{ Ballistic }

func newImpactTime(s Settings) (Observer, error) {
	if err := s.checkDecay(); err != nil {
		return nil, err
	}
	return impactTime{Ballistic{s.LambdaPerS}}, nil
}

// noPrediction stands for no prediction: it is outside every radius.
var noPrediction = r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}

func (o impactTime) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i := range h.Samples {
		s := &h.Samples[i]
		T := o.TimeToGround(s.R.Z, s.V.Z, s.A.Z)
		if math.IsInf(T, 1) {
			foreseen[i] = noPrediction
			continue
		}
		foreseen[i] = r3.Sub(o.Predict(s.R, s.V, s.A, T), origin)
		foreseen[i].Z = -origin.Z
	}
}

// TimeToGround returns the seconds until the extrapolation first reaches altitude 0 from altitude z, climb rate
// v and vertical acceleration a (km, km/s, km/s^2): 0 from the ground or below, +Inf if it never does.
func (b Ballistic) TimeToGround(z, v, a float64) float64 {
	switch {
	case z <= 0:
		return 0
	case v >= 0 && a >= 0: // such as level flight
		return math.Inf(1)
	}
	altitude := func(T float64) float64 { return z + v*T + a*b.Lag(T) }
	low, high := 0.0, 1.0
	if a > 0 { // The altitude is convex: it is least when the climb rate is 0, if it ever is.
		high = b.timeToLevel(v, a)
	}
	if a <= 0 || math.IsInf(high, 1) {
		for high = 1; altitude(high) > 0; high *= 2 {
			if low = high; high > longest {
				return math.Inf(1)
			}
		}
	}
	if !(altitude(high) <= 0) {
		return math.Inf(1)
	}
	for { // bisection, until no number lies in between
		middle := low + (high-low)/2
		if middle == low || middle == high {
			return high
		}
		if altitude(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
}

// longest is the longest extrapolation, s: eleven days.
const longest = 1 << 20

// timeToLevel returns when a climb rate v becomes 0 under a decaying acceleration a > 0; +Inf if it never does.
func (b Ballistic) timeToLevel(v, a float64) float64 {
	switch {
	case v >= 0:
		return 0
	case b.LambdaPerS == 0:
		return -v / a
	case -v*b.LambdaPerS >= a:
		return math.Inf(1)
	}
	return -math.Log1p(b.LambdaPerS*v/a) / b.LambdaPerS
}
