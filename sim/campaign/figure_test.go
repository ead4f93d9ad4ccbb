package campaign

import (
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/setup"
)

// The map of flights explains the colours that it has.
func TestMapsExplainTheirColours(t *testing.T) {
	for preset, want := range map[string]string{"paper": "", "passage": "; grey: cells to keep out of",
		"three-goals": "; tinted: cells that cost or earn more"} {
		loaded, err := configs.Load(configs.Request{Config: preset})
		if err != nil {
			t.Fatal(err)
		}
		e, err := setup.Experiment(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		if got := ground(e.Mission.Grid); got != want {
			t.Errorf("%s: %q, want %q", preset, got, want)
		}
	}
}

// A study that is extended keeps the page that it has.
func TestAnExtendedStudyKeepsItsPage(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, runs := range []string{"2", "3"} {
		p := &Program{Version: "1", Page: i == 0, Dots: 20}
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1",
			"study.runs=" + runs}}}, "out"); err != nil {
			t.Fatal(err)
		}
	}
	if page := filesIn("out")[PageName]; !strings.Contains(page, "3 runs") && !strings.Contains(page, "3 flights") {
		t.Errorf("a page of %d bytes, without the 3 runs", len(page))
	}
}

// A sweep of one setting is drawn with the intervals of its means; means over other settings have none, and words are
// not drawn.
func TestSweepsOfOneSettingHaveIntervals(t *testing.T) {
	speeds := record.Swept{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7}}
	radii := record.Swept{Key: "adversary.radius_km", Unit: "km", Values: []any{0.7, 2.0}}
	rules := record.Swept{Key: "adversary.rule", Values: []any{"consecutive", "must_stay"}}
	const intervals, averages = "bands are 95 % intervals", "each panel averages over the other settings"
	for says, sweep := range map[string][]record.Swept{intervals: {speeds}, averages: {speeds, radii},
		averages + "<": {rules, speeds}, "": {rules}} {
		folder := t.TempDir()
		p := &Program{Version: "1", Dots: 20}
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.5",
			"study.runs=20"}}, Sweep: sweep}, folder); err != nil {
			t.Fatal(err)
		}
		if drawn := filesIn(folder)["figure.svg"]; !strings.Contains(drawn, says) || (drawn == "") != (says == "") ||
			strings.Contains(drawn, intervals) != (says == intervals) {
			t.Errorf("the figure does not say %q", says)
		}
	}
}
