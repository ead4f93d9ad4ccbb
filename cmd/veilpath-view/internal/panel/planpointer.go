package panel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// wheelZoom is how much a notch of the wheel enlarges.
const wheelZoom = 1.15

// Operate pans by dragging, zooms by the wheel, and fits on a double click.
func (pl *Plan) Operate() {
	const id = "map"
	in, c := pl.UI.Input, &pl.Map.Camera
	over, pressed, clicked := pl.UI.Area(id, c.View)
	if in.Pinch > 0 && c.View.Contains(in.PinchAt) && !pl.UI.Blocked() {
		c.Pan(in.PinchBy.X, in.PinchBy.Y)
		c.Zoom(in.Pinch, in.PinchAt)
	}
	if over && in.Wheel != 0 {
		c.Zoom(math.Pow(wheelZoom, in.Wheel), in.Pointer)
	}
	if over && in.Clicks == 2 {
		pl.Fit()
		return
	}
	if pl.Brushing {
		if over {
			pl.UI.SetCursor(ui.Cross)
		}
		if pl.UI.Holding(id) && in.Down {
			pl.brushMap()
		} else if clicked {
			pl.Brushing = false
		}
		return
	}
	if pl.KeepingOut {
		pl.keepOut(over, pressed, clicked)
		return
	}
	if pl.dragOnMap(over, pressed) {
		return
	}
	if clicked && pl.UI.Strayed() < brushFrom && in.Clicks != 2 {
		if f := pl.nearestTrack(in.Pointer); f != nil && pl.ShownAt(in.Pointer) == nil {
			pl.Model.Select(f.Run.Run)
		}
	}
	if over && (!in.Down || in.Long) {
		pl.hintTrack()
	}
	if pl.UI.Holding(id) && in.Down {
		if d := pl.UI.Dragged(pl.Layout.Window); d != (draw.Point{}) {
			c.Pan(d.X, d.Y)
		}
		pl.UI.SetCursor(ui.Grab)
	}
}

// SetMode has the pointer select flights on the map, keep out of cells there, or neither, and says what to do.
func (pl *Plan) SetMode(brushing, keepingOut bool) {
	pl.Brushing, pl.KeepingOut = brushing, keepingOut
	pl.Model.Say(false, "%s", pl.ModeText())
}

// ModeText says what the pointer does on the map in a mode; empty for none.
func (pl *Plan) ModeText() string {
	const drag = "Drag over an area of the map to select the flights through it."
	ends := either(pl.Touch, " The menu has \"Wall\" again to end this.", " Esc ends this.")
	switch n := len(pl.Model.WhatIf.KeptOut); {
	case pl.Brushing:
		return drag + either(pl.Touch, "", ends)
	case pl.KeepingOut && n > 0:
		return fmt.Sprintf("Kept out of by this flight: %d now. ", n) + either(pl.Touch,
			"The menu has \"Wall for all flights\", and \"Wall\" to end this.",
			"Enter keeps all flights out."+ends)
	case pl.KeepingOut:
		return either(pl.Touch, "Tap", "Click") +
			" a cell, or drag over several, to keep out of them, or to allow them again." + ends
	}
	return ""
}

// brushFrom is how far the pointer goes before a press becomes a brush, points.
const brushFrom = 5

// brushMap selects the flights through the rectangle that is dragged over on the map.
func (pl *Plan) brushMap() {
	if pl.UI.Strayed() < brushFrom {
		return
	}
	x0, y0 := pl.Map.Camera.World(pl.UI.DownAt())
	x1, y1 := pl.Map.Camera.World(pl.UI.Input.Pointer)
	pl.Choose(answer.Selection{Kind: answer.ByArea, Spans: [2][2]float64{ordered(x0, x1), ordered(y0, y1)}})
}

// ordered returns two numbers, the smaller first.
func ordered(a, b float64) [2]float64 { return [2]float64{math.Min(a, b), math.Max(a, b)} }

// nearestTrack returns the flight whose drawn track passes nearest to a place on the map, within reach; nil for none.
func (pl *Plan) nearestTrack(at draw.Point) *model.Member {
	if !pl.FanShown() {
		return nil
	}
	var nearest *model.Member
	best, c := pl.trackReach(), &pl.Map.Camera
	for _, f := range pl.Model.Ensemble.Members {
		if f == nil || !pl.IsSelected(f.Run.Run) {
			continue
		}
		for from, to := range f.Path.Pieces {
			a, b := c.Screen(from.X, from.Y), c.Screen(to.X, to.Y)
			if away := at.Away(a, b); away < best {
				best, nearest = away, f
			}
		}
	}
	return nearest
}

// ShownAt returns the flight at a place of those that lie over the ensemble: the one on show, and the direct one; nil
// for none.
func (pl *Plan) ShownAt(at draw.Point) *model.Flight {
	m, reach := pl.Shown(), pl.trackReach()
	for _, f := range slices.Backward(m.Drawn()) {
		for line := range m.linesOf(f, len(f.Samples)) {
			for i := 1; i < len(line); i++ {
				if at.Away(line[i-1], line[i]) < reach {
					return f
				}
			}
		}
	}
	return nil
}

// trackReach is how near to a track the pointer means it, points.
func (pl *Plan) trackReach() float64 { return either(pl.UI.Input.Touch, 14., 5) }

