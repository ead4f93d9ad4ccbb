package screen

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

// The outline says what is on screen, and every button on the bar is one of its too.
func TestOutlineSaysWhatIsOnScreen(t *testing.T) {
	d := newDesk(t, 1280, 800)
	shown := d.Outline()
	if _, err := json.Marshal(shown); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, row := range shown.Results {
		if names[row[0]] {
			t.Errorf("two results are called %q", row[0])
		}
		names[row[0]] = true
	}
	buttons := map[string]bool{}
	for _, b := range shown.Buttons {
		buttons[b.ID] = true
	}
	for id := range d.UI.Regions() {
		if name, ok := strings.CutPrefix(id, "bar."); ok && !buttons[name] {
			t.Errorf("the button %s is on screen only", name)
		}
	}
	for id := range d.UI.Regions() {
		if !strings.HasPrefix(id, "bar.") && !shown.does(id) {
			t.Errorf("what %s does, the outline does not", id)
		}
	}
	for _, b := range shown.Buttons {
		once, stays := b.ID == "undo" || b.ID == "link",
			b.ID == "play" || b.ID == "help" || b.ID == "export"
		if once && b.Stays || stays && !b.Stays {
			t.Errorf("%s stays: %v", b.ID, b.Stays)
		}
	}
	sliders := map[string]bool{}
	for _, s := range shown.Sliders {
		if sliders[s.ID] = true; s.Value < s.Low || s.Value > s.High || s.Text == "" {
			t.Errorf("%s is %v of %v to %v, %q", s.ID, s.Value, s.Low, s.High, s.Text)
		}
	}
	for _, id := range []string{"epsilon", "radius", "lambda", "runs"} {
		if _, onScreen := d.UI.Regions()[id]; !onScreen || !sliders[id] {
			t.Errorf("the slider %s is on screen: %v, in the outline: %v", id, onScreen, sliders[id])
		}
	}
	for _, m := range study.Metrics() {
		if !slices.ContainsFunc(shown.Results, func(r [2]string) bool {
			return strings.HasSuffix(r[0], m.Meaning) && r[1] != ""
		}) {
			t.Errorf("the results do not tell the flight's %s", m.Name)
		}
	}
	for _, s := range study.Statistics() {
		if !slices.ContainsFunc(shown.Results, func(r [2]string) bool {
			return strings.HasPrefix(r[0], "Ensemble: "+strings.TrimSuffix(s.Meaning, " end of its 95 % interval")) && r[1] != ""
		}) {
			t.Errorf("the results do not tell the ensemble's %s", s.Name)
		}
	}
	if shown.Title != answer.TheQuestion || shown.Why[0] != d.Answer() || shown.Why[2] != d.Why().Sentence ||
		!strings.Contains(shown.Why[1], "recognised") ||
		len(shown.Events) != len(d.Why().Events) {
		t.Errorf("title %q, why %q, %d events", shown.Title, shown.Why, len(shown.Events))
	}
}

// elsewhere are the areas of the screen whose work has another name in the shown.
var elsewhere = map[string]string{
	"map": "zoom-in", "scrubber": "time", "error": "time", "distribution": "run",
	"axis":     "epsilon",
	"run.next": "run", "run.previous": "run", "keepout": "keep-out",
	"error.radius": "radius", "run.value": "run", "epsilon.value": "epsilon", "time.value": "time",
}

// does reports whether something in the outline does what a widget does.
func (t *outline) does(id string) bool {
	if name, ok := elsewhere[id]; ok {
		id = name
	}
	switch kind, _, _ := strings.Cut(id, "."); kind { // options of a choice
	case "calibration":
		id = "calibration"
	case "heat":
		id = "map"
	}
	id = strings.Replace(id, "fold.", "panel.", 1)
	has := func(b outlineButton) bool { return b.ID == id }
	return slices.ContainsFunc(t.Buttons, has) ||
		slices.ContainsFunc(t.Sliders, func(s outlineSlider) bool { return s.ID == id }) ||
		slices.ContainsFunc(t.Choices, func(c outlineChoice) bool { return c.ID == id }) ||
		slices.ContainsFunc(t.Lists, func(l outlineList) bool { return slices.ContainsFunc(l.Items, has) })
}

