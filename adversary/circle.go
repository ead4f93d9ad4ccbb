package adversary

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
	"veilpath/sim"
)

// Steering is what an observer may know of how vehicles are steered.
type Steering struct {
	HandoverKm     float64 // waypoints end nearer to the target than this, km
	SpeedKmS       float64
	AccelLimitKmS2 float64
	GenexN         float64
	GenexMinTgoS   float64
	SteepeningRad  float64
}

// SteeringOf returns how vehicles are steered in a scenario, which does not depend on its target.
func SteeringOf(s *sim.Scenario) Steering {
	return Steering{HandoverKm: s.HandoverKm, SpeedKmS: s.SpeedKmS, AccelLimitKmS2: s.AccelLimitKmS2,
		GenexN: s.GenexN, GenexMinTgoS: s.GenexMinTgoS, SteepeningRad: s.SteepeningRad}
}

// HandoverCircle knows the distance of the hand-over, that targets lie on the ground, at altitude 0, and the law that
// steers to them. From the hand-over on the target lies on a circle round the place where that happened: it takes
// the point of it to which the law would have commanded what it has measured since, by least squares of the
// acceleration. It keeps to that once the vehicle is within a tenth of the distance: so near, commands tell more of
// the step by which the circle is uncertain than of the target. Before, and when no waypoints were commanded, it
// foresees nothing.
type HandoverCircle struct {
	steering Steering
	misfit   [angles]float64 // sum of squares, by angle
	laws     [angles]guidance.Genex
}

// angles is how many points of the circle are tried; a parabola through the best one and its neighbours does the rest.
const angles = 360

// settled is the share of the hand-over distance within which the target is kept to.
const settled = 0.1

func newHandoverCircle(s Settings) (Observer, error) {
	g := s.Steering
	if !(g.HandoverKm > 0 && g.SpeedKmS > 0 && g.AccelLimitKmS2 > 0 && g.GenexMinTgoS > 0) {
		return nil, fmt.Errorf("adversary: hand-over at %v km, speed %v km/s, acceleration to %v km/s^2, time-to-go from "+
			"%v s; the observer of the hand-over needs them above 0",
			g.HandoverKm, g.SpeedKmS, g.AccelLimitKmS2, g.GenexMinTgoS)
	}
	return &HandoverCircle{steering: g}, nil
}

// Foresee implements Observer. A sample for which nothing is foreseen gets an infinite position.
func (o *HandoverCircle) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	first := handoverOf(h)
	for i := range foreseen[:first] {
		foreseen[i] = nowhere
	}
	if first == len(h.Samples) {
		return
	}
	at := h.Samples[first].R
	// The sample lies within the hand-over distance by up to a step: by half of one on average.
	slant := o.steering.HandoverKm - o.steering.SpeedKmS*h.StepS/2
	radius := math.Sqrt(max(0, slant*slant-at.Z*at.Z))
	for k := range o.laws {
		o.misfit[k] = 0
		o.laws[k] = o.law(at, o.point(at, radius, float64(k)))
	}
	var target r3.Vec
	for i := first; i < len(h.Samples); i++ {
		s := &h.Samples[i]
		if i > first && r3.Norm(r3.Sub(target, s.R)) < settled*o.steering.HandoverKm {
			foreseen[i] = r3.Sub(target, origin)
			continue
		}
		best := 0
		for k := range o.laws {
			off := r3.Sub(guidance.Limit(o.laws[k].Lateral(s.R, s.V), o.steering.AccelLimitKmS2), s.A)
			o.misfit[k] += r3.Dot(off, off)
			if o.misfit[k] < o.misfit[best] {
				best = k
			}
		}
		target = o.point(at, radius, float64(best)+o.vertex(best))
		foreseen[i] = r3.Sub(target, origin)
	}
}

// handoverOf returns the first sample that is not level, since waypoints are flown to in level flight; the number of
// samples when no waypoint was commanded.
func handoverOf(h *sim.History) int {
	n := len(h.Samples)
	if len(h.Visits) == 0 {
		return n
	}
	for i := range h.Samples {
		if h.Samples[i].A.Z != 0 || h.Samples[i].V.Z != 0 {
			return i
		}
	}
	return n
}

// point returns the point of the circle at an angle, in steps from east.
func (o *HandoverCircle) point(at r3.Vec, radius, step float64) r3.Vec {
	sin, cos := math.Sincos(2 * math.Pi * step / angles)
	return r3.Vec{X: at.X + radius*cos, Y: at.Y + radius*sin}
}

// law is the steering from the hand-over to a target.
func (o *HandoverCircle) law(at, target r3.Vec) guidance.Genex {
	g := o.steering
	s := sim.Scenario{SpeedKmS: g.SpeedKmS, Target: target, SteepeningRad: g.SteepeningRad}
	return guidance.NewGenex(g.GenexN, g.SpeedKmS, g.GenexMinTgoS, target, s.Arrival(at))
}

// vertex returns how far from the best angle the parabola through it and its neighbours is least, in steps.
func (o *HandoverCircle) vertex(best int) float64 {
	left, middle, right := o.misfit[(best+angles-1)%angles], o.misfit[best], o.misfit[(best+1)%angles]
	curvature := left - 2*middle + right
	if !(curvature > 0) {
		return 0
	}
	return (left - right) / (2 * curvature)
}
