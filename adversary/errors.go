package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// PredictionErrors is what an observer makes of one flight: per step, the distance of the foreseen final
// position from the target, or of half of what it believes, and the vehicle's own distance from it, both km.
type PredictionErrors struct {
	ErrorKm    []float64
	DistanceKm []float64

	foreseen []r3.Vec // from the target
	pending  pending
}

// pending is a flight whose errors are worked out when they are asked for.
type pending struct {
	observer Memoryless // nil where all are there
	history  *sim.History
	target   r3.Vec
}

// Fill lets an observer watch a flight towards the target, reusing its storage.
func (e *PredictionErrors) Fill(o Observer, h *sim.History, target r3.Vec) {
	e.measure(h, target)
	switch o := o.(type) {
	case believing:
		o.Spread(h, target, e.ErrorKm)
	case Memoryless:
		for i := range e.ErrorKm {
			foreseen := o.ForeseeAt(h, target, i)
			e.ErrorKm[i] = length(&foreseen)
		}
	default:
		e.foreseen = resize(e.foreseen, len(h.Samples))
		o.Foresee(h, target, e.foreseen)
		for i := range e.foreseen {
			e.ErrorKm[i] = length(&e.foreseen[i])
		}
	}
}

// FillLazily is Fill for a Curve alone, which does not ask for all errors: a Memoryless observer works out those that it
// asks for, and the flight must stay as it is until then. Nothing else may be read.
func (e *PredictionErrors) FillLazily(o Observer, h *sim.History, target r3.Vec) {
	memoryless, ok := o.(Memoryless)
	if !ok {
		e.Fill(o, h, target)
		return
	}
	e.pending = pending{memoryless, h, target}
	e.ErrorKm, e.DistanceKm = resize(e.ErrorKm, len(h.Samples)), e.DistanceKm[:0]
	for i := range e.ErrorKm {
		e.ErrorKm[i] = math.NaN() // not known
	}
}

// measure makes room for the errors of a flight and sets how far the vehicle is from the target.
func (e *PredictionErrors) measure(h *sim.History, target r3.Vec) {
	n := len(h.Samples)
	e.ErrorKm, e.DistanceKm, e.pending = resize(e.ErrorKm, n), resize(e.DistanceKm, n), pending{}
	for i := range h.Samples {
		e.DistanceKm[i] = distance(&h.Samples[i], &target)
	}
}

// errorAt returns the error at a sample.
func (e *PredictionErrors) errorAt(i int) float64 {
	if p := &e.pending; p.observer != nil && math.IsNaN(e.ErrorKm[i]) {
		foreseen := p.observer.ForeseeAt(p.history, p.target, i)
		e.ErrorKm[i] = length(&foreseen)
	}
	return e.ErrorKm[i]
}

// distanceAt returns the vehicle's distance at a sample.
func (e *PredictionErrors) distanceAt(i int) float64 {
	if p := &e.pending; p.observer != nil {
		return distance(&p.history.Samples[i], &p.target)
	}
	return e.DistanceKm[i]
}

// distance returns how far a sample is from the target.
func distance(s *sim.Sample, target *r3.Vec) float64 {
	return length(&r3.Vec{X: s.R.X - target.X, Y: s.R.Y - target.Y, Z: s.R.Z - target.Z})
}

// length returns the length of a vector of moderate components.
func length(v *r3.Vec) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z) }

// resize returns a slice of length n, reusing s where it is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
