package screen

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

// The twin says what is on screen, and every button on the bar is one of its too.
func TestTwinSaysWhatIsOnScreen(t *testing.T) {
	d := newDesk(t, 1280, 800)
	twin := d.Twin()
	if _, err := json.Marshal(twin); err != nil {
		t.Fatal(err)
	}
	buttons := map[string]bool{}
	for _, b := range twin.Buttons {
		buttons[b.ID] = true
	}
	for id := range d.UI.Regions() {
		if name, ok := strings.CutPrefix(id, "bar."); ok && !buttons[name] {
			t.Errorf("the button %s is on screen only", name)
		}
	}
	sliders := map[string]bool{}
	for _, s := range twin.Sliders {
		if sliders[s.ID] = true; s.Value < s.Low || s.Value > s.High || s.Text == "" {
			t.Errorf("%s is %v of %v to %v, %q", s.ID, s.Value, s.Low, s.High, s.Text)
		}
	}
	for _, id := range []string{"epsilon", "radius", "lambda", "runs"} {
		if _, onScreen := d.UI.Regions()[id]; !onScreen || !sliders[id] {
			t.Errorf("the slider %s is on screen: %v, in the twin: %v", id, onScreen, sliders[id])
		}
	}
	for _, m := range study.Metrics() {
		if !slices.ContainsFunc(twin.Results, func(r [2]string) bool { return strings.HasSuffix(r[0], m.Meaning) && r[1] != "" }) {
			t.Errorf("the results do not tell the flight's %s", m.Name)
		}
	}
	for _, s := range study.Statistics() {
		if !slices.ContainsFunc(twin.Results, func(r [2]string) bool { return r[0] == "Ensemble: "+s.Meaning && r[1] != "" }) {
			t.Errorf("the results do not tell the ensemble's %s", s.Name)
		}
	}
	if !strings.Contains(twin.Title, "recognised") || twin.Why[1] != d.why().sentence || len(twin.Events) != len(d.why().events) {
		t.Errorf("title %q, why %q, %d events", twin.Title, twin.Why, len(twin.Events))
	}
}

// What the twin's controls do is what the screen's do.
func TestTwinOperates(t *testing.T) {
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
	if c.Privacy.Epsilon != 0.3 || c.Adversary.RadiusKm != 2 || c.Adversary.LambdaPerS != 0.2 || d.Model.Runs() != 30 || d.Model.RunNumber != 70 ||
		d.Model.Clock.TimeS != 33 || d.Heat != HeatNoise || c.Adversary.Observer != adversary.Names()[1] || d.Model.Pair == nil {
		t.Errorf("%+v, run %d at %v s, map %v", c, d.Model.RunNumber, d.Model.Clock.TimeS, d.Heat)
	}
	if rows := d.Twin().Results; !slices.ContainsFunc(rows, func(r [2]string) bool { return strings.HasPrefix(r[0], "Against") }) {
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

// Whoever asks for less motion sees nothing move by itself.
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
