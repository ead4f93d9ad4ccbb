package sim

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Route commands waypoints. The numbers of states have a meaning only within the route.
type Route interface {
	First() int // the state at the start
	// Next returns the state commanded from a state; the state itself to stay. visit is the number of states
	// entered before it, 0 at the start. A policy ignores visit, a path needs it.
	Next(visit, state int) int
	Position(state int) r3.Vec // position of a state's waypoint, km
}

// Sample is the vehicle at one step: position (km), velocity (km/s) and acceleration (km/s^2).
type Sample struct{ R, V, A r3.Vec }

// History is a flight step by step. Sample i is at i*StepS seconds after the start; the last sample ends the
// flight.
type History struct {
	StepS   float64
	Samples []Sample
	Visits  []Visit

	Handover int // sample at which GENEX was engaged; the number of samples if it never was
	// GENEX was engaged for another reason than the hand-over distance: because of the number of waypoints, or
	// without any waypoint
	GaveUp bool
}

// Visit is a change of waypoint.
type Visit struct {
	Sample    int // index of the sample at which it happened
	State     int // the state entered
	Commanded int // the state commanded next
}

// Initial capacities for samples: of short flights, of most flights, and of long ones, which circle until they
// give up.
const (
	shortSamples = 1 << 9
	usualSamples = 1 << 12
	longSamples  = 1 << 15
)

// reserve makes room for a sample.
func (h *History) reserve() {
	n := len(h.Samples)
	if n < cap(h.Samples) {
		return
	}
	capacity := max(2*n, shortSamples)
	if n >= usualSamples {
		capacity = max(capacity, longSamples)
	}
	h.Samples = slices.Grow(h.Samples, capacity-n)
}

// next appends a sample within the capacity and returns it for filling.
func (h *History) next() *Sample {
	n := len(h.Samples)
	h.Samples = h.Samples[:n+1]
	return &h.Samples[n]
}

// Duration returns the time of the last sample, s.
func (h *History) Duration() float64 { return float64(len(h.Samples)-1) * h.StepS }

// Outcome is the result of a flight.
type Outcome struct {
	// intended end of the flight, km: the target nearest to the position where GENEX was engaged, or to the end
	Target          r3.Vec
	HandoverKm      float64 // distance to the target where GENEX was engaged, km; 0 if it never was
	HandoverSample  int     // sample at which GENEX was engaged; the number of samples if it never was
	HeadingErrorRad float64 // angle there between horizontal velocity and line of sight, rad, in [0, pi]
	FlightTimeS     float64 // s
	Transitions     int     // waypoint transitions
	Fallback        bool    // the transition limit ended the waypoints
	TimedOut        bool    // the time limit ended the flight
}

// flight is a flight in progress.
type flight struct {
	lane     int
	number   int // of its route
	scenario *Scenario
	step     float64 // of the scenario, s, like its speed, km/s, and its limit of the acceleration, km/s^2
	speed    float64
	limit    float64
	leg      guidance.Leg
	genex    guidance.Genex
	engaged  bool // GENEX steers; otherwise the leg

	target           r3.Vec // the nearest target, or the target of GENEX
	route            Route
	r, v             r3.Vec
	state, commanded int
	departed         r2.Vec // waypoint of state
	waypoint         r2.Vec // waypoint of the commanded state
	aim              r2.Vec // point that the leg steers to: the waypoint, or a point abeam while it turns
	limits           limits
	distanceSq       float64 // to the target, squared, km^2
	previousSq       float64 // one step ago
	// bound on the change per step of the difference of the squared distances from both waypoints, km^2
	approach float64
	untested int  // following steps in which no test can succeed
	ends     bool // the flight ends with this step
	history  *History
	outcome  Outcome

	plane plane
	space space
}

// launch puts a flight at the start, or where the route departs from the route of the lane's last flight.
func (f *flight) launch(s *Scenario, number int, route Route, h *History) {
	shared := 0
	if f.scenario == s {
		shared = f.sharedVisits(route)
	}
	*f = flight{
		lane: f.lane, number: number, route: route,
		scenario: s, step: s.StepS, speed: s.SpeedKmS, limit: s.AccelLimitKmS2, target: s.TargetFrom(s.Start), history: h,
		limits: s.limits(), leg: guidance.NewLeg(s.WaypointGain, s.SpeedKmS, s.WaypointMinTgoS),
		genex: guidance.NewGenex(s.GenexN, s.SpeedKmS, s.GenexMinTgoS, s.TargetFrom(s.Start), r3.Vec{}),
	}
	if shared > 0 {
		f.join(shared)
		return
	}
	f.r, f.v, f.previousSq = s.Start, s.initialVelocity(), math.Inf(1)
	h.StepS, h.Samples, h.Visits, h.GaveUp = s.StepS, h.Samples[:0], h.Visits[:0], route == nil
	if route == nil {
		f.engage()
	} else {
		f.enter(route.First())
	}
}

