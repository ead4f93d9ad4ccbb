package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// What a mission keeps out of is told: in the legend, by the pointer, in the results, and as an event.
func TestKeptOutIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if slices.Contains(d.legend(), "kept out of") || d.OverText() != "" {
		t.Error("the paper's mission keeps out of something")
	}
	loaded, err := configs.Load(configs.Request{Config: "passage", Sets: []string{"study.runs=12", "privacy.epsilon=0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Model.OpenConfig("passage.yaml", loaded.Config.YAML()); err != nil {
		t.Fatal(err)
	}
	for !d.Model.Ensemble.Complete() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
	d.do("fit")
	text := d.OverText()
	if !strings.HasSuffix(text, " of 12") {
		t.Errorf("told are %q flights", text)
	}
	g := d.Model.Experiment.Mission.Grid
	for state := range g.States() {
		at := g.Position(state)
		told := strings.Contains(d.plan.PlaceText(d.plan.Map.Camera.Screen(at.X, at.Y)), "kept out of")
		if told != g.KeptOut(state) {
			t.Fatalf("cell %d is kept out of: %v, told: %v", state, g.KeptOut(state), told)
		}
	}
	legend, results := false, false
	for _, entry := range d.legend() {
		legend = legend || entry == "kept out; "+text+" over"
		if w := draw.NewList(d.Atlas()).Width(d.Theme().Small,
			strings.Replace(entry, text, "200 of 200", 1)); w > panel.LegendWidth-36 {
			t.Errorf("the legend's %q is %v points wide", entry, w)
		}
	}
	for _, row := range d.Results() {
		results = results || strings.Contains(row[0], "kept out of") && row[1] == text
	}
	if !legend || !results {
		t.Errorf("the legend tells it: %v, the results: %v", legend, results)
	}
	d.Model.KeepOut(0)
	text = d.FlightSentence()
	lines := draw.NewList(d.Atlas()).Wrap(d.Theme().Body, text, d.Layout.Headline.W-8)
	if len(lines) > 2 || !strings.Contains(text, "not a private flight") {
		t.Errorf("%q fits: %v", text, len(lines))
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
