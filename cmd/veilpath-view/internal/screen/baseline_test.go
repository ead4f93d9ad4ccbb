package screen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

// wall is settings with cells that are kept out of in the way of the direct flight, where noise makes hiding worse.
const wall = "planner.keep_out=[[8,0,8,15]]&privacy.epsilon=0.5&run=3&study.runs=60&t=60"

// said is all that is told and written.
func (d *desk) said() string {
	d.t.Helper()
	text := []string{fmt.Sprint(d.Outline())}
	for _, w := range d.written(false) {
		text = append(text, w.text)
	}
	return strings.Join(text, "\n")
}

// It is said that noise hides where it does, that it gives the target away where it does that, and neither where
// neither is shown.
func TestNoiseHidesWhereItDoes(t *testing.T) {
	for name, c := range map[string]struct{ settings, want, flight string }{
		"the preset": {"privacy.epsilon=0.4&run=3&study.runs=60&t=60", "noise hides the target for",
			"later than planned without noise (60.8 km; straight 101.6 km)"},
		"a wall": {wall, "noise gives the target away", "sooner than planned without noise (18.9 km; no straight way)"},
		"few runs": {"privacy.epsilon=4&study.runs=12&t=60", "no effect of the noise is shown",
			"than planned without noise (60.8 km; straight 101.6 km)"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1280, 800)
			d.Follow(c.settings)
			d.settled()
			sum := d.Model.Ensemble.Summary()
			if effect := d.NoiseSentence(); !strings.Contains(effect, c.want) || !strings.Contains(d.said(), effect) {
				t.Errorf("of %+.1f km (%+.1f to %+.1f) it is said that %q", sum.NoiseKm, sum.NoiseLowKm, sum.NoiseHighKm, effect)
			}
			if more := d.FlightSentence(); !strings.Contains(strings.ToLower(more), c.flight) {
				t.Errorf("the flight is recognised at %.1f km, its planned one at %.1f: %q", d.Model.Private.Run.DetectionKm,
					d.Model.Private.Run.PlannedKm, more)
			}
			for _, wrong := range []string{"ithout privacy", "NaN", "idden for"} {
				if said := d.said(); strings.Contains(said, wrong) {
					t.Errorf("it is said that %q", said[strings.Index(said, wrong):][:60])
				}
			}
		})
	}
}

// Where a cell that is kept out of is in its way the direct flight is no baseline: it is neither drawn nor flagged
// unless it is requested, and then called what it is.
func TestBlockedDirectFlightIsNoBaseline(t *testing.T) {
	d := newDesk(t, 1280, 800)
	written := func() (of []string) {
		for _, w := range d.written(false) {
			if strings.HasPrefix(w.text, "straight") {
				of = append(of, w.text)
			}
		}
		return of
	}
	d.settled()
	if of := written(); len(of) != 4 { // legend, mark, flag and chart
		t.Errorf("written of the direct flight is %q", of)
	}
	d.Follow(wall)
	d.settled()
	if of := written(); of != nil || len(d.plan.Shown().Drawn()) != 1 {
		t.Errorf("round a wall, written of the direct flight is %q; %d flights are drawn", of,
			len(d.plan.Shown().Drawn()))
	}
	if want := [2]string{"Straight to the target",
		"not given: a cell that is kept out of is in its way"}; !slices.Contains(d.Outline().Results, want) {
		t.Errorf("the results are %q", d.Outline().Results)
	}
	d.Model.SetShown(model.ShowDirect)
	if more := d.FlightSentence(); !strings.Contains(more, "crosses cells that are kept out of") {
		t.Errorf("the direct flight is told as %q", more)
	}
}

