package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// waypoint returns the n-th waypoint that the flight on show is sent to, and where it is on screen.
func (d *desk) waypoint(n int) (state int, at draw.Point) {
	state = d.Model.Private.Visits[n].Commanded
	r := d.Model.WaypointAt(state)
	return state, d.plan.Map.Camera.Screen(r.X, r.Y)
}

// A waypoint that is dragged takes the flight with it; that is told to be no private flight, and one undo later all is
// as it was.
func TestDragAWaypoint(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		before := d.Model.Private.Run
		state, at := d.waypoint(2)
		to := draw.Point{X: at.X + 9, Y: at.Y + 30}
		d.drag(at, to)
		d.step(ui.Input{Outside: true})
		x, y := d.plan.Map.Camera.World(to)
		nearest := math.Inf(1)
		for _, s := range d.Model.Private.Samples {
			nearest = math.Min(nearest, math.Hypot(s.R.X-x, s.R.Y-y))
		}
		if !d.Model.WhatIf.Any() || nearest > 6 {
			t.Errorf("the flight passes %v km from where waypoint %d was dragged", nearest, state)
		}
		if d.Model.Private.Run == before {
			t.Error("the record is that of the flight before")
		}
		d.press(ui.Undo)
		if d.Model.WhatIf.Any() || d.Model.Private.Run != before {
			t.Errorf("undone, the record is %+v, before %+v", d.Model.Private.Run, before)
		}
		if said := d.Model.Message.Text; said != "Undone: now nothing is changed by hand." {
			t.Errorf("undone, it says %q", said)
		}
		d.press(ui.Redo)
		if !d.Model.WhatIf.Any() {
			t.Error("done again, nothing is changed by hand")
		}
		d.Model.Select(1)
		if d.Model.WhatIf.Any() {
			t.Error("another run is changed by hand")
		}
	}
}

// A finger moves the map where waypoints are too close to be told apart, and a waypoint on an enlarged map.
func TestFingersMoveTheMap(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.Touch = true
	for _, enlarged := range []bool{false, true} {
		if enlarged {
			_, at := d.waypoint(2)
			d.plan.Map.Camera.Zoom(6, at)
			d.step(ui.Input{Outside: true})
		}
		_, at := d.waypoint(2)
		d.swipe(at, draw.Point{X: at.X + 9, Y: at.Y + 30})
		if d.Model.WhatIf.Any() != enlarged {
			t.Errorf("enlarged %v, a waypoint has moved: %v", enlarged, d.Model.WhatIf.Any())
		}
	}
}

// No name covers a cell of a wall that is drawn.
func TestNamesLeaveWallsToBeSeen(t *testing.T) {
	d := newDesk(t, 360, 740)
	m := d.plan.Shown()
	g := d.Model.Experiment.Mission.Grid
	covered := func(state int) (name string) {
		at := g.Position(state)
		for text, area := range m.Named() {
			if area.Contains(m.Camera.Screen(at.X, at.Y)) {
				name = text
			}
		}
		return name
	}
	kept := 0
	for state := range g.States() {
		if state != g.Start && state != g.Goal && covered(state) != "" {
			d.Model.KeepOut(state)
			kept++
			d.step(ui.Input{Outside: true})
		}
	}
	for state := range d.Model.WhatIf.KeptOut {
		if name := covered(state); name != "" {
			t.Errorf("%q covers cell %d, which is kept out of", name, state)
		}
	}
	if kept == 0 {
		t.Error("no name covers a cell")
	}
}

// A cell that is clicked is kept out of, by the flight alone.
func TestKeepOut(t *testing.T) {
	d := newDesk(t, 1280, 800)
	mean := d.Model.Ensemble.Summary().MeanKm
	state, at := d.waypoint(3)
	d.do("keepout")
	d.click(at)
	d.press(ui.Escape)
	for _, v := range d.Model.Private.Visits {
		if v.Commanded == state {
			t.Errorf("the flight is sent to state %d, which it must keep out of", state)
		}
	}
	if !d.Model.WhatIf.KeptOut[state] || d.Model.Private.Run.Fallback {
		t.Errorf("kept out of %v; fallback %v", d.Model.WhatIf.KeptOut, d.Model.Private.Run.Fallback)
	}
	if d.Model.Ensemble.Summary().MeanKm != mean {
		t.Error("the ensemble has changed")
	}
	if d.plan.KeepingOut {
		t.Error("Escape does not end it")
	}
}

