package adversary

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
	"veilpath/sim"
)

// Steering is what an observer may know about the steering of vehicles.
type Steering struct {
	HandoverKm     float64 // waypoints end within this distance of the target, km
	SpeedKmS       float64
	AccelLimitKmS2 float64
	GenexN         float64
	GenexMinTgoS   float64
	SteepeningRad  float64
}

// SteeringOf returns the steering of a scenario, which does not depend on its target.
func SteeringOf(s *sim.Scenario) Steering {
	return Steering{HandoverKm: s.HandoverKm, SpeedKmS: s.SpeedKmS, AccelLimitKmS2: s.AccelLimitKmS2,
		GenexN: s.GenexN, GenexMinTgoS: s.GenexMinTgoS, SteepeningRad: s.SteepeningRad}
}

// handoverCircle knows the hand-over distance, that targets lie on the ground, at altitude 0, and the steering
// law to them. After the hand-over the target lies on a circle around the place of the hand-over. The observer
// predicts the point of the circle to which the law's commands fit the measured accelerations best, by least
// squares. Once the vehicle is within a tenth of the distance it keeps its prediction: so near, the commands
// depend more on the uncertainty of the circle than on the target. Before the hand-over, and if no waypoints
// were commanded, it predicts nothing.
type handoverCircle struct {
	steering Steering
	misfit   [angles]float64 // sum of squares, by angle
	laws     [angles]guidance.Genex
}

// angles is the number of points of the circle that are tried; a parabola through the best point and its
// neighbours refines it.
const angles = 360

// keepWithin is the fraction of the hand-over distance within which the prediction is kept.
const keepWithin = 0.1

func newHandoverCircle(s Settings) (Observer, error) {
	g := s.Steering
	if !(g.HandoverKm > 0 && g.SpeedKmS > 0 && g.AccelLimitKmS2 > 0 && g.GenexMinTgoS > 0) {
		return nil, fmt.Errorf("adversary: hand-over at %v km, speed %v km/s, acceleration up to %v km/s^2, "+
			"time-to-go from %v s; the observer of the hand-over needs them above 0",
			g.HandoverKm, g.SpeedKmS, g.AccelLimitKmS2, g.GenexMinTgoS)
	}
	return &handoverCircle{steering: g}, nil
}

func (o *handoverCircle) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	first := handoverOf(h)
	for i := range foreseen[:first] {
		foreseen[i] = noPrediction
	}
	if first == len(h.Samples) {
		return
	}
	at := h.Samples[first].R
	// The sample lies within the hand-over distance by at most a step; by half a step on average.
	slant := o.steering.HandoverKm - o.steering.SpeedKmS*h.StepS/2
	radius := math.Sqrt(max(0, slant*slant-at.Z*at.Z))
	for k := range o.laws {
		o.misfit[k] = 0
		o.laws[k] = o.law(at, o.point(at, radius, float64(k)))
	}
	var target r3.Vec
	for i := first; i < len(h.Samples); i++ {
		s := &h.Samples[i]
		if i > first && r3.Norm(r3.Sub(target, s.R)) < keepWithin*o.steering.HandoverKm {
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

// handoverOf returns the first sample that is not level, because legs to waypoints are level; the number of
// samples if no waypoint was commanded.
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

// point returns the point of the circle at an angle, counted in steps from east.
func (o *handoverCircle) point(at r3.Vec, radius, step float64) r3.Vec {
	sin, cos := math.Sincos(2 * math.Pi * step / angles)
	return r3.Vec{X: at.X + radius*cos, Y: at.Y + radius*sin}
}

// law returns the steering law from the hand-over to a target.
func (o *handoverCircle) law(at, target r3.Vec) guidance.Genex {
	g := o.steering
	s := sim.Scenario{SpeedKmS: g.SpeedKmS, Target: target, SteepeningRad: g.SteepeningRad}
	return guidance.NewGenex(g.GenexN, g.SpeedKmS, g.GenexMinTgoS, target, s.Arrival(at))
}

// vertex returns the offset, in steps, from the best angle to the minimum of the parabola through it and its
// neighbours.
func (o *handoverCircle) vertex(best int) float64 {
	left, middle, right := o.misfit[(best+angles-1)%angles], o.misfit[best], o.misfit[(best+1)%angles]
	curvature := left - 2*middle + right
	if !(curvature > 0) {
		return 0
	}
	return (left - right) / (2 * curvature)
}
