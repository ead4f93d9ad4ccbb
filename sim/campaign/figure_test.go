package campaign

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
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
	for preset, want := range map[string]string{"paper": "", "passage": "; grey: planner.keep_out",
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
	disk := &recordtest.Disk{}
	for i, runs := range []string{"2", "3"} {
		p := &Program{Version: "1", Disk: disk, Page: i == 0, Dots: 20}
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1",
			"study.runs=" + runs}}}, "out"); err != nil {
			t.Fatal(err)
		}
	}
	if page := disk.Files("out")[PageName]; !strings.Contains(page, "3 runs") && !strings.Contains(page, "3 flights") {
		t.Errorf("a page of %d bytes, without the 3 runs", len(page))
	}
}

// The page of a study with several observers says of every sentence on noise whose it is, and no more than is shown of
// each.
func TestPagesNameTheObserverOfASentence(t *testing.T) {
	disk := &recordtest.Disk{}
	p := &Program{Version: "1", Disk: disk, Page: true, Dots: 20}
	observers := record.Swept{Key: "adversary.observer", Values: []any{"ballistic", "heading"}}
	r, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=none,0.2",
		"study.runs=60"}}, Sweep: []record.Swept{observers}}, "out")
	if err != nil {
		t.Fatal(err)
	}
	page := disk.Files("out")[PageName]
	sentences := 0
	for lead := range strings.SplitSeq(page, `<p class="lead">`) {
		lead, _, _ = strings.Cut(lead, "</p>")
		if !strings.Contains(lead, "Noise alone changes") {
			continue
		}
		sentences++
		ballistic := strings.HasPrefix(lead, "With adversary.observer ballistic: the plan without noise is recognised 60.77 ")
		if hides := strings.HasSuffix(lead, "it hides the destination."); hides != ballistic ||
			!ballistic && !strings.HasPrefix(lead, "With adversary.observer heading: ") {
			t.Errorf("%q", lead)
		}
	}
	if sentences != 2 {
		t.Errorf("%d sentences on the effect of noise, want one for each observer", sentences)
	}
	heading := r.Heading()
	for _, want := range []string{"\nWith adversary.observer heading: the plan without noise is ",
		", delta 0.01, radius 0.7 km, "} {
		if !strings.Contains(heading, want) || strings.Count(heading, "Noise alone changes") != 2 {
			t.Errorf("the answer has no %q, or not the effect of noise of each observer: %s", want, heading)
		}
	}
	if !strings.Contains(disk.Files("out")["figure.svg"], "the observer heading recognises the destination") {
		t.Error("the figure is not titled for observers")
	}
}

// A sweep of one setting is drawn with the intervals of its means; means over other settings have none.
func TestSweepsOfOneSettingHaveIntervals(t *testing.T) {
	speeds := record.Swept{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7}}
	radii := record.Swept{Key: "adversary.radius_km", Unit: "km", Values: []any{0.7, 2.0}}
	for folder, sweep := range map[string][]record.Swept{"one": {speeds}, "two": {speeds, radii}} {
		disk := &recordtest.Disk{}
		p := &Program{Version: "1", Disk: disk, Dots: 20}
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.5",
			"study.runs=20"}}, Sweep: sweep}, folder); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(disk.Files(folder)["figure.svg"], "bands are 95 % intervals"); got != (folder == "one") {
			t.Errorf("%s swept: intervals %t", folder, got)
		}
	}
}

// The figure and the page of a study do not call a direct flight straight that turns from its first heading, at every
// point of a sweep of headings.
func TestFiguresOfDirectFlightsThatTurn(t *testing.T) {
	disk := &recordtest.Disk{}
	p := &Program{Version: "1", Disk: disk, Page: true, Dots: 20}
	fly := func(folder string, sweep []record.Swept, sets ...string) map[string]string {
		t.Helper()
		r := Request{Sweep: sweep, Settings: configs.Request{Sets: append(sets, "study.runs=3", "study.epsilons=1")}}
		if _, err := p.Fly(t.Context(), r, folder); err != nil {
			t.Fatal(err)
		}
		return disk.Files(folder)
	}
	if svg := fly("alone", nil, "vehicle.heading=90")["figure.svg"]; !strings.Contains(svg, ", turning to it ") {
		t.Error("a heading of 90 degrees is drawn as straight")
	}
	swept := fly("swept", []record.Swept{{Key: "vehicle.heading", Values: []any{"line_of_sight", "90"}}})
	for _, want := range []string{"With vehicle.heading line_of_sight: the plan without noise is recognised 60.77 km " +
		"from the target; a flight straight to the target", "; a flight that turns from its first heading to the target"} {
		if !strings.Contains(swept[PageName], want) {
			t.Errorf("the page of swept headings does not say %q", want)
		}
	}
}