// Cells that are dragged over are kept out of, all on the way, and dragged over again allowed, each drag a step to
// undo.
func TestKeepOutOfManyCells(t *testing.T) {
	d := newDesk(t, 1280, 800)
	grid := d.Model.Experiment.Mission.Grid
	at := func(column int) draw.Point {
		r := grid.Position(grid.State(planner.Cell{Column: column, Row: 10}))
		return d.plan.Map.Camera.Screen(r.X, r.Y)
	}
	d.do("keepout")
	for _, want := range []int{4, 0} {
		d.drag(at(6), at(9))
		d.step(ui.Input{Outside: true})
		if n := len(d.Model.WhatIf.KeptOut); n != want {
			t.Errorf("%d cells are kept out of, want %d", n, want)
		}
	}
	if d.press(ui.Undo); len(d.Model.WhatIf.KeptOut) != 4 || !strings.Contains(d.plan.ModeText(), " 4 now") {
		t.Errorf("undone, %d cells are kept out of: %s", len(d.Model.WhatIf.KeptOut), d.plan.ModeText())
	}
}

// On a phone, and wherever fingers point, what is said of a wall names what ends it, what it can become and how to undo
// it, with no keys, and has room.
func TestKeepOutByTouch(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.Touch = true
	d.step(ui.Input{Outside: true})
	_, at := d.waypoint(3)
	d.do("keepout")
	first := d.Model.Message.Text
	d.swipe(at, at)
	then := d.Model.Message.Text
	if !strings.Contains(first, "to end this") || !strings.Contains(then, "1 now") ||
		!strings.Contains(then, "Wall for all flights") || !strings.Contains(then, "to end this") {
		t.Errorf("said is %q, then %q", first, then)
	}
	sentence := d.FlightSentence()
	lines := d.layers[topLayer].List.Wrap(d.Theme().Small, sentence, d.Layout.Headline.W-8)
	if text := first + then + sentence; len(lines) > 3 ||
		!strings.Contains(sentence, "not a private flight (Undo is in") ||
		strings.Contains(text, "Ctrl") || strings.Contains(text, "Esc") {
		t.Errorf("of the flight is said %q", lines)
	}
}

// Cells that were clicked become a wall for all flights, which are planned anew around them; one undo brings back the
// flight that alone kept out of them.
func TestWallForAllFlights(t *testing.T) {
	d := newDesk(t, 1280, 800)
	state, _ := d.waypoint(3)
	d.Model.KeepOut(state)
	d.step(ui.Input{Outside: true})
	legend := d.legend()
	if !slices.Contains(legend, "kept out of by this flight") || !strings.Contains(d.FlightSentence(), "in no mean") {
		t.Errorf("told is %q, %q", legend, d.FlightSentence())
	}
	if d.press(ui.Enter); d.Model.WhatIf.KeptOut == nil {
		t.Error("Enter makes a wall for all flights while no cells are chosen")
	}
	d.do("keepout")
	d.press(ui.Enter)
	d.settled()
	if d.plan.KeepingOut {
		t.Error("a wall for all flights leaves the choice of cells on")
	}
	cell := d.Model.Experiment.Mission.Grid.Cell(state)
	if kept := d.Model.Config.Planner.KeepOut; d.Model.WhatIf.Any() || len(kept) != 1 ||
		!slices.Equal(kept[0], []int{cell.Column, cell.Row}) || !d.Model.Experiment.Mission.Grid.KeptOut(state) {
		t.Errorf("the mission keeps out of %v; by hand is changed %v", kept, d.Model.WhatIf)
	}
	if d.do("undo"); !d.Model.WhatIf.KeptOut[state] || len(d.Model.Config.Planner.KeepOut) != 0 {
		t.Errorf("undone, the mission keeps out of %v, the flight of %v", d.Model.Config.Planner.KeepOut,
			d.Model.WhatIf)
	}
}

// A map that shows all of a mission with a wall shows all of the next mission.
func TestAnotherMissionAfterAWall(t *testing.T) {
	d := newDesk(t, 1280, 800)
	grid := d.Model.Experiment.Mission.Grid
	for row := range 16 {
		d.Model.KeepOut(grid.State(planner.Cell{Column: 8, Row: row}))
	}
	d.step(ui.Input{Outside: true})
	d.do("wall")
	d.settled()
	if link := d.Link(); strings.Contains(link, "center=") || strings.Contains(link, "zoom=") {
		t.Errorf("nobody moved the map, and the link is %s", link)
	}
	d.operate("mission.three-goals", "")
	d.settled()
	for _, goal := range d.plan.Map.Goals() {
		if at := d.plan.Map.Camera.Place(goal); !d.Layout.Map.Contains(at) {
			t.Errorf("the goal at %v lies at %v, beyond the map", goal, at)
		}
	}
}

