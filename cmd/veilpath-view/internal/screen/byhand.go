package screen

import (
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"
)

// moveRows move the target, and the waypoint that the flight on show is sent to at this moment.
func (s *Screen) moveRows() []control {
	private := func() bool { return !s.Model.ShowsBaseline() }
	sent := func() bool { _, ok := s.Model.FlownTo(); return ok }
	target := func() r3.Vec { return s.Model.Experiment.Scenario.Target }
	waypoint := func() r3.Vec { state, _ := s.Model.FlownTo(); return s.Model.WaypointAt(state) }
	along := func(at func() r3.Vec, north bool, set func(x, y float64)) quantity {
		return quantity{hand: true, text: km1,
			span: func() (float64, float64) {
				low, high := s.GridKm()
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
			state, _ := s.Model.FlownTo()
			return "Waypoint " + strconv.Itoa(state) + ", flown to now, " + where
		}
	}
	return []control{
		{id: "target-east", label: "Target, east", there: private, quantity: along(target, false, s.MoveTarget)},
		{id: "target-north", label: "Target, north", there: private, quantity: along(target, true, s.MoveTarget)},
		{id: "waypoint-east", label: "Waypoint, east", says: toward("east"), there: sent,
			quantity: along(waypoint, false, s.Model.MoveFlownTo)},
		{id: "waypoint-north", label: "Waypoint, north", says: toward("north"), there: sent,
			quantity: along(waypoint, true, s.Model.MoveFlownTo)},
	}
}

// keepAllOut has all flights keep out of these cells, which ends the choice of more.
func (s *Screen) keepAllOut() {
	s.plan.KeepingOut = false
	before := len(s.Model.Config.Planner.KeepOut)
	s.Model.KeepAllOut()
	if n := len(s.Model.Config.Planner.KeepOut) - before; n > 0 {
		s.Model.Say(false, "No flight is sent to %d %s%s now. One that turns may still go over.", n,
			either(before == 0, "", "more "), either(n == 1, "cell", "cells"))
	}
}
