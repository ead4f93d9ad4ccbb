package screen

import (
	"testing"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/draw"
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
	moved := func() draw.Point { _, at := d.waypoint(2); return at }
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
		{"an observer more", func() { d.switchWatcher("impact_time") }},
		{"what is painted", func() { d.do("map", "noise") }},
		{"the target", func() { target := m.Experiment.Scenario.Target; m.SetTarget(target.X-20, target.Y-20) }},
		{"a waypoint", func() { at := moved(); d.drag(at, draw.Point{X: at.X + 9, Y: at.Y + 30}) }},
		{"a cell that is kept out of", func() { state, _ := d.waypoint(3); m.KeepOut(state) }},
		{"the demand", func() { d.setDemand(50) }},
		{"what is selected", func() { d.choose(selection{kind: byDistance, spans: [2][2]float64{{10, 40}}}) }},
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
