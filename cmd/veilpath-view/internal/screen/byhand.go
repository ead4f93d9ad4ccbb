package screen

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"
)

// moveRows move the target, and the waypoint that the flight on show is sent to at this moment.
func (s *Screen) moveRows() []control {
	private := func() bool { return !s.Model.ShowsBaseline() }
	sent := func() bool { _, ok := s.flownTo(); return ok }
	target := func() r3.Vec { return s.Model.Experiment.Scenario.Target }
	waypoint := func() r3.Vec { state, _ := s.flownTo(); return s.Model.WaypointAt(state) }
	along := func(at func() r3.Vec, north bool, set func(x, y float64)) quantity {
		return quantity{hand: true, text: km1,
			span: func() (float64, float64) {
				low, high := s.gridKm()
				return either(north, low.Y, low.X), either(north, high.Y, high.X)
			},
			get: func() float64 { return either(north, at().Y, at().X) },
			set: func(v float64) {
				now := at()
				set(either(north, now.X, v), either(north, v, now.Y))
			}}
	}
	toward := func(where string) func() string {
		return func() string {
			state, _ := s.flownTo()
			return "Waypoint " + strconv.Itoa(state) + ", flown to now, " + where
		}
	}
	return []control{
		{id: "target-east", label: "Target, east", there: private, quantity: along(target, false, s.MoveTarget)},
		{id: "target-north", label: "Target, north", there: private, quantity: along(target, true, s.MoveTarget)},
		{id: "waypoint-east", label: "Waypoint, east", says: toward("east"), there: sent,
			quantity: along(waypoint, false, s.moveFlownTo)},
		{id: "waypoint-north", label: "Waypoint, north", says: toward("north"), there: sent,
			quantity: along(waypoint, true, s.moveFlownTo)},
	}
}

// moveFlownTo moves the waypoint that the flight is sent to now, and goes to where it is sent there, so that it stays
// the one to be moved.
func (s *Screen) moveFlownTo(x, y float64) {
	state, ok := s.flownTo()
	if !ok {
		return
	}
	s.Model.MoveWaypoint(state, x, y)
	f := &s.Model.Private
	for _, v := range f.Visits {
		if v.Commanded == state {
			s.stopAt(f, v.Sample)
			return
		}
	}
}

// flownTo returns the waypoint that the private flight is sent to now: after the hand-over, the last one.
func (s *Screen) flownTo() (state int, ok bool) {
	f := &s.Model.Private
	now := f.At(s.Model.Clock.TimeS)
	for _, v := range f.Visits {
		if v.Sample >= f.HandoverSample || ok && v.Sample > now {
			break
		}
		state, ok = v.Commanded, true
	}
	return state, ok && !s.Model.ShowsBaseline()
}

// keepOutOfNext forbids the cell that the flight is sent to now.
func (s *Screen) keepOutOfNext() {
	if state, ok := s.flownTo(); ok {
		s.Model.KeepOut(state)
	}
}

// allowAll allows all cells that were forbidden by hand.
func (s *Screen) allowAll() {
	for state := range s.Model.WhatIf.KeptOut {
		s.Model.KeepOut(state)
	}
}

// keepAllOut has all flights keep out of these cells, which ends the choice of more.
func (s *Screen) keepAllOut() {
	s.plan.KeepingOut = false
	s.Model.KeepAllOut()
}

// farthestKm is the farthest distance at which a flight is recognised, a whole number of km.
func (s *Screen) farthestKm() float64 {
	return max(1, math.Ceil(max(s.Model.Nominal.Run.DetectionKm, s.FarthestDot())))
}

// gridKm returns the ends of the grid, km.
func (s *Screen) gridKm() (low, high r3.Vec) {
	g := s.Model.Experiment.Mission.Grid
	low, high = g.Position(0), g.Position(g.States()-1)
	return r3.Vec{X: min(low.X, high.X), Y: min(low.Y, high.Y)}, r3.Vec{X: max(low.X, high.X), Y: max(low.Y, high.Y)}
}
