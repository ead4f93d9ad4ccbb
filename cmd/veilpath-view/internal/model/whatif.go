package model

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/planner"
	"veilpath/sim"
)

// WhatIf is what the user changed about the flight on show by hand. Such a flight is a counterfactual: no mechanism
// chose it, and it keeps no promise of privacy.
type WhatIf struct {
	Moved   map[int]r3.Vec // waypoints, by state, to where they were dragged, km
	KeptOut map[int]bool   // states that the flight must not be sent to
}

// Any reports whether anything was changed.
func (w *WhatIf) Any() bool { return len(w.Moved)+len(w.KeptOut) > 0 }

// String says what was changed, in words.
func (w *WhatIf) String() string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(w.Moved)) {
		at := w.Moved[state]
		parts = append(parts, fmt.Sprintf("waypoint %d moved to %.2f, %.2f km", state, at.X, at.Y))
	}
	for _, state := range slices.Sorted(maps.Keys(w.KeptOut)) {
		parts = append(parts, fmt.Sprintf("cell %d kept out of", state))
	}
	return strings.Join(parts, "; ")
}

// check returns an error unless all that was changed lies on the grid, and neither its start nor its goal is kept out
// of.
func (w *WhatIf) check(g *planner.Grid) error {
	for state := range w.Moved {
		if state < 0 || state >= g.States() {
			return fmt.Errorf("moved: there is no waypoint %d; there are %d, counted from 0", state, g.States())
		}
	}
	for state := range w.KeptOut {
		if state < 0 || state >= g.States() || state == g.Goal || state == g.Start {
			return fmt.Errorf("out: cell %d cannot be kept out of: it is none of the %d, or the start or the goal",
				state, g.States())
		}
	}
	return nil
}

// detour is a route whose waypoints were moved.
type detour struct {
	planner.Route
	moved map[int]r3.Vec
}

// Position implements sim.Route.
func (d detour) Position(state int) r3.Vec {
	if at, ok := d.moved[state]; ok {
		return at
	}
	return d.Route.Position(state)
}

// MoveWaypoint moves a waypoint of the flight on show to a place of the plane, km, to 10 m.
func (m *Model) MoveWaypoint(state int, x, y float64) {
	if m.refusesByHand() {
		return
	}
	if m.WhatIf.Moved == nil {
		m.WhatIf.Moved = map[int]r3.Vec{}
	}
	at := m.WaypointAt(state)
	at.X, at.Y = math.Round(100*x)/100, math.Round(100*y)/100
	m.WhatIf.Moved[state] = at
	m.flyOne()
}

// WaypointAt returns where a waypoint lies, moved or not.
func (m *Model) WaypointAt(state int) r3.Vec {
	if at, ok := m.WhatIf.Moved[state]; ok {
		return at
	}
	return m.Experiment.Mission.Grid.Position(state)
}

// KeepOut forbids a state, or allows it again. The flight is planned around it, by the same private reward.
func (m *Model) KeepOut(state int) {
	if m.refusesByHand() {
		return
	}
	g := m.Experiment.Mission.Grid
	if state == g.Goal || state == g.Start {
		m.Say(true, "The flight cannot keep out of its start or its goal.")
		return
	}
	if m.WhatIf.KeptOut == nil {
		m.WhatIf.KeptOut = map[int]bool{}
	}
	if m.WhatIf.KeptOut[state] {
		delete(m.WhatIf.KeptOut, state)
	} else {
		m.WhatIf.KeptOut[state] = true
	}
	m.flyOne()
}

// KeepAllOut makes the cells that the flight on show keeps out of a setting, of the mission: all flights are planned
// around them.
func (m *Model) KeepAllOut() {
	g, cells := m.Experiment.Mission.Grid, slices.Clone(m.Config.Planner.KeepOut)
	for _, state := range slices.Sorted(maps.Keys(m.WhatIf.KeptOut)) {
		at := g.Cell(state)
		cells = append(cells, []int{at.Column, at.Row})
	}
	m.change(func(c *configs.Config) { c.Planner.KeepOut = cells })
}

// refusesByHand says why flights that a command watches cannot be changed by hand, and reports whether that is so.
func (m *Model) refusesByHand() bool {
	refuses := watched(m.Config)
	if refuses {
		m.Say(true, "%v", errWatched)
	}
	return refuses
}

var errWatched = errors.New("a command watched these flights, and the viewer does not run it: it cannot show " +
	"what the command makes of a changed flight")

// flyWhatIf flies the run on show with what was changed by hand.
func (m *Model) flyWhatIf() {
	draw := m.draw(m.RunNumber, m.Config.Privacy.Epsilon)
	rewards, policy := m.replan(draw, m.forbid)
	var route sim.Route = detour{planner.Route{Grid: m.planned(draw).Grid, Policy: policy}, m.WhatIf.Moved}
	m.Private = m.flown(m.flyer.FlyRoute(draw, route), m.flyer.Baselines(draw))
	m.Private.Policy, m.Private.Rewards, m.plannedAt = policy, rewards, m.Config.Privacy.Epsilon
	m.drawn = m.drawGoal(draw)
}

// forbid returns rewards with which no plan goes to a state that is kept out of, where there is another way.
func (m *Model) forbid(rewards []float64) []float64 {
	if len(m.WhatIf.KeptOut) == 0 {
		return rewards
	}
	g := m.Experiment.Mission.Grid
	span := 1 + slices.Max(rewards) - slices.Min(rewards)
	worst := slices.Min(rewards) - 2*span/(1-m.Config.Planner.Discount) // below all that any other way can cost
	with := slices.Clone(rewards)
	actions := len(with) / g.States()
	for state := range g.States() {
		for action := range actions {
			if m.WhatIf.KeptOut[g.Next(state, planner.Action(action))] && !math.IsInf(worst, 0) {
				with[state*actions+action] = worst
			}
		}
	}
	return with
}

// SetTarget moves the target, and with it the goal, to a place of the plane, km: a setting, with flights as private as
// before.
func (m *Model) SetTarget(x, y float64) {
	to := m.Config.TargetKm
	to[0], to[1] = math.Round(10*x)/10, math.Round(10*y)/10
	if to != m.Config.TargetKm {
		m.change(func(c *configs.Config) { c.TargetKm = to })
	}
}

// ChangedByHand reports whether the flight on show is one that was changed by hand.
func (m *Model) ChangedByHand() bool { return m.WhatIf.Any() && !m.ShowsBaseline() }

// setWhatIf changes the flight on show by hand as it was changed before.
func (m *Model) setWhatIf(w WhatIf) {
	if w.Any() || m.WhatIf.Any() {
		m.WhatIf = w
		m.flyOne()
	}
}