// Where runs draw their heading, the direct flight of the usual one is drawn only when it is requested: that of the
// run, whose distance is told, is another.
func TestDirectFlightOfAnotherHeading(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("vehicle.heading=random&run=3&study.runs=12&t=60")
	d.settled()
	if km := d.Model.Private.Run.DirectKm; km == d.Model.Nominal.Run.DetectionKm || len(d.plan.Shown().Drawn()) != 1 ||
		strings.Contains(d.said(), "straight to the target") {
		t.Errorf("the run's direct flight is recognised at %v km; %d flights are drawn", km, len(d.plan.Shown().Drawn()))
	}
	d.Model.SetShown(model.ShowDirect)
	if more := d.FlightSentence(); !strings.Contains(more, "Runs draw their heading") {
		t.Errorf("the direct flight is told as %q", more)
	}
	// A drawn hand-over is none of the direct flight's.
	d.Follow("privacy.handover_spread_km=5&run=3&study.runs=12&t=60")
	if d.settled(); len(d.plan.Shown().Drawn()) != 2 {
		t.Errorf("with drawn hand-overs %d flights are drawn; %s", len(d.plan.Shown().Drawn()), d.Model.Message.Text)
	}
}

// The name of a baseline stands at its line, in the chart, and not on the mean where another place is free.
func TestNamesOfBaselinesStandClear(t *testing.T) {
	d := newDeskOf(t, 2560, 1440, 0)
	d.wholeAxis()
	p, c := d.axis.Plot(), d.Model.MeanAlong(model.Chosen{}, true)
	for _, word := range []string{"planned", "straight"} {
		for _, km := range []float64{c.Mean[0] - 3, c.Mean[0], p.Y.High} {
			name := d.axis.BaselineName(d.layers[topLayer].List, &p, answer.Baseline{Word: word, Km: km}, d.axis.MeanPoints(&p))
			if away := math.Abs(name.Center().Y - p.PY(km)); name.Empty() || away > 10 || name.Y < p.Area.Y {
				t.Errorf("%s, %v km, stands at %v, %v points off its line", word, km, name, away)
			}
			if d.onBand(name) {
				t.Errorf("%s, %v km, stands on the mean: %v", word, km, name)
			}
		}
	}
}

// The chart along epsilon has a line where each baseline is recognised, with its name, and its table tells them.
func TestBaselinesAlongEpsilon(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.wholeAxis()
	list := draw.NewList(d.Atlas())
	names := map[string]draw.Rect{}
	list.OnText = func(r draw.Rect, _ colour, text string) { names[text] = r }
	list.Reset(d.Layout.Side, 1)
	d.axis.DrawStill(list)
	p := d.axis.Plot()
	for name, km := range map[string]float64{"planned": d.Model.Planned.Run.DetectionKm,
		"straight": d.Model.Nominal.Run.DetectionKm} {
		if r, ok := names[name]; !ok || math.Abs(r.Center().Y-p.PY(km)) > 16 || !p.Area.Contains(r.Center()) {
			t.Errorf("%s is written at %v, its line is at %v of %v", name, r, p.PY(km), p.Area)
		}
	}
	if text := d.opened("mean").Text; !strings.Contains(text,
		"Planned without noise: recognised 60.8 km from the target. Straight to the target: recognised 101.6 km") {
		t.Errorf("the table says %q", text)
	}
	if hint := d.AxisText(1); !strings.Contains(hint, "; planned without noise 60.8 km; straight 101.6 km") {
		t.Errorf("the hint is %q", hint)
	}
}

// Names of distances that lie close together stand beside each other.
func TestFlagsStandApart(t *testing.T) {
	for _, width := range []float64{1280, 360} {
		d := newDesk(t, width, 740)
		d.Tab = layout.TabFlights
		d.settled()
		d.do("compare")
		d.Model.SetEpsilon(3)
		d.settled()
		d.step(ui.Input{Outside: true})
		var flags []written
		for _, w := range d.written(false) {
			for _, name := range []string{"planned ", "straight ", "kept "} {
				if rest, ok := strings.CutPrefix(w.text, name); ok && d.Layout.Distribution.Contains(w.r.Center()) &&
					!strings.Contains(rest, " ") {
					flags = append(flags, w)
				}
			}
		}
		if len(flags) != 3 {
			t.Fatalf("%v wide: %d names", width, len(flags))
		}
		for i, a := range flags {
			for _, b := range flags[i+1:] {
				if a.r.Overlaps(b.r) {
					t.Errorf("%v wide: %q is written over %q", width, a.text, b.text)
				}
			}
		}
	}
}

