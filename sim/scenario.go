package sim

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Scenario is everything about a flight except its commanded waypoints.
type Scenario struct {
	SpeedKmS       float64  // constant speed, km/s, > 0
	AccelLimitKmS2 float64  // largest lateral acceleration, km/s^2, > 0
	Start, Target  r3.Vec   // km; they must differ horizontally
	Others         []r3.Vec // further targets, km: a flight ends at the target nearest to its hand-over
	HeadingRad     float64  // initial heading counter-clockwise from east; NaN: along the line of sight
	HandoverKm     float64  // privacy is disabled within this distance of the target, km, >= 0

	WaypointGain    float64 // navigation gain of a waypoint leg, > 0
	WaypointMinTgoS float64 // lower limit of its time-to-go, s, > 0
	GenexN          float64 // exponent of GENEX, > -1
	GenexMinTgoS    float64 // lower limit of its time-to-go, s, > 0
	SteepeningRad   float64 // arrival is this much steeper than the line of sight, rad
	MaxTransitions  int     // waypoint transitions after which the flight falls back to GENEX, >= 1
	StepS           float64 // integration and measurement step, s, > 0
	CaptureKm       float64 // a closest approach within this distance ends the flight, km, >= 0
	MaxTimeS        float64 // the time at which a flight is ended and flagged, s, > 0
}

// Validate returns an error that names the first value out of range. Every value must be finite.
func (s *Scenario) Validate() error {
	los := s.lineOfSight()
	checks := []struct {
		name  string
		value float64
		ok    bool
	}{
		{"speed", s.SpeedKmS, s.SpeedKmS > 0},
		{"acceleration limit", s.AccelLimitKmS2, s.AccelLimitKmS2 > 0},
		{"distance of the start from the origin", r3.Norm(s.Start), true},
		{"distance of the target from the origin", r3.Norm(s.Target), true},
		{"distance of the farthest other target from the origin", s.farthestOther(), true},
		{"heading", s.heading(), true},
		{"hand-over distance", s.HandoverKm, s.HandoverKm >= 0},
		{"waypoint gain", s.WaypointGain, s.WaypointGain > 0},
		{"waypoint time-to-go floor", s.WaypointMinTgoS, s.WaypointMinTgoS > 0},
		{"GENEX exponent", s.GenexN, s.GenexN > -1},
		{"GENEX time-to-go floor", s.GenexMinTgoS, s.GenexMinTgoS > 0},
		{"terminal steepening", s.SteepeningRad, true},
		{"step", s.StepS, s.StepS > 0},
		{"capture distance", s.CaptureKm, s.CaptureKm >= 0},
		{"time limit", s.MaxTimeS, s.MaxTimeS > 0},
		{"transition limit", float64(s.MaxTransitions), s.MaxTransitions >= 1},
		{"horizontal distance from start to target", math.Hypot(los.X, los.Y), los.X != 0 || los.Y != 0},
	}
	for _, c := range checks {
		if !c.ok || math.IsInf(c.value, 0) || math.IsNaN(c.value) {
			return fmt.Errorf("sim: %s %v is out of range", c.name, c.value)
		}
	}
	if s.MaxTimeS < s.StepS {
		return fmt.Errorf("sim: the time limit of %v s is shorter than one step of %v s", s.MaxTimeS, s.StepS)
	}
	if steps := s.MaxTimeS / s.StepS; steps > maxSteps {
		return fmt.Errorf("sim: %v s in steps of %v s are %.3g steps; a history holds at most %d", s.MaxTimeS,
			s.StepS, steps, maxSteps)
	}
	return nil
}

// farthestOther returns the distance of the farthest other target from the origin, NaN if a coordinate is NaN.
func (s *Scenario) farthestOther() float64 {
	far := 0.0
	for _, t := range s.Others {
		far = max(far, r3.Norm(t))
	}
	return far
}

// maxSteps bounds a history to about 1.4 GB.
const maxSteps = 20_000_000

func (s *Scenario) lineOfSight() r3.Vec { return r3.Sub(s.TargetFrom(s.Start), s.Start) }

// TargetFrom returns the target nearest to a position, the first of several: the target of a flight that is
// handed over there.
func (s *Scenario) TargetFrom(r r3.Vec) r3.Vec {
	nearest := s.Target
	for _, t := range s.Others {
		if r3.Norm2(r3.Sub(t, r)) < r3.Norm2(r3.Sub(nearest, r)) {
			nearest = t
		}
	}
	return nearest
}

// GoalNumber returns the number of a target: 1 is Target, 2 the first of Others. It is 0 for another position.
func (s *Scenario) GoalNumber(target r3.Vec) int {
	if target == s.Target {
		return 1
	}
	if i := slices.Index(s.Others, target); i >= 0 {
		return i + 2
	}
	return 0
}

// TargetNumber returns the target of a number of GoalNumber other than 0.
func (s *Scenario) TargetNumber(number int) r3.Vec {
	if number == 1 {
		return s.Target
	}
	return s.Others[number-2]
}

// heading is the initial heading, rad.
func (s *Scenario) heading() float64 {
	if math.IsNaN(s.HeadingRad) {
		los := s.lineOfSight()
		return math.Atan2(los.Y, los.X)
	}
	return s.HeadingRad
}

// initialVelocity is horizontal, along the heading.
func (s *Scenario) initialVelocity() r3.Vec {
	return r3.Scale(s.SpeedKmS, guidance.Direction(s.heading(), 0))
}

// Arrival returns the velocity, km/s, with which GENEX arrives if it is engaged at r, km: along the line of
// sight, but steeper.
func (s *Scenario) Arrival(r r3.Vec) r3.Vec {
	toGo := r3.Sub(s.TargetFrom(r), r)
	heading := math.Atan2(toGo.Y, toGo.X)
	pitch := math.Asin(toGo.Z/r3.Norm(toGo)) - s.SteepeningRad
	return r3.Scale(s.SpeedKmS, guidance.Direction(heading, pitch))
}