// What the outline's controls do is what the screen's do.
func TestOutlineOperates(t *testing.T) {
	d := newDesk(t, 1280, 800)
	operate := func(id, value string) {
		t.Helper()
		if err := d.Operate(id, value); err != nil {
			t.Fatal(err)
		}
		d.step(ui.Input{Outside: true})
	}
	operate("epsilon", "0.3")
	operate("radius", "2")
	operate("lambda", "0.2")
	operate("runs", "30")
	operate("run", "70")
	operate("time", "33")
	operate("map", "noise")
	operate("adversary", adversary.Names()[1])
	operate("compare", "")
	c := d.Model.Config
	if c.Privacy.Epsilon != 0.3 || c.Adversary.RadiusKm != 2 || c.Adversary.LambdaPerS != 0.2 || d.Model.Runs() != 30 ||
		d.Model.RunNumber != 70 ||
		d.Model.Clock.TimeS != 33 || d.Heat != answer.HeatNoise || c.Adversary.Observer != adversary.Names()[1] ||
		d.Model.Pair == nil {
		t.Errorf("%+v, run %d at %v s, map %v", c, d.Model.RunNumber, d.Model.Clock.TimeS, d.Heat)
	}
	if rows := d.Outline().Results; !slices.ContainsFunc(rows,
		func(r [2]string) bool { return strings.HasPrefix(r[0], "Against") }) {
		t.Errorf("the results %v have no comparison", rows)
	}
	for id, value := range map[string]string{"epsilon": "much", "map": "treasure", "nothing": "1", "radius": "NaN"} {
		if err := d.Operate(id, value); err == nil {
			t.Errorf("%s = %q is taken", id, value)
		}
	}
	operate("epsilon", "1e9")
	if d.Model.Config.Privacy.Epsilon != 20 {
		t.Errorf("epsilon is %v", d.Model.Config.Privacy.Epsilon)
	}
}

// What the pointer does on the map and picks from lists, the outline's controls do too.
func TestOutlineDoesByHand(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.Clock.Seek(40)
	state, _ := d.Model.FlownTo()
	for _, step := range []struct {
		id    string
		keeps bool
	}{{"keep-out", true}, {"allow", false}} {
		if d.do(step.id); d.Model.Experiment.Mission.Grid.KeptOut(state) != step.keeps {
			t.Errorf("after %s, cell %d is kept out of: %v", step.id, state, !step.keeps)
		}
	}
	d.do("panel.flights")
	d.do("export.summary")
	d.do("speed", "2")
	if !d.Folded.Has(layout.PanelFlights) || d.savedAs("summary-epsilon-") == "" || d.Model.Clock.Speed != 2 {
		t.Errorf("folded %v, saved %d files, speed %v", d.Folded, len(d.shell.saved), d.Model.Clock.Speed)
	}
}

// The outline says which lists are open over the view, and what of them cannot be chosen.
func TestOutlineTellsLists(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Library = []Entry{{Name: "whole"}, {Name: "damaged", Problem: "cut short"}}
	list := func(title string) outlineList {
		lists := d.Outline().Lists
		return lists[slices.IndexFunc(lists, func(l outlineList) bool { return l.Title == title })]
	}
	for button, title := range map[string]string{"observer": "Who watches", "export": "Save", "panels": "Panels",
		"mission": "Mission and mechanism", "library": "Recordings"} {
		for _, open := range []bool{true, false} {
			if err := d.Operate(button, ""); err != nil || list(title).Open != open {
				t.Errorf("%s leaves %q open: %v, %v", button, title, list(title).Open, err)
			}
		}
	}
	for i, b := range list("Recordings").Items {
		if b.Disabled != (i == 1) || strings.Contains(b.Label, "cut short") != b.Disabled {
			t.Errorf("%q is disabled: %v", b.Label, b.Disabled)
		}
	}
}

// Anyone who asks for less motion sees nothing move by itself.
func TestStill(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Still = true
	d.Follow("privacy.epsilon=2")
	if d.Model.Clock.Playing {
		t.Error("a link plays by itself")
	}
	d.press(ui.Space)
	if !d.Model.Clock.Playing {
		t.Error("it cannot be played either")
	}
}

// What has the focus of the document is marked where it is drawn, and named where it is not.
func TestFocusIsMarked(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, id := range []string{"play", "epsilon", "time", "run", "map", "menu", "story"} {
		d.Focus(id)
		d.step(ui.Input{Outside: true})
		if d.focusArea().Empty() {
			t.Errorf("%s is marked nowhere", id)
		}
	}
	if whole := d.focusArea(); d.UI.Regions()["story"] != whole {
		t.Errorf("the ring is around %v", whole)
	}
	for id, want := range map[string]string{"zoom-in": "Enlarge the map", "export.png": "PNG"} {
		d.Focus(id)
		if text := d.focusText(); !d.focusArea().Empty() || !strings.Contains(text, want) {
			t.Errorf("%s is named %q", id, text)
		}
	}
	d.Focus("")
	before := d.lastTop.Vertices()
	d.step(ui.Input{Outside: true})
	if d.focusArea() != (draw.Rect{}) || before == 0 {
		t.Error("without a focus there is a ring")
	}
}
