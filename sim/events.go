package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// limits are the distances to the target at which something happens, most of them squared, km^2, which avoids
// square roots.
type limits struct {
	reachSq, captureSq, handoverSq float64

	legKm, genexKm float64 // the largest relevant distances on a leg, and under GENEX, km
	travelKm       float64 // upper bound on the travel in a step; infinite if rounding is not negligible against it
	steps          float64 // lower bound on the steps that the time limit allows
}

// reachMargin times a step's travel is the distance at which the target counts as reached: slightly more than a
// step, so that rounding cannot make the flight overshoot.
const reachMargin = 1.01

func (s *Scenario) limits() limits {
	reach := s.SpeedKmS * s.StepS * reachMargin
	l := limits{reachSq: reach * reach, captureSq: s.CaptureKm * s.CaptureKm, handoverSq: s.HandoverKm * s.HandoverKm}
	l.genexKm = max(reach, s.CaptureKm)
	l.legKm = max(l.genexKm, s.HandoverKm)
	l.travelKm = travelMargin * s.StepS * (s.SpeedKmS + s.StepS*s.AccelLimitKmS2/2)
	if farthest := r3.Norm(s.Start) + r3.Norm(s.Target) + s.farthestOther() +
		s.SpeedKmS*s.MaxTimeS; farthest*maxRounding > l.travelKm {
		l.travelKm = math.Inf(1)
	}
	l.steps = s.MaxTimeS/s.StepS - 2
	return l
}

// A step moves the vehicle by its length times the mean of the velocities of its first three stages, each of
// which differs from the speed by at most half a step of the limited acceleration. travelMargin allows for the
// rounding of positions and distances, which must be far smaller.
const (
	travelMargin = 1.001
	maxRounding  = 1e-11
)

// checkEvents runs the tests of one step: hand-over, waypoint and end. Then it computes the number of following steps
// in which none can succeed.
func (f *flight) checkEvents() {
	if !f.engaged && len(f.scenario.Others) > 0 {
		f.target = f.scenario.TargetFrom(f.r)
	}
	toGo := r3.Sub(f.target, f.r)
	f.distanceSq = r3.Dot(toGo, toGo)
	if !f.engaged {
		f.checkWaypoint()
	}
	f.ends = f.hasEnded()
	f.previousSq = f.distanceSq
	f.history.reserve()
	if f.untested = f.stepsToEvent(); f.untested > 0 {
		f.previousSq = math.Inf(1) // far beyond every relevant distance
	}
}

// stepsToEvent returns the number of following steps that need no test: until the vehicle can have reached a
// place where a test succeeds, until the time is almost over, or until there is no more room for samples.
func (f *flight) stepsToEvent() int {
	h, l := f.history, &f.limits
	samples := len(h.Samples) + 1
	far := l.genexKm
	if !f.engaged {
		far = l.legKm
	}
	steps := min((math.Sqrt(f.distanceSq)-far)/l.travelKm, float64(cap(h.Samples)-samples), l.steps-float64(samples))
	if !f.engaged {
		if f.turning() {
			return 0
		}
		ahead, behind := r2.Norm2(r2.Sub(f.waypoint, horizontal(f.r))), r2.Norm2(r2.Sub(f.departed, horizontal(f.r)))
		steps = min(steps, (ahead-behind-maxRounding*(ahead+behind))/f.approach)
	}
	if steps >= 1 {
		return int(steps)
	}
	return 0
}

// checkWaypoint runs the hand-over and waypoint tests of one step.
func (f *flight) checkWaypoint() {
	switch {
	case f.distanceSq < f.limits.handoverSq:
		f.engage()
	case f.commanded == f.state || nearer(f.r, f.waypoint, f.departed):
		f.outcome.Transitions++
		f.enter(f.commanded)
		if f.outcome.Transitions >= f.scenario.MaxTransitions {
			f.outcome.Fallback, f.history.GaveUp = true, true
			f.engage()
		}
	}
}

// nearer reports whether r is nearer to a than to b in the horizontal plane.
func nearer(r r3.Vec, a, b r2.Vec) bool {
	ax, ay, bx, by := a.X-r.X, a.Y-r.Y, b.X-r.X, b.Y-r.Y
	return ax*ax+ay*ay < bx*bx+by*by
}

// hasEnded runs the end test of one step.
func (f *flight) hasEnded() bool {
	switch {
	case f.distanceSq < f.limits.reachSq:
	case f.distanceSq > f.previousSq && f.previousSq < f.limits.captureSq:
	case float64(len(f.history.Samples)+1)*f.scenario.StepS > f.scenario.MaxTimeS:
		f.outcome.TimedOut = true
	default:
		return false
	}
	return true
}

// finish completes the outcome of a flight that has ended.
func (f *flight) finish() {
	f.outcome.Target, f.outcome.FlightTimeS = f.target, f.history.Duration()
	if !f.engaged {
		f.outcome.HandoverSample = len(f.history.Samples)
		f.history.Handover = f.outcome.HandoverSample
	}
}