// The target can be dragged: everything is planned and flown to the new one.
func TestDragTheTarget(t *testing.T) {
	d := newDesk(t, 1280, 800)
	target := d.Model.Experiment.Scenario.Target
	at := d.plan.Map.Camera.Screen(target.X, target.Y)
	d.drag(at, draw.Point{X: at.X - 60, Y: at.Y + 60})
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	now := d.Model.Experiment.Scenario.Target
	last := d.Model.Private.Samples[len(d.Model.Private.Samples)-1].R
	if math.Hypot(now.X-target.X, now.Y-target.Y) < 10 || math.Hypot(last.X-now.X, last.Y-now.Y) > 1 {
		t.Errorf("the target is %v, before %v; the flight ends at %v", now, target, last)
	}
	if !strings.Contains(d.Link(), "target_km") {
		t.Errorf("the link %s does not hold the target", d.Link())
	}
	told := func() bool { return strings.Contains(strings.Join(d.Outline().Why, " "), "not private") }
	if !told() || !strings.Contains(d.Pictures.About(), "not a private flight") {
		t.Error("nothing says that this is not private")
	}
	d.drag(d.plan.Map.Camera.Screen(now.X, now.Y), draw.Point{X: at.X - 60, Y: at.Y + 90})
	if !told() {
		t.Error("after a second drag nothing says that this is not private")
	}
	d.press(ui.Undo)
	d.press(ui.Undo)
	if told() || d.Model.Experiment.Scenario.Target != target {
		t.Errorf("undone, the target is %v", d.Model.Experiment.Scenario.Target)
	}
}

// A drag of a slider is one step to undo, whatever its frames.
func TestUndoOfADrag(t *testing.T) {
	d := newDesk(t, 1280, 800)
	r := ui.Track(d.widget("epsilon"))
	first := d.Model.Config.Privacy.Epsilon
	from := draw.Point{X: r.X + r.W*panel.EpsilonScale.Share(first), Y: r.Center().Y}
	d.step(ui.Input{Pointer: from, Down: true})
	for i := range 10 {
		d.step(ui.Input{Pointer: draw.Point{X: from.X - 5*float64(i), Y: from.Y}, Down: true})
	}
	d.step(ui.Input{Pointer: from})
	d.step(ui.Input{Outside: true})
	second := d.Model.Config.Privacy.Epsilon
	d.press(ui.Undo)
	if got := d.Model.Config.Privacy.Epsilon; got != first || second == first {
		t.Errorf("epsilon %v, dragged to %v, is %v after one undo", first, second, got)
	}
	d.press(ui.Redo)
	if got := d.Model.Config.Privacy.Epsilon; got != second {
		t.Errorf("done again, epsilon is %v, want %v", got, second)
	}
	d.press(ui.Redo)
	if d.Model.Message.Text == "" {
		t.Error("nothing says that there is nothing to do again")
	}
}

// A finger keeps out of a cell once it lets go, so that two fingers enlarge the map and do nothing else.
func TestTwoFingersKeepOutOfNothing(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.do("keepout")
	at, before := d.Layout.Map.Center(), d.plan.Map.Camera.PointsPerKm
	down := ui.Input{Pointer: at, Touch: true, Down: true}
	d.step(down)
	d.step(ui.Input{Pointer: at, Touch: true, Cancel: true, Pinch: 1.5, PinchAt: at})
	if n := len(d.Model.WhatIf.KeptOut); n > 0 || d.plan.Map.Camera.PointsPerKm <= before {
		t.Errorf("two fingers keep out of %d cells, at %v points a km after %v", n, d.plan.Map.Camera.PointsPerKm, before)
	}
	d.step(ui.Input{Pointer: at, Touch: true})
	for _, want := range []int{1, 0} {
		d.step(down)
		d.step(ui.Input{Pointer: at, Touch: true})
		if n := len(d.Model.WhatIf.KeptOut); n != want {
			t.Errorf("after a tap it keeps out of %d cells, want %d", n, want)
		}
	}
}

// A demand is one on all flights, also where a part of them is selected, and the chart says which it draws.
func TestDemandOfAllFlightsBesideASelection(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetRuns(8)
	d.wholeAxis()
	d.SetDemand(56)
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{10, 30}}})
	_, n := d.SelectedRuns()
	if foot := d.axis.Foot(d.UI.List, 1000); !strings.Contains(foot, fmt.Sprintf("mean of the %d selected", n)) {
		t.Errorf("the chart is said to be of %q", foot)
	}
	if text := d.DemandAnswer(); !strings.HasPrefix(text, "all flights at most 56 km") {
		t.Errorf("the answer is %q", text)
	}
}
