package campaign

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/setup"
)

// Numbers stand along an axis where they are, words one above the other, the first of them on top.
func TestSweptAxis(t *testing.T) {
	places, names := sweptAxis(&record.Swept{Key: "adversary.observer", Values: []any{"ballistic", "heading"}})
	if !slices.Equal(places, []float64{2, 1}) || !slices.Equal(names, []string{"heading", "ballistic"}) {
		t.Errorf("words are at %v, called %q from below", places, names)
	}
	places, names = sweptAxis(&record.Swept{Key: "vehicle.speed_km_s", Values: []any{1.5, int64(2)}, Unit: "km/s"})
	if !slices.Equal(places, []float64{1.5, 2}) || names != nil {
		t.Errorf("numbers are at %v, called %q", places, names)
	}
}

// Points of several epsilons over a word stand apart, around it, and nearer to it than to another.
func TestPointsOverWordsStandApart(t *testing.T) {
	for epsilons := 1; epsilons <= mostCurves; epsilons++ {
		last, sum := math.Inf(1), 0.0
		for k := range epsilons {
			at := besideWords([]float64{2, 1}, k, epsilons)
			if math.Abs(at[0]-at[1]-1) > 1e-12 || !(at[0] < last) || math.Abs(at[0]-2) >= 0.5 {
				t.Errorf("epsilon %d of %d stands at %v", k, epsilons, at)
			}
			last, sum = at[0], sum+at[0]-2
		}
		if math.Abs(sum) > 1e-12 {
			t.Errorf("%d epsilons stand %v beside their word", epsilons, sum)
		}
	}
}

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

// A sweep of one setting is drawn with the intervals of its means; means over other settings have none.
func TestSweepsOfOneSettingHaveIntervals(t *testing.T) {
	speeds := record.Swept{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7}}
	radii := record.Swept{Key: "adversary.radius_km", Unit: "km", Values: []any{0.7, 2.0}}
	for folder, sweep := range map[string][]record.Swept{"one": {speeds}, "two": {speeds, radii}} {
		t.Chdir(t.TempDir())
		p := &Program{Version: "1", Dots: 20}
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.5",
			"study.runs=20"}}, Sweep: sweep}, folder); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(filesIn(folder)["figure.svg"], "bands are 95 % intervals"); got != (folder == "one") {
			t.Errorf("%s swept: intervals %t", folder, got)
		}
	}
}
