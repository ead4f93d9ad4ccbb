package screen

import (
	"testing"
	"testing/fstest"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// slowSettings are those of a small mission whose observer has little to learn from, in a link.
const slowSettings = small + "&adversary.training=40"

// preparingDesk is one whose model prepares what takes long, and knows small missions.
func preparingDesk(t *testing.T) *desk {
	t.Helper()
	d := openDesk(t, 1280, 800, configs.Default(), model.Workers{AxisRuns: 1, InferencePolicies: 2})
	d.Follow(slowSettings)
	d.step(ui.Input{Outside: true})
	return d
}

// prepared works until nothing is being prepared.
func (d *desk) prepared() {
	d.t.Helper()
	for range 5 {
		if !d.Model.Preparing() {
			return
		}
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
	d.t.Fatal("the preparation does not end")
}

// Whatever leads to an observer who takes long leads there once it is prepared: a link, a file, an undo.
func TestWhatLeadsToSlowObservers(t *testing.T) {
	d := preparingDesk(t)
	observer := func() string { return d.Model.Config.Adversary.Observer }
	d.Follow(slowSettings + "&adversary.observer=learned&run=3&t=60")
	if observer() == "learned" || !d.Model.Preparing() {
		t.Fatal("a link is followed at once")
	}
	d.prepared()
	if observer() != "learned" || d.Model.RunNumber != 3 || d.Model.Clock.TimeS != 60 {
		t.Fatalf("the link leads to %s, run %d at %v s", observer(), d.Model.RunNumber, d.Model.Clock.TimeS)
	}
	d.press(ui.Undo)
	if observer() == "learned" {
		t.Fatal("nothing is undone")
	}
	d.press(ui.Redo)
	d.prepared()
	if observer() != "learned" || d.Model.RunNumber != 3 {
		t.Fatalf("done again leads to %s, run %d", observer(), d.Model.RunNumber)
	}
	d.Open("dropped", fstest.MapFS{"mine.yaml": {Data: []byte("planner:\n  columns: 10\n  rows: 8\n  spacing_km: 22\n" +
		"  start_cell: [0, 4]\nadversary:\n  observer: mechanism\n  policies: 3\nstudy:\n  runs: 4\n")}})
	if observer() == "mechanism" {
		t.Fatal("a file is opened at once")
	}
	d.prepared()
	if observer() != "mechanism" || d.Model.Runs() != 4 {
		t.Errorf("the file leads to %s, %d runs", observer(), d.Model.Runs())
	}
}

// Esc keeps what is on show, and the epsilon that was dragged to stays under the pointer until it is there.
func TestEscLeavesPreparations(t *testing.T) {
	d := preparingDesk(t)
	d.do("adversary", "learned")
	if !d.Facts().Preparing {
		t.Fatal("it is not said that something is being prepared")
	}
	d.step(ui.Input{Outside: true})
	button := d.widget("message.stop")
	for _, text := range d.Outline().Texts {
		if (draw.Rect{X: text.X, Y: text.Y, W: text.W, H: text.H}).Overlaps(button) {
			t.Errorf("%q lies over the button Stop, and takes its clicks", text.Text)
		}
	}
	for name, stop := range map[string]func(){"Esc": func() { d.press(ui.Escape) }, "Stop": func() { d.do("stop") },
		"its notice": func() { d.step(ui.Input{Outside: true}); d.clickOn("message.stop") }} {
		stop()
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		if d.Facts().Preparing || d.Model.Config.Adversary.Observer != "ballistic" || d.Model.Message.Text != "" {
			t.Errorf("%s leads to %s: %q", name, d.Model.Config.Adversary.Observer, d.Model.Message.Text)
		}
		d.do("adversary", "learned")
	}
	d.prepared()
	d.press(ui.ArrowUp)
	d.press(ui.ArrowUp)
	if c := d.row("epsilon"); c.get() != 1.21 || d.Model.Config.Privacy.Epsilon != 1 {
		t.Errorf("the slider is at %v, in force is %v", c.get(), d.Model.Config.Privacy.Epsilon)
	}
	d.prepared()
	if d.Model.Config.Privacy.Epsilon != 1.21 {
		t.Errorf("in force is %v", d.Model.Config.Privacy.Epsilon)
	}
}
