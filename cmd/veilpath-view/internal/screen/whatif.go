package screen

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// handle is what of the map can be dragged.
type handle struct {
	kind  held
	state int // of a waypoint
}

// held says what a handle is.
type held int

const (
	nothing held = iota
	theTarget
	aWaypoint
)

// handleAt returns what can be dragged at a place.
func (s *Screen) handleAt(at draw.Point) handle {
	m := s.Model
	if m.ShowsBaseline() {
		return handle{}
	}
	best, found := either(s.UI.Input.Touch, 20., 8), handle{}
	try := func(r r3.Vec, h handle) {
		p := s.plan.Camera.Place(r)
		if away := math.Hypot(p.X-at.X, p.Y-at.Y); away < best {
			best, found = away, h
		}
	}
	try(m.Experiment.Scenario.Target, handle{kind: theTarget})
	for _, v := range m.Private.Visits {
		if v.Sample >= m.Private.HandoverSample {
			break
		}
		try(m.WaypointAt(v.Commanded), handle{aWaypoint, v.Commanded})
	}
	return found
}

// dragOnMap drags the target or a waypoint, and reports whether it has the pointer.
func (s *Screen) dragOnMap(over, pressed bool) bool {
	in := s.UI.Input
	if pressed {
		s.held = s.handleAt(in.Pointer)
	}
	if !s.UI.Holding("map") {
		s.held = handle{}
		if at := s.handleAt(in.Pointer); over && at.kind != nothing {
			s.UI.SetCursor(ui.Hand)
			s.UI.Hint(true, draw.Rect{X: in.Pointer.X - 6, Y: in.Pointer.Y - 6, W: 12, H: 12}, either(at.kind == theTarget,
				"Drag the target: the mission to another place, planned and flown anew",
				"Drag this waypoint: the flight follows. What it becomes is no private flight."))
		}
		return false
	}
	if s.held.kind == nothing || !in.Down {
		return false
	}
	s.UI.SetCursor(ui.Grab)
	if s.UI.Strayed() < brushFrom {
		return true
	}
	if s.held.kind == theTarget {
		s.MoveTarget(s.plan.Camera.World(in.Pointer))
	} else {
		x, y := s.plan.Camera.World(in.Pointer)
		s.Model.MoveWaypoint(s.held.state, x, y)
	}
	return true
}

// keepOut forbids the cells that are dragged over, or allows them again, as it does the one that is pressed.
func (s *Screen) keepOut(over, pressed bool) {
	if over {
		s.UI.SetCursor(ui.Cross)
	}
	if !over || !s.UI.Holding("map") || !s.UI.Input.Down {
		return
	}
	at, by, g := s.UI.Input.Pointer, s.UI.Dragged(s.Layout.Map), s.Model.Experiment.Mission.Grid
	world := func(x, y float64) (p draw.Point) { p.X, p.Y = s.plan.Camera.World(draw.Point{X: x, Y: y}); return p }
	from, to := world(at.X-by.X, at.Y-by.Y), world(at.X, at.Y)
	for state := range g.States() {
		middle, out := g.Position(state), s.Model.WhatIf.KeptOut[state]
		cell := draw.Rect{X: middle.X, Y: middle.Y}.Inset(-g.SpacingKm / 2)
		if !cell.Contains(to) && !cell.Meets(from, to) {
			continue
		}
		if pressed {
			s.allows = out
		}
		if out == s.allows {
			if s.Model.KeepOut(state); s.Model.WhatIf.KeptOut[state] != out {
				s.Model.Say(false, "%s", s.modeText())
			}
		}
	}
}