// sharedVisits returns the visit of the last flight at which the route commands another waypoint than the last route
// did, the last visit if there is none; 0 if they share only the start.
func (f *flight) sharedVisits(route Route) int {
	if f.route == nil || route == nil {
		return 0
	}
	samePosition := func(state int) bool { return route.Position(state) == f.route.Position(state) }
	visits := f.history.Visits
	if state := visits[0].State; route.First() != state || !samePosition(state) {
		return 0
	}
	for i, v := range visits {
		if route.Next(i, v.State) != v.Commanded || !samePosition(v.Commanded) {
			return i
		}
	}
	return len(visits) - 1
}

// join starts the flight from the last flight's history, at a visit other than the first.
func (f *flight) join(visit int) {
	h := f.history
	at, leg := h.Visits[visit].Sample, h.Visits[visit-1]
	f.r, f.v, f.previousSq = h.Samples[at].R, h.Samples[at].V, math.Inf(1)
	if at > 0 {
		before := h.Samples[at-1].R
		toGo := r3.Sub(f.scenario.TargetFrom(before), before)
		f.previousSq = r3.Dot(toGo, toGo)
	}
	h.Samples, h.Visits, h.GaveUp = h.Samples[:at], h.Visits[:visit], false
	f.outcome.Transitions = visit - 1
	f.headFor(leg.State, leg.Commanded)
}

// enter makes state the current one and commands the next one.
func (f *flight) enter(state int) {
	h := f.history
	f.headFor(state, f.route.Next(len(h.Visits), state))
	h.Visits = append(h.Visits, Visit{Sample: len(h.Samples), State: f.state, Commanded: f.commanded})
}

// headFor directs the flight to the waypoint commanded in a state.
func (f *flight) headFor(state, commanded int) {
	f.state, f.commanded = state, commanded
	f.departed, f.waypoint = horizontal(f.route.Position(state)), horizontal(f.route.Position(commanded))
	f.approach = 2 * r2.Norm(r2.Sub(f.waypoint, f.departed)) * f.limits.travelKm
	f.aim = f.waypoint
	if toGo := r2.Sub(f.waypoint, horizontal(f.r)); commanded != state && straightBehind(toGo, horizontal(f.v)) {
		f.aim = r2.Add(horizontal(f.r), r2.Vec{X: toGo.Y, Y: -toGo.X})
	}
}

// A waypoint straight behind gives the leg no turn to either side. An angle that is only rounding grows with the
// square of the distance, so that the flight would return after hours. Such a flight first turns left, to a point
// abeam as far away as the waypoint.
const straightBehindRad = 1e-7

// straightBehind reports whether v points straight away from the waypoint that toGo leads to.
func straightBehind(toGo, v r2.Vec) bool {
	dot, cross := r2.Dot(v, toGo), r2.Cross(v, toGo)
	return math.Abs(cross) < -straightBehindRad*dot
}

// turnedAway reports whether v points at least 45 degrees aside of straight away from the waypoint.
func turnedAway(toGo, v r2.Vec) bool {
	return math.Abs(r2.Cross(v, toGo)) >= -r2.Dot(v, toGo)
}

// turning reports whether the flight steers to a point abeam. It ends the turn once the law itself can turn.
func (f *flight) turning() bool {
	if f.aim != f.waypoint && turnedAway(r2.Sub(f.waypoint, horizontal(f.r)), horizontal(f.v)) {
		f.aim = f.waypoint
	}
	return f.aim != f.waypoint
}

// horizontal drops the altitude.
func horizontal(p r3.Vec) r2.Vec { return r2.Vec{X: p.X, Y: p.Y} }

// engage hands over to GENEX and fixes the arrival velocity from the current position.
func (f *flight) engage() {
	f.engaged = true
	f.genex.Target, f.genex.Arrival = f.target, f.scenario.Arrival(f.r)
	toGo := r3.Sub(f.target, f.r)
	f.outcome.HandoverKm = r3.Norm(toGo)
	f.outcome.HandoverSample = len(f.history.Samples)
	f.history.Handover = f.outcome.HandoverSample
	f.outcome.HeadingErrorRad = headingError(f.v, toGo)
}

// headingError returns the angle between two vectors in the horizontal plane, in [0, pi].
func headingError(v, toGo r3.Vec) float64 {
	cross := v.X*toGo.Y - v.Y*toGo.X
	dot := v.X*toGo.X + v.Y*toGo.Y
	return math.Abs(math.Atan2(cross, dot))
}
