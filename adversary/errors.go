package adversary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// PredictionErrors are the errors of an observer in one flight, per step: the distance of the predicted final
// position from the target, or the radius that contains half of its belief, and the vehicle's own distance from
// the target, all in km.
type PredictionErrors struct {
	ErrorKm    []float64
	DistanceKm []float64

	foreseen []r3.Vec     // predictions relative to the target
	history  *sim.History // for distances that DistanceKm does not hold
	target   r3.Vec
}

// Fill computes an observer's errors for a flight towards the target, reusing its storage.
func (e *PredictionErrors) Fill(o Observer, h *sim.History, target r3.Vec) {
	e.measure(h, target)
	e.foresee(o, h, target)
}

// FillForCurve is Fill for a Curve, which needs few of the distances: DistanceKm stays empty, and the flight
// must not change until the curve is filled.
func (e *PredictionErrors) FillForCurve(o Observer, h *sim.History, target r3.Vec) {
	e.ErrorKm, e.DistanceKm = slices.Grow(e.ErrorKm[:0], len(h.Samples))[:len(h.Samples)], e.DistanceKm[:0]
	e.history, e.target = h, target
	e.foresee(o, h, target)
}

// measure sizes the errors for a flight and sets the vehicle's distances from the target.
func (e *PredictionErrors) measure(h *sim.History, target r3.Vec) {
	n := len(h.Samples)
	e.ErrorKm, e.DistanceKm = slices.Grow(e.ErrorKm[:0], n)[:n], slices.Grow(e.DistanceKm[:0], n)[:n]
	for i := range h.Samples {
		e.DistanceKm[i] = distance(&h.Samples[i], &target)
	}
}

// foresee sets the errors of a flight, after they were sized.
func (e *PredictionErrors) foresee(o Observer, h *sim.History, target r3.Vec) {
	if spreader, ok := o.(spreader); ok {
		spreader.Spread(h, target, e.ErrorKm)
		return
	}
	e.foreseen = slices.Grow(e.foreseen[:0], len(h.Samples))[:len(h.Samples)]
	o.Foresee(h, target, e.foreseen)
	for i := range e.foreseen {
		f := &e.foreseen[i]
		e.ErrorKm[i] = math.Sqrt(f.X*f.X + f.Y*f.Y + f.Z*f.Z)
	}
}

// distanceAt returns the vehicle's distance from the target at a sample.
func (e *PredictionErrors) distanceAt(i int) float64 {
	if len(e.DistanceKm) == 0 {
		return distance(&e.history.Samples[i], &e.target)
	}
	return e.DistanceKm[i]
}

// distance returns the distance of a sample from the target.
func distance(s *sim.Sample, target *r3.Vec) float64 {
	x, y, z := s.R.X-target.X, s.R.Y-target.Y, s.R.Z-target.Z
	return math.Sqrt(x*x + y*y + z*z)
}
