package sim

import (
	"math"
	"slices"
	"weak"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
)

// Route commands waypoints. States are numbers that mean something to the route alone.
type Route interface {
	First() int // the state at the start
	// Next returns the state commanded from a state that is entered after that many visits of states, the first of which
	// is the start's; the state itself to stay. A policy needs no count of visits, a path does.
	Next(visit, state int) int
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

	Handover int // sample at which GENEX was engaged; the number of samples when it never was
	// that was for another reason than the hand-over distance: the number of waypoints, or that none was commanded
	GaveUp bool

	spare weak.Pointer[room] // that Trim let go of
}

// room is where samples are kept.
type room struct{ samples []Sample }

// Visit is a change of waypoint.
type Visit struct {
	Sample    int // index of the sample at which it happened
	State     int // the state entered
	Commanded int // the state commanded next
}

// How many samples there is room for to begin with, in flights that are not long, and in most that are: those circle
// until they give up.
const (
	fewestSamples = 1 << 9
	usualSamples  = 1 << 12
	longSamples   = 1 << 15
)

// reserve makes room for a sample: what was let go of, if it is still there, or more than there was.
func (h *History) reserve() {
	n := len(h.Samples)
	if n < cap(h.Samples) {
		return
	}
	if spare := h.spare.Value(); spare != nil && n < cap(spare.samples) {
		h.Samples, h.spare = append(spare.samples[:0], h.Samples...), weak.Pointer[room]{}
		return
	}
	most := max(2*n, fewestSamples)
	if n >= usualSamples {
		most = max(most, longSamples)
	}
	h.Samples = slices.Grow(h.Samples, most-n)
}

// letGo leaves the room of the samples to the garbage collector. Until that comes for it, the next flight takes it
// back.
func (h *History) letGo() {
	h.spare = weak.Make(&room{h.Samples[:0]})
	h.Samples = nil
}

// next appends a sample, for which there is room, and returns it for filling.
func (h *History) next() *Sample {
	n := len(h.Samples)
	h.Samples = h.Samples[:n+1]
	return &h.Samples[n]
}

// Duration returns the time of the last sample, s.
func (h *History) Duration() float64 { return float64(len(h.Samples)-1) * h.StepS }

// Outcome is what a flight came to.
type Outcome struct {
	// where the flight was to end, km: the target nearest to where GENEX was engaged, or to its end
	Target          r3.Vec
	HandoverKm      float64 // distance to the target where GENEX was engaged, km; 0 when it never was
	HandoverSample  int     // and the sample at which it was; the number of samples when it never was
	HeadingErrorRad float64 // angle there between horizontal velocity and line of sight, rad, in [0, pi]
	FlightTimeS     float64 // s
	Transitions     int     // waypoint transitions
	Fallback        bool    // the transition limit ended the waypoints
	TimedOut        bool    // the time limit ended the flight
}

// flight is a flight under way.
type flight struct {
	lane     int
	number   int // of its route
	scenario *Scenario
	genex    guidance.Genex
	engaged  bool // GENEX steers; otherwise the leg

	target           r3.Vec // the nearest, or that of GENEX
	route            Route
	r, v             r3.Vec
	state, commanded int
	leaving          r2.Vec // waypoint of state
	waypoint         r2.Vec // of the one commanded
	limits           limits
	distanceSq       float64 // to the target, squared, km^2
	previousSq       float64 // one step ago
	// what a step changes the difference of the squared distances from both waypoints by, at most, km^2
	approach float64
	untested int  // steps to come in which no test can come true
	ends     bool // with this step
	history  *History
	outcome  Outcome

	plane plane
	space space
}

// launch puts a flight at the start, or where the route leaves that of the flight before it in its lane.
func (f *flight) launch(s *Scenario, number int, route Route, h *History) {
	parting := f.parting(route)
	*f = flight{
		lane: f.lane, number: number, scenario: s, route: route, target: s.TargetFrom(s.Start), history: h,
		limits: s.limits(),
		genex:  guidance.NewGenex(s.GenexN, s.SpeedKmS, s.GenexMinTgoS, s.TargetFrom(s.Start), r3.Vec{}),
	}
	if parting > 0 {
		f.join(parting)
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

// parting returns the visit of the last flight at which a route commands another waypoint than that did, the last visit
// where there is none; 0 when they have no more than the start in common.
func (f *flight) parting(route Route) int {
	if f.route == nil || route == nil {
		return 0
	}
	same := func(state int) bool { return route.Position(state) == f.route.Position(state) }
	visits := f.history.Visits
	if state := visits[0].State; route.First() != state || !same(state) {
		return 0
	}
	for i, v := range visits {
		if route.Next(i, v.State) != v.Commanded || !same(v.Commanded) {
			return i
		}
	}
	return len(visits) - 1
}

// join puts the flight on the last one in its history, where that comes to a visit but the first.
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
	f.head(leg.State, leg.Commanded)
}

// enter makes state the vehicle's own and commands the next one.
func (f *flight) enter(state int) {
	h := f.history
	f.head(state, f.route.Next(len(h.Visits), state))
	h.Visits = append(h.Visits, Visit{Sample: len(h.Samples), State: f.state, Commanded: f.commanded})
}

// head makes for the waypoint commanded in a state.
func (f *flight) head(state, commanded int) {
	f.state, f.commanded = state, commanded
	f.leaving, f.waypoint = horizontal(f.route.Position(state)), horizontal(f.route.Position(commanded))
	f.approach = 2 * r2.Norm(r2.Sub(f.waypoint, f.leaving)) * f.limits.travelKm
}

// horizontal drops the altitude.
func horizontal(p r3.Vec) r2.Vec { return r2.Vec{X: p.X, Y: p.Y} }

// engage hands over to GENEX, fixing the wanted arrival from the present position.
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
