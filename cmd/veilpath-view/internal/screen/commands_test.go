package screen

import (
	"slices"
	"testing"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Everything that the pointer reaches is set and done by keys: entries of lists are walked through, turned and chosen.
func TestEverythingByKeys(t *testing.T) {
	d := newDesk(t, 1280, 800)
	at := func(id string) {
		t.Helper()
		d.press("9")
		to := slices.IndexFunc(d.commands(), func(it item) bool { return it.id == "command."+id })
		if to < 0 {
			t.Fatalf("there is no %s", id)
		}
		for range to + 1 {
			d.press(ui.ArrowDown)
		}
	}
	for _, test := range []struct {
		id   string
		keys []ui.Key
		done func() bool
	}{
		{"radius", []ui.Key{ui.ArrowRight}, func() bool {
			return d.Model.Config.Adversary.RadiusKm > d.standard.Adversary.RadiusKm
		}},
		{"run", []ui.Key{ui.ArrowRight, ui.ArrowRight}, func() bool { return d.Model.RunNumber == 2 }},
		{"calibration", []ui.Key{ui.Enter}, func() bool { return d.Model.Config.Privacy.Calibration == "analytic" }},
		{"calibration", []ui.Key{ui.ArrowLeft}, func() bool { return d.Model.Config.Privacy.Calibration == "classical" }},
		{"theme", []ui.Key{ui.Enter}, func() bool { return !d.theme().Dark && !d.listed() }},
		{"sample", []ui.Key{ui.Enter}, func() bool { return d.Model.Config.Study.Seed != d.standard.Study.Seed }},
		{"event.2", []ui.Key{ui.Enter}, func() bool {
			return d.Model.Clock.TimeS == d.Model.Flight().TimeS(d.why().events[2].Sample)
		}},
		{"panels", []ui.Key{ui.Enter, ui.ArrowDown, ui.ArrowDown, ui.Enter},
			func() bool { return d.Folded.has(panelSettings) }},
	} {
		at(test.id)
		for _, k := range test.keys {
			d.press(k)
		}
		if !test.done() {
			t.Errorf("%s by %v is not done", test.id, test.keys)
		}
		d.press(ui.Escape)
	}
	// What the keys have come to is in view.
	d.press("9")
	d.press(ui.End)
	if d.listOn != len(d.commands())-1 || d.listAt == 0 {
		t.Errorf("the end is entry %d of %d, scrolled by %v", d.listOn, len(d.commands()), d.listAt)
	}
	d.press(ui.Home)
	if d.listOn != 0 || d.listAt != 0 {
		t.Errorf("the beginning is entry %d, scrolled by %v", d.listOn, d.listAt)
	}
}

// A list that becomes shorter while the keys are at its end goes on from there.
func TestKeysStayOnAListThatShrinks(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.press("9")
	d.press(ui.End)
	before := len(d.commands())
	d.Model.SetShown(model.ShowDirect)
	if d.press(ui.ArrowLeft); len(d.commands()) >= before || d.listOn != len(d.commands())-1 {
		t.Errorf("the keys are at entry %d of %d, before of %d", d.listOn, len(d.commands()), before)
	}
	d.press(ui.Enter)
	if d.ShowCommands {
		t.Error("Enter chooses nothing")
	}
}
