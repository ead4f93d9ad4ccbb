package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// What a mission keeps out of is told by the legend, and by the pointer over its cells.
func TestKeptOutIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for mission, keeps := range map[string]bool{"paper": false, "passage": true} {
		d.do("mission." + mission)
		d.settled()
		d.do("fit")
		if told := slices.Contains(d.legend(), "kept out of"); told != keeps {
			t.Errorf("%s: the legend tells it: %v", mission, told)
		}
		g := d.Model.Experiment.Mission.Grid
		for state := range g.States() {
			at := g.Position(state)
			told := strings.Contains(d.plan.PlaceText(d.plan.Map.Camera.Screen(at.X, at.Y)), "kept out of")
			if told != g.KeptOut(state) {
				t.Fatalf("%s: cell %d is kept out of: %v, told: %v", mission, state, g.KeptOut(state), told)
			}
		}
	}
}

// place is where a cell of the map is on screen.
func (d *desk) place(state int) draw.Point {
	return d.plan.Map.Camera.Place(d.Model.Experiment.Mission.Grid.Position(state))
}

// kept is which of some cells all flights keep out of.
func (d *desk) kept(states ...int) (kept []int) {
	for _, state := range states {
		if d.Model.Experiment.Mission.Grid.KeptOut(state) {
			kept = append(kept, state)
		}
	}
	return kept
}

// Cells that are clicked, or dragged over, are kept out of by all flights, and allowed again by doing so again. Each
// drag is one step to undo, and Escape ends the drawing.
func TestWallsAreDrawn(t *testing.T) {
	d := newDesk(t, 1280, 800)
	g := d.Model.Experiment.Mission.Grid
	first := 5*g.Columns + 6
	row := []int{first, first + 1, first + 2, first + 3}
	d.do("keepout")
	if d.click(d.place(first)); !slices.Equal(d.kept(row...), row[:1]) {
		t.Fatalf("a click keeps out of %v: %s", d.kept(row...), d.Model.Message.Text)
	}
	d.click(d.place(first))
	if kept := d.kept(row...); kept != nil {
		t.Errorf("a second click leaves %v kept out of", kept)
	}
	d.drag(d.place(row[0]), d.place(row[3]))
	if kept := d.kept(row...); !slices.Equal(kept, row) {
		t.Errorf("a drag keeps out of %v, want %v", kept, row)
	}
	d.settled()
	for run := range 20 {
		d.Model.Select(run)
		for _, v := range d.Model.Private.Visits {
			if slices.Contains(row, v.Commanded) {
				t.Fatalf("run %d is sent to cell %d", run, v.Commanded)
			}
		}
	}
	d.Model.Select(0)
	d.step(ui.Input{Outside: true})
	d.press(ui.Undo)
	if kept := d.kept(row...); kept != nil {
		t.Errorf("undone, %v are kept out of", kept)
	}
	if d.press(ui.Escape); d.plan.KeepingOut {
		t.Error("Escape leaves the mode on")
	}
}

// A finger keeps out of a cell once it lets go, so that two fingers enlarge the map and do nothing else.
func TestWallsByFingers(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.Touch, d.Tab = true, layout.TabNone
	d.step(ui.Input{Outside: true})
	d.do("keepout")
	g := d.Model.Experiment.Mission.Grid
	state := 5*g.Columns + 6
	at := d.place(state)
	d.step(ui.Input{Pointer: at, Touch: true, Down: true})
	d.step(ui.Input{Touch: true, Pinch: 1.2, PinchAt: at, Cancel: true})
	d.step(ui.Input{Touch: true, Outside: true})
	if kept := d.kept(state); kept != nil {
		t.Errorf("two fingers keep out of %v", kept)
	}
	at = d.place(state)
	d.swipe(at, at)
	if kept := d.kept(state); kept == nil {
		t.Errorf("a tap keeps out of nothing: %s", d.Model.Message.Text)
	}
}

// A wall is found among the missions, and once in the list of everything.
func TestWallsAreAmongTheMissions(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.do("mission")
	is := func(it panel.Item) bool { return strings.HasPrefix(it.Text, "Wall: keep the flights out") }
	at := slices.IndexFunc(d.offers(), is)
	if at < 0 {
		t.Fatal("no wall is among the missions")
	}
	d.offers()[at].Choose()
	if !d.plan.KeepingOut {
		t.Error("the entry draws no wall")
	}
	n := 0
	for _, it := range d.everything() {
		if strings.Contains(it.Text, "Wall: keep the flights out") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("a wall is %d times in the list", n)
	}
}
