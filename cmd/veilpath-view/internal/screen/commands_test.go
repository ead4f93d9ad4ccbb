package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Everything that the pointer reaches is set and done by keys: entries of lists are walked through, turned and chosen.
func TestEverythingByKeys(t *testing.T) {
	d := newDesk(t, 1280, 800)
	at := func(id string) {
		t.Helper()
		d.do("menu")
		to := slices.IndexFunc(d.shown(), func(it panel.Item) bool { return it.ID == "command."+id })
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
			return d.Model.Config.Adversary.RadiusKm > d.Standard.Adversary.RadiusKm
		}},
		{"run", []ui.Key{ui.ArrowRight, ui.ArrowRight}, func() bool { return d.Model.RunNumber == 2 }},
		{"calibration.analytic", []ui.Key{ui.Enter},
			func() bool { return d.Model.Config.Privacy.Calibration == "analytic" }},
		{"map.noise", []ui.Key{ui.Enter}, func() bool { return d.Heat == answer.HeatNoise }},
		{"theme", []ui.Key{ui.Enter}, func() bool { return !d.Theme().Dark && !d.palette.Open }},
		{"sample", []ui.Key{ui.Enter}, func() bool { return d.Model.Config.Study.Seed != d.Standard.Study.Seed }},
		{"event.2", []ui.Key{ui.Enter}, func() bool {
			return d.Model.Clock.TimeS == d.Model.Flight().TimeS(d.Why().Events[2].Sample)
		}},
		{"panels", []ui.Key{ui.Enter, ui.ArrowDown, ui.ArrowDown, ui.Enter},
			func() bool { return d.Folded.Has(layout.PanelAxis) }},
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
	d.do("menu")
	d.press(ui.End)
	if on, at := d.palette.At(); on != len(d.shown())-1 || at == 0 {
		t.Errorf("the end is entry %d of %d, scrolled by %v", on, len(d.shown()), at)
	}
	d.press(ui.Home)
	if on, at := d.palette.At(); on != 0 || at != 0 {
		t.Errorf("the beginning is entry %d, scrolled by %v", on, at)
	}
}

// A list that becomes shorter while the keys are at its end goes on from there.
func TestKeysStayOnAListThatShrinks(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("menu")
	d.press(ui.End)
	before := len(d.shown())
	d.Model.SetShown(model.ShowDirect)
	d.press(ui.ArrowLeft)
	if on, _ := d.palette.At(); len(d.shown()) >= before || on != len(d.shown())-1 {
		t.Errorf("the keys are at entry %d of %d, before of %d", on, len(d.shown()), before)
	}
	d.press(ui.Enter)
	if d.palette.Open {
		t.Error("Enter chooses nothing")
	}
}

// What begins with all that was typed comes first. A number alone is for every quantity that takes it, and what a
// section does not have is found in everything.
func TestWordsFindFirstWhatBeginsWithThem(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for words, want := range map[string]string{"wall at": "command.keep-out", "wall: keep": "command.keepout",
		"zoom in": "command.zoom-in"} {
		if d.palette.Look(words); len(d.shown()) == 0 || d.shown()[0].ID != want {
			t.Errorf("%q does not find %s first", words, want)
		}
	}
	d.palette.Look("60")
	numbers := map[string]string{}
	for _, it := range d.shown() {
		numbers[it.ID] = it.Text
	}
	if got := numbers["command.time"]; got != "Moment of the flight: set to 60 s" || numbers["command.radius"] != "" {
		t.Errorf("60 finds %q", numbers)
	}
	for _, words := range []string{"60", "moment 60"} {
		d.palette.Look(words)
		for _, it := range d.shown() {
			if !strings.Contains(it.Text, "60") {
				t.Errorf("%q finds %q, which has no 60", words, it.Text)
			}
		}
	}
	d.palette.Begin(missionSection)
	d.palette.Find("fan")
	if !slices.ContainsFunc(d.shown(), func(it panel.Item) bool { return it.ID == "command.fan" }) {
		t.Error("the list of missions does not find what all has")
	}
}

// What is typed finds what can be chosen by its name, and sets numbers, which is told: also where no panel shows it.
func TestWordsChooseAndSet(t *testing.T) {
	for words, want := range map[string]string{"map noise": "",
		"hidden until 56":         "Hidden on average until: 56 km, ε ",
		"radius of recognition 2": "Radius of recognition: 2 km.",
		"keep the flights out":    "Click a cell, or drag over several: all flights keep out"} {
		d := newDesk(t, either(words == "hidden until 56", 360., 1280), 800) // with and without the chart on show
		d.wholeAxis()
		d.do("menu")
		for _, r := range words {
			d.press(ui.Key(string(r)))
		}
		d.press(ui.Enter)
		if text := d.Model.Message.Text; d.palette.Open || !strings.HasPrefix(text, want) || (want == "") != (text == "") {
			t.Errorf("%q tells %q, want %q", words, text, want)
		}
		if words == "map noise" && d.Heat != answer.HeatNoise {
			t.Errorf("%q shows the map %v", words, d.Heat)
		}
	}
}

// Keys that come within one frame, as on a slow machine, do what they do one after the other.
func TestKeysOfAFrameInTheirOrder(t *testing.T) {
	d := newDesk(t, 1280, 800)
	var keys []ui.Key
	for _, words := range []string{"light theme", "epsilon 0.3", "flight on show 4"} {
		keys = append(keys, "/")
		for _, r := range words {
			keys = append(keys, either(r == ' ', ui.Space, ui.Key(string(r))))
		}
		keys = append(keys, ui.Enter)
	}
	d.press(append(keys, "c")...)
	if d.Theme().Dark || d.Model.Config.Privacy.Epsilon != 0.3 || d.Model.RunNumber != 4 || d.Model.Pair == nil ||
		d.palette.Open {
		t.Errorf("dark %v, epsilon %v, run %d, compares %v, the palette is open: %v", d.Theme().Dark,
			d.Model.Config.Privacy.Epsilon, d.Model.RunNumber, d.Model.Pair != nil, d.palette.Open)
	}
}
