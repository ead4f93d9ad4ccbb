package screen

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"
)

// The outline's controls for what the pointer does on the map and the distribution: select flights, move the target and
// waypoints, keep out of cells.
const (
	outlineSelectFrom    = "select-from"
	outlineSelectTo      = "select-to"
	outlineTargetEast    = "target-east"
	outlineTargetNorth   = "target-north"
	outlineWaypointEast  = "waypoint-east"
	outlineWaypointNorth = "waypoint-north"
)

// handSliders are the sliders for that. A waypoint is the one that the flight on show is sent to at this moment.
func (s *Screen) handSliders() []outlineSlider {
	far := s.farthestKm()
	from, to := 0.0, far
	if s.selection.kind == byDistance {
		from, to = min(s.selection.lowKm, far), min(s.selection.highKm, far)
	}
	km := func(id, label string, low, high, value float64) outlineSlider {
		return outlineSlider{id, label, low, high, clampTo(value, low, high), false, fixed(value, 1) + " km"}
	}
	sliders := []outlineSlider{
		km(outlineSelectFrom, "Select flights recognised from", 0, far, from),
		km(outlineSelectTo, "Select flights recognised up to", 0, far, to),
	}
	sliders = append(sliders, s.areaSliders()...)
	if s.Model.ShowsBaseline() {
		return sliders
	}
	low, high := s.gridKm()
	target := s.Model.Experiment.Scenario.Target
	sliders = append(sliders, km(outlineTargetEast, "Target, east", low.X, high.X, target.X),
		km(outlineTargetNorth, "Target, north", low.Y, high.Y, target.Y))
	if state, ok := s.flownTo(); ok {
		at := s.Model.WaypointAt(state)
		name := "Waypoint " + strconv.Itoa(state) + ", flown to now, "
		sliders = append(sliders, km(outlineWaypointEast, name+"east", low.X, high.X, at.X),
			km(outlineWaypointNorth, name+"north", low.Y, high.Y, at.Y))
	}
	return sliders
}

// setByHand does what such a slider asks for, and reports whether it is one.
func (s *Screen) setByHand(id string, v float64) bool {
	target := s.Model.Experiment.Scenario.Target
	switch id {
	case outlineSelectFrom, outlineSelectTo:
		s.selectFromTo(id, v)
	case outlineTargetEast:
		s.moveTarget(v, target.Y)
	case outlineTargetNorth:
		s.moveTarget(target.X, v)
	case outlineWaypointEast, outlineWaypointNorth:
		s.moveFlownTo(id, v)
	default:
		return s.setArea(id, v)
	}
	return true
}

// selectFromTo selects the flights that are recognised between two distances; from 0 to the farthest they are all.
func (s *Screen) selectFromTo(id string, km float64) {
	c := selection{kind: byDistance, lowKm: 0, highKm: s.farthestKm()}
	if s.selection.kind == byDistance {
		c.lowKm, c.highKm = s.selection.lowKm, s.selection.highKm
	}
	if id == outlineSelectFrom {
		c.lowKm, c.highKm = km, max(km, c.highKm)
	} else {
		c.lowKm, c.highKm = min(km, c.lowKm), km
	}
	if c.lowKm <= 0 && c.highKm >= s.farthestKm() {
		c = selection{}
	}
	s.choose(c)
}

// moveFlownTo moves the waypoint that the flight is sent to now, and goes to where it is sent there, so that it stays
// the one to be moved.
func (s *Screen) moveFlownTo(id string, km float64) {
	state, ok := s.flownTo()
	if !ok {
		return
	}
	at := s.Model.WaypointAt(state)
	if id == outlineWaypointEast {
		at.X = km
	} else {
		at.Y = km
	}
	s.Model.MoveWaypoint(state, at.X, at.Y)
	f := &s.Model.Private
	for _, v := range f.Visits {
		if v.Commanded == state {
			s.Model.Clock.Playing = false
			s.Model.Clock.Seek(f.TimeS(v.Sample))
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

// farthestKm is the farthest distance at which a flight is recognised, a whole number of km.
func (s *Screen) farthestKm() float64 {
	far := s.Model.Nominal.Run.DetectionKm
	for _, m := range s.Model.Ensemble.Members {
		if m != nil {
			far = max(far, m.Run.DetectionKm)
		}
	}
	return max(1, math.Ceil(far))
}

// gridKm returns the ends of the grid, km.
func (s *Screen) gridKm() (low, high r3.Vec) {
	g := s.Model.Experiment.Mission.Grid
	low, high = g.Position(0), g.Position(g.States()-1)
	return r3.Vec{X: min(low.X, high.X), Y: min(low.Y, high.Y)}, r3.Vec{X: max(low.X, high.X), Y: max(low.Y, high.Y)}
}