// What a flight does not have is a word: one that the time limit ended has no hand-over and no detour.
func TestWhatAFlightHasNotIsAWord(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.settled()
	run := &d.Model.Private.Run
	run.TimedOut, run.HandoverKm, run.HeadingErrorDeg, run.PathOverhead = true, math.NaN(), math.NaN(), math.NaN()
	want := 0
	for _, result := range d.Outline().Results {
		if strings.HasPrefix(result[0], "This flight: ") && result[1] == "none" {
			want++
		}
	}
	if want != 3 {
		t.Errorf("%d of 3 are called none: %q", want, d.Outline().Results)
	}
	if more := d.FlightSentence(); !strings.Contains(more, "ended by the time limit") {
		t.Errorf("told as %q", more)
	}
	if said := d.said(); strings.Contains(said, "NaN") {
		t.Error("NaN is written")
	}
}

// The command that is named for a flight flies it.
func TestCommandsOfBaselines(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.Select(3)
	for _, want := range []string{"veilpath.yaml --run 3 flies", "veilpath.yaml --nominal flies",
		"veilpath.yaml --epsilon none --run 3 flies"} {
		if d.do("export.config"); !strings.Contains(d.Model.Message.Text, want) {
			t.Errorf("of %s it is said that %q, want %q", answer.ShownNames[d.Model.Show], d.Model.Message.Text, want)
		}
		d.do(either(d.Model.Show == model.ShowPrivate, "direct", "planned"))
	}
}

// Beside the flights that are shown stand the means of their baselines, which differ where runs draw their heading.
func TestBaselinesAreThoseOfTheFlights(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("vehicle.heading=random&adversary.radius_km=3&run=3&study.runs=12")
	d.settled()
	sum, run := d.Model.Ensemble.Summary(), &d.Model.Private.Run
	if got, want := d.Baselines(), []answer.Baseline{{Word: "planned", Km: sum.PlannedKm}, {Word: "turning",
		Km: sum.DirectKm}}; !slices.Equal(got,
		want) || sum.DirectKm == run.DirectKm {
		t.Errorf("the baselines are %v, want %v; those of run %d are %v and %v km", got, want, run.Run, run.PlannedKm,
			run.DirectKm)
	}
}

// A recording of the plan without noise tells its row with the planned flight.
func TestRecordedWithoutNoiseIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	config := configs.Default()
	config.Study.Epsilons, config.Study.Axis, config.Study.Runs = []float64{study.None(), 0.4}, configs.Axis{}, 12
	settings, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	var manifest, summary bytes.Buffer
	rows := []study.Summary{{Epsilon: study.None(), Runs: 12, MeanKm: 60.77}, {Epsilon: 0.4, Runs: 12, MeanKm: 45}}
	if err := flightfile.WriteSummaries(&summary, record.Sweep{}, [][]study.Summary{rows}); err != nil {
		t.Fatal(err)
	}
	written := record.Manifest{Program: "veilpath", Verb: "study", Complete: true, Runs: 12, Seed: config.Study.Seed,
		ConfigSHA256: config.SHA256(), Config: settings}
	if err := record.WriteManifest(&manifest, written); err != nil {
		t.Fatal(err)
	}
	d.Open("out", fstest.MapFS{"manifest.json": {Data: manifest.Bytes()}, "summary.csv": {Data: summary.Bytes()}})
	d.settled()
	d.Model.SetShown(model.ShowPlanned)
	d.step(ui.Input{Outside: true})
	if more := d.FlightSentence(); !strings.Contains(more, "Recorded: mean 60.77 km of 12 runs.") ||
		!strings.Contains(d.MeanText(answer.WholeInterval), "RECORDED 45.00") {
		t.Errorf("told is %q and %q; %s", more, d.MeanText(answer.WholeInterval), d.Model.Message.Text)
	}
}

