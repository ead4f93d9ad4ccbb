package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// Every kind of change is undone by one step and done again by another, and how it is looked at stays.
func TestUndoOfEveryChange(t *testing.T) {
	d := newDesk(t, 1280, 800)
	m := d.Model
	settle := func() {
		m.Work()
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
	}
	for _, change := range []struct {
		name string
		do   func()
	}{
		{"epsilon", func() { m.SetEpsilon(0.7) }},
		{"the radius", func() { m.SetRadius(2) }},
		{"the decay", func() { m.SetLambda(0.2) }},
		{"the number of flights", func() { m.SetRuns(30) }},
		{"the calibration", func() { m.SetCalibration(configs.Analytic) }},
		{"the run", func() { d.press("]") }},
		{"the direct flight", func() { d.do("direct") }},
		{"the sample", func() { d.do("sample") }},
		{"the observer", func() { m.SetObserver("constant_velocity") }},
		{"what is painted", func() { d.do("map", "off") }},
		{"a cell that is kept out of", func() { m.KeepOut(map[int]bool{106: true}, true) }},
		{"the demand", func() { d.SetDemand(50) }},
		{"what is compared with", func() { d.do("compare"); m.SetEpsilon(3) }},
	} {
		settle()
		before := d.state()
		d.do("panels")
		d.press(ui.Escape) // which changes nothing
		m.Clock.Seek(33)
		change.do()
		settle()
		after := d.state()
		if before.equal(&after) {
			t.Fatalf("%s: nothing has changed", change.name)
		}
		back := 0
		for now := after; !now.equal(&before) && back < 2; now = d.state() {
			d.press(ui.Undo)
			settle()
			back++
		}
		if now := d.state(); !now.equal(&before) || (back > 1 && change.name != "what is compared with") {
			t.Errorf("%s: after %d steps back %+v, want %+v", change.name, back, now, before)
		}
		if m.Clock.TimeS != 33 {
			t.Errorf("%s: undone, the clock is at %v s", change.name, m.Clock.TimeS)
		}
		for range back {
			d.press(ui.Redo)
			settle()
		}
		if now := d.state(); !now.equal(&after) {
			t.Errorf("%s: done again %+v, want %+v", change.name, now, after)
		}
		for range back {
			d.press(ui.Undo)
			settle()
		}
	}
}

// What was changed since the last frame is undone too, and no more than that.
func TestUndoBeforeAFrame(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, epsilon := range []float64{0.3, 0.6} {
		d.Model.SetEpsilon(epsilon)
		d.step(ui.Input{Outside: true})
	}
	d.Model.SetEpsilon(0.9)
	d.press(ui.Undo)
	if epsilon := d.Model.Config.Privacy.Epsilon; epsilon != 0.6 {
		t.Errorf("0.9 undone is %v, want 0.6", epsilon)
	}
}

// An undo goes back to the recording that was open, also from a story, which tells of none.
func TestUndoOpensTheRecording(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, name := range []string{"first", "second"} {
		if err := d.Model.OpenRecord(name, recording.ManifestName, recordedStudy(t, false)); err != nil {
			t.Fatal(err)
		}
		d.step(ui.Input{Outside: true})
	}
	d.do("story.on")
	for _, want := range []struct {
		key  ui.Key
		name string
	}{{ui.Undo, "second"}, {ui.Undo, "first"}, {ui.Redo, "second"}, {ui.Redo, ""}, {ui.Undo, "second"}} {
		d.press(want.key)
		name := ""
		if r := d.Model.Record; r != nil {
			name = r.Name
		}
		if name != want.name || name != d.Facts().Record {
			t.Errorf("after %s the recording %q is open, want %q", want.key, name, want.name)
		}
	}
}

// A flight that has ended stays ended when its mission is undone, however long the one before flies. That there is no
// setting to undo says what else may have been meant.
func TestUndoAfterTheEndOfAFlight(t *testing.T) {
	d := newDesk(t, 1280, 800)
	c := &d.Model.Clock
	settle := func() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
	}
	c.Playing = false
	settle()
	missions := model.Missions()
	shorter := slices.IndexFunc(missions, func(n model.Mission) bool {
		end := c.EndS
		d.Model.SetMission(n)
		settle()
		if c.EndS < end {
			return true
		}
		d.press(ui.Undo)
		settle()
		return false
	})
	if shorter < 0 {
		t.Fatal("no mission has a shorter flight")
	}
	c.Seek(c.EndS)
	short := c.EndS
	d.press(ui.Undo)
	settle()
	if c.EndS <= short || c.TimeS != c.EndS {
		t.Errorf("after %v s of one flight the clock is at %v of %v s of the other", short, c.TimeS, c.EndS)
	}
	c.Seek(20)
	for range mostStates {
		d.press(ui.Undo)
	}
	if text := d.Model.Message.Text; !strings.Contains(text, "moment") || c.TimeS != 20 {
		t.Errorf("at %v s %q", c.TimeS, text)
	}
}

// A story that was closed leaves nothing to undo: an undo goes back to before what was set before the story.
func TestUndoLeavesOutTheStory(t *testing.T) {
	d := newDesk(t, 1280, 800)
	epsilon := d.Model.Config.Privacy.Epsilon
	d.Model.SetEpsilon(4)
	d.step(ui.Input{Outside: true})
	d.do("story")
	for range 3 {
		d.step(ui.Input{Outside: true})
		d.do("story.on")
	}
	d.Model.SetEpsilon(2.7)
	d.step(ui.Input{Outside: true})
	d.do("story.end")
	d.step(ui.Input{Outside: true})
	if d.Model.Config.Privacy.Epsilon != 4 {
		t.Fatalf("after the story epsilon is %v", d.Model.Config.Privacy.Epsilon)
	}
	d.press(ui.Undo)
	if d.told != 0 || d.Model.Config.Privacy.Epsilon != epsilon {
		t.Errorf("an undo leads to step %d of the story, epsilon %v", d.told, d.Model.Config.Privacy.Epsilon)
	}
	d.press(ui.Redo)
	if d.told != 0 || d.Model.Config.Privacy.Epsilon != 4 {
		t.Errorf("a redo leads to step %d of the story, epsilon %v", d.told, d.Model.Config.Privacy.Epsilon)
	}
}
