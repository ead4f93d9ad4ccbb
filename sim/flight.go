package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Route commands waypoints. States are numbers that mean something to the route alone.
type Route interface {
	First() int                // the state at the start
	Next(state int) int        // the state commanded from there; the state itself to stay
	Position(state int) r3.Vec // where the waypoint of a state lies, km
}

// Sample is the vehicle at one step: position (km), velocity (km/s) and acceleration (km/s^2).
type Sample struct{ R, V, A r3.Vec }

// History is a flight step by step. Sample i was taken i*StepS seconds after the start; the last one
// ends the flight.
type History struct {
	StepS   float64
	Samples []Sample
	Visits  []Visit
}

// Visit is a change of waypoint.
type Visit struct {
	Sample    int // index of the sample at which it happened
	State     int // the state entered
	Commanded int // the state commanded next
}

// Duration returns the time of the last sample, s.
func (h *History) Duration() float64 { return float64(len(h.Samples)-1) * h.StepS }

// Outcome is what a flight came to.
type Outcome struct {
	HandoverKm      float64 // distance to the target where GENEX was engaged, km
	HandoverSample  int     // and the sample at which it was
	HeadingErrorRad float64 // angle there between horizontal velocity and line of sight, rad, in [0, pi]
	FlightTimeS     float64 // s
	Transitions     int     // waypoint transitions
	Fallback        bool    // the transition limit ended the waypoints
	TimedOut        bool    // the time limit ended the flight
}

// flight is a flight under way.
type flight struct {
	scenario *Scenario
	steering
	route            Route
	r, v             r3.Vec
	state, commanded int
	leaving          r3.Vec // waypoint of state
	outcome          Outcome
}

// Fly flies the route, or the nominal flight when it is nil, into a history whose slices are reused.
// The scenario must be valid. The same scenario and route always give the same flight.
func (s *Scenario) Fly(route Route, h *History) Outcome {
	f := flight{
		scenario: s, route: route, r: s.Start, v: s.initialVelocity(),
		steering: steering{
			leg:   guidance.NewLeg(s.WaypointGain, s.SpeedKmS, s.WaypointMinTgoS),
			genex: guidance.Genex{N: s.GenexN, SpeedKmS: s.SpeedKmS, MinTimeToGoS: s.GenexMinTgoS, Target: s.Target},
			limit: s.AccelLimitKmS2,
		},
	}
	h.StepS, h.Samples, h.Visits = s.StepS, h.Samples[:0], h.Visits[:0]
	if route == nil {
		f.engage(h)
	} else {
		f.enter(route.First(), h)
	}
	f.run(h)
	f.outcome.FlightTimeS = h.Duration()
	return f.outcome
}

// run steps the flight to its end.
func (f *flight) run(h *History) {
	s := f.scenario
	reach := s.SpeedKmS * s.StepS * reachMargin
	previous := math.Inf(1)
	for {
		toGo := r3.Sub(s.Target, f.r)
		distance := math.Sqrt(r3.Dot(toGo, toGo))
		if !f.engaged {
			f.follow(distance, h)
		}
		a := f.acceleration(f.r, f.v)
		h.Samples = append(h.Samples, Sample{R: f.r, V: f.v, A: a})
		if distance < reach || (distance > previous && previous < s.CaptureKm) {
			return
		}
		if float64(len(h.Samples))*s.StepS > s.MaxTimeS {
			f.outcome.TimedOut = true
			return
		}
		previous = distance
		f.r, f.v = f.rungeKutta(f.r, f.v, a, s.StepS)
		f.v = renormalise(f.v, s.SpeedKmS)
	}
}

// reachMargin times a step's travel is the distance at which the target counts as reached: a hair more
// than a step, so that rounding cannot make the flight overshoot.
const reachMargin = 1.01

// follow runs the hand-over and waypoint tests of one step.
func (f *flight) follow(distance float64, h *History) {
	switch {
	case distance < f.scenario.HandoverKm:
		f.engage(h)
	case f.commanded == f.state || nearer(f.r, f.waypoint, f.leaving):
		f.outcome.Transitions++
		f.enter(f.commanded, h)
		if f.outcome.Transitions >= f.scenario.MaxTransitions {
			f.outcome.Fallback = true
			f.engage(h)
		}
	}
}

// nearer reports whether r is nearer to a than to b in the horizontal plane.
func nearer(r, a, b r3.Vec) bool {
	ax, ay, bx, by := a.X-r.X, a.Y-r.Y, b.X-r.X, b.Y-r.Y
	return ax*ax+ay*ay < bx*bx+by*by
}

// enter makes state the vehicle's own and commands the next one.
func (f *flight) enter(state int, h *History) {
	f.state, f.commanded = state, f.route.Next(state)
	f.leaving, f.waypoint = f.route.Position(f.state), f.route.Position(f.commanded)
	h.Visits = append(h.Visits, Visit{Sample: len(h.Samples), State: f.state, Commanded: f.commanded})
}

// engage hands over to GENEX, fixing the wanted arrival from the present position.
func (f *flight) engage(h *History) {
	f.engaged = true
	f.genex.Arrival = f.scenario.arrival(f.r)
	toGo := r3.Sub(f.scenario.Target, f.r)
	f.outcome.HandoverKm = r3.Norm(toGo)
	f.outcome.HandoverSample = len(h.Samples)
	f.outcome.HeadingErrorRad = headingError(f.v, toGo)
}

// headingError returns the angle between two vectors in the horizontal plane, in [0, pi].
func headingError(v, toGo r3.Vec) float64 {
	cross := v.X*toGo.Y - v.Y*toGo.X
	dot := v.X*toGo.X + v.Y*toGo.Y
	return math.Abs(math.Atan2(cross, dot))
}