// hintTrack says how far off the guess is that is under the pointer, or else names the flight whose track is.
func (pl *Plan) hintTrack() {
	at, f := pl.UI.Input.Pointer, pl.Model.Flight()
	now := f.At(pl.Model.Clock.TimeS)
	if guess := pl.Map.Camera.Place(f.Predicted[now]); f.Foreseen(now) &&
		math.Hypot(guess.X-at.X, guess.Y-at.Y) <= pl.trackReach() {
		pl.UI.Hint(true, draw.Rect{X: guess.X - 6, Y: guess.Y - 6, W: 12, H: 12}, fmt.Sprintf(
			"The observer's guess after %s s, off by %s", chart.Fixed(f.TimeS(now), 1),
			chart.DistanceText(f.Errors.ErrorKm[now])))
		return
	}
	here := draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}
	if f := pl.ShownAt(at); f != nil {
		pl.UI.Hint(true, here, pl.ShownText(f))
	} else if f := pl.nearestTrack(at); f != nil {
		pl.UI.SetCursor(ui.Hand)
		pl.UI.Hint(true, here, answer.MemberText(f))
	}
}

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
func (pl *Plan) handleAt(at draw.Point) handle {
	m := pl.Model
	if m.ShowsBaseline() {
		return handle{}
	}
	best, found := either(pl.UI.Input.Touch, 20., 8), handle{}
	try := func(r r3.Vec, h handle) {
		p := pl.Map.Camera.Place(r)
		if away := math.Hypot(p.X-at.X, p.Y-at.Y); away < best {
			best, found = away, h
		}
	}
	try(m.Experiment.Scenario.Target, handle{kind: theTarget})
	if m.Experiment.Mission.Grid.SpacingKm*pl.Map.Camera.PointsPerKm < 2*best && pl.UI.Input.Touch {
		return found // waypoints are too close for a finger, which moves the map
	}
	for _, v := range m.Private.Visits {
		if v.Sample >= m.Private.HandoverSample {
			break
		}
		try(m.WaypointAt(v.Commanded), handle{aWaypoint, v.Commanded})
	}
	return found
}

// dragOnMap drags the target or a waypoint, and reports whether it has the pointer.
func (pl *Plan) dragOnMap(over, pressed bool) bool {
	in := pl.UI.Input
	if pressed {
		pl.held = pl.handleAt(in.Pointer)
	}
	if !pl.UI.Holding("map") {
		pl.held = handle{}
		if at := pl.handleAt(in.Pointer); over && at.kind != nothing {
			pl.UI.SetCursor(ui.Hand)
			pl.UI.Hint(true, draw.Rect{X: in.Pointer.X - 6, Y: in.Pointer.Y - 6, W: 12, H: 12}, either(at.kind == theTarget,
				"Drag the target: the mission to another place, planned and flown anew",
				"Drag this waypoint: the flight follows. What it becomes is no private flight."))
		}
		return false
	}
	if pl.held.kind == nothing || !in.Down {
		return false
	}
	pl.UI.SetCursor(ui.Grab)
	if pl.UI.Strayed() < brushFrom {
		return true
	}
	if pl.held.kind == theTarget {
		pl.MoveTarget(pl.Map.Camera.World(in.Pointer))
	} else {
		x, y := pl.Map.Camera.World(in.Pointer)
		pl.Model.MoveWaypoint(pl.held.state, x, y)
	}
	return true
}

// keepOut forbids the cells that are dragged over, or allows them again, as it does the one that is pressed. A finger
// may be the first of two, and does so only once it moves or lets go.
func (pl *Plan) keepOut(over, pressed, clicked bool) {
	in, held := pl.UI.Input, pl.UI.Holding("map")
	if over {
		pl.UI.SetCursor(ui.Cross)
	}
	if pressed || !held {
		pl.painting = false
	}
	moves := over && held && in.Down && (!in.Touch || pl.UI.Strayed() >= brushFrom)
	if !moves && (!clicked || pl.painting) {
		return
	}
	by, g := pl.UI.Dragged(pl.Layout.Map), pl.Model.Experiment.Mission.Grid
	world := func(p draw.Point) (at draw.Point) { at.X, at.Y = pl.Map.Camera.World(p); return at }
	from, to := world(draw.Point{X: in.Pointer.X - by.X, Y: in.Pointer.Y - by.Y}), world(in.Pointer)
	cell := func(state int) draw.Rect {
		middle := g.Position(state)
		return draw.Rect{X: middle.X, Y: middle.Y}.Inset(-g.SpacingKm / 2)
	}
	if !pl.painting { // what is done to the first cell is done to all
		from, pl.painting, pl.allows = world(pl.UI.DownAt()), true, false
		for state := range pl.Model.WhatIf.KeptOut {
			pl.allows = pl.allows || pl.Model.WhatIf.KeptOut[state] && cell(state).Contains(from)
		}
	}
	for state := range g.States() {
		out, r := pl.Model.WhatIf.KeptOut[state], cell(state)
		if out != pl.allows || !r.Contains(from) && !r.Contains(to) && !r.Meets(from, to) {
			continue
		}
		if pl.Model.KeepOut(state); pl.Model.WhatIf.KeptOut[state] != out {
			pl.Model.Say(false, "%s", pl.ModeText())
		}
	}
}

// DrawBrushed draws the area of the map that was brushed.
func (pl *Plan) DrawBrushed(l *draw.List) {
	if pl.Selection.Kind != answer.ByArea {
		return
	}
	c, x, y := &pl.Map.Camera, pl.Selection.Spans[0], pl.Selection.Spans[1]
	a, b := c.Screen(x[0], y[1]), c.Screen(x[1], y[0])
	r := draw.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}.Within(c.View)
	l.Rect(r, ui.Faded(pl.Theme().Accent, 0.16))
	l.Dashed(r.Outline(), 1.2, 4, 3, pl.Theme().Accent)
}