// Where a wall lies as far to one side as to the other, the plan without noise is one of two: what private flights
// differ by from it depends on which of them it is, so no sentence or figure says that noise does it.
func TestTiedPlansShowNothingOfTheNoise(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("planner.moves=8&vehicle.start_km=[-200,0,10]&planner.start_cell=[0,10]&planner.keep_out=[[7,7,7,13]]&" +
		"privacy.epsilon=0.5&study.runs=40&t=60")
	d.settled()
	sum := d.Model.Ensemble.Summary()
	if sum.NoiseLowKm <= 0 && sum.NoiseHighKm >= 0 {
		t.Fatalf("the difference of %+.1f to %+.1f km tempts nobody", sum.NoiseLowKm, sum.NoiseHighKm)
	}
	const several = "one of several equally good plans without noise"
	more := d.FlightSentence()
	for name, text := range map[string]string{"effect": d.NoiseSentence(), "story": more, "along": d.opened("mean").Text,
		"story's word": d.FilledIn("{noise}")} {
		if !strings.Contains(strings.ToLower(text), several) {
			t.Errorf("%s: %q does not say that the plan without noise is one of several", name, text)
		}
	}
	if text := d.Answer(); !strings.Contains(text, "if it only followed its plan, one of several as good") {
		t.Errorf("the headline says %q", text)
	}
	said := d.said()
	for _, e := range d.Model.Events() {
		said += "\n" + d.EventText(e)
	}
	for _, wrong := range []string{"noise hides", "noise gives", "noise +", "noise -", "noise −", "noise turned",
		"effect of the noise is shown", "noise alone does"} {
		if at := strings.Index(said, wrong); at >= 0 {
			t.Errorf("it is said that %q", said[max(0, at-40):][:80])
		}
	}
	d.Follow("planner.keep_out=[[7,7,7,14]]")
	d.settled()
	if text := d.NoiseSentence(); d.Model.Tied() || !strings.Contains(text, "noise") || strings.Contains(text, several) {
		t.Errorf("round a wall that is longer on one side: %q", text)
	}
}

// What hides the destination is called what it is.
func TestCausesAreNamed(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for settings, want := range map[string]string{"privacy.mechanism=soft": "the way soft",
		"privacy.mechanism=reward": "noise", "privacy.mechanism=goal": "the drawn goal"} {
		d.Follow(settings + "&study.runs=40&privacy.epsilon=0.4")
		d.settled()
		if text := d.NoiseSentence() + d.NoiseText(1, "%s%s"); strings.Count(text, want) < 2 {
			t.Errorf("%s: %q; %s", settings, text, d.Model.Message.Text)
		}
	}
}

// It is said in words what the noise does where its interval shows that, and not where it does not.
func TestNoiseVerdict(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		for settings, want := range map[string]string{"study.runs=200&privacy.epsilon=1": ": hides it",
			"study.runs=200&privacy.epsilon=0.3&planner.keep_out=[[6,11],[6,10],[7,10],[7,9]]": ": gives it away",
			"study.runs=10&privacy.epsilon=10":                                                 ": not shown to matter",
			"study.runs=1":                                                                     ""} {
			d.Follow(settings)
			d.Tab = layout.TabFlights
			d.settled()
			if got := d.NoiseVerdict(); got != want || !slices.ContainsFunc(d.written(false), func(w written) bool {
				said, _, _ := strings.Cut(w.text, "; median")
				return strings.HasPrefix(said, "noise ") && strings.HasSuffix(said, want)
			}) {
				t.Errorf("%v, %s: the verdict is %q, want %q, on the panel", size, settings, got, want)
			}
		}
	}
}
