package campaign

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/sim/study"
)

// A run that is flown alone with the settings in the folder of a study is the one that the study recorded, to the bit.
func TestARunAloneIsTheOneOfItsStudy(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "study")
	p := &Program{Version: "1"}
	r := Request{Settings: configs.Request{Sets: []string{"study.epsilons=2", "study.runs=9", "study.seed=5"}}}
	if _, err := p.Fly(t.Context(), r, folder); err != nil {
		t.Fatal(err)
	}
	recorded := flights(t, p, folder)[7]
	m, err := p.ReadManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(RecordedRequest(folder, m))
	if err != nil {
		t.Fatal(err)
	}
	settings.Privacy.Epsilon = 2
	flight, err := p.Flight(settings, 7, false)
	if err != nil {
		t.Fatal(err)
	}
	recorded.Flight = flight.Run.Flight // which the table of runs does not have
	if !flight.Run.Same(recorded) {
		t.Errorf("flown %+v, recorded %+v", flight.Run, recorded)
	}
}

// watched is an experiment of which sentences name the observer.
var watched = &study.Experiment{Options: study.Options{Adversary: study.Adversary{
	Observer: adversary.Model{Name: "b"}, RadiusKm: 0.7}}}

// The first sentence about a flight says why it was recognised where it was, if that is known.
func TestFlightSaysWhyItWasRecognised(t *testing.T) {
	run := study.Run{Detected: true, DetectionKm: 60, HandoverKm: 80, HeadingErrorDeg: 0.25, Transitions: 100}
	aside, slow, lost, early, late, over := run, run, run, run, run, run
	aside.DetectionKm, aside.HeadingErrorDeg = 15, 47.6
	slow.DetectionKm = 15
	lost.Fallback = true
	early.BeforeHandover = true
	late.TimedOut, late.FlightTimeS = true, 900
	over.HandoverKm, over.HeadingErrorDeg, over.FlightTimeS = math.NaN(), math.NaN(), 7.7
	for _, c := range []struct {
		observer string
		run      study.Run
		want     string
	}{
		{"ballistic", run, "Run 3 at epsilon 0.4 is recognised 60.0 km from the target by the observer \"b\" (radius " +
			"0.7 km), because it left its waypoints 80.0 km from the target heading almost straight at the target (0.2 " +
			"degrees off)."},
		{"ballistic", aside, ", because it left its waypoints 80.0 km from the target heading past the target (47.6 " +
			"degrees off) and had to turn to it."},
		{"ballistic", slow, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight."},
		{"mechanism", run, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight."},
		{"exec:true", run, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight."},
		{"ballistic", lost, ". It left its waypoints 80.0 km from the target, at the limit of 100 transitions, and turned " +
			"to the target."},
		{"ballistic", early, "(radius 0.7 km), while it was still following its waypoints."},
		{"ballistic", late, "(radius 0.7 km). The time limit ended it after 900 s."},
		{"ballistic", over, "(radius 0.7 km). It ended before its hand-over, after 7.7 s."},
	} {
		settings := configs.Default()
		settings.Adversary.Observer = c.observer
		f := &Flight{Settings: &configs.Loaded{Config: settings}, Draw: study.Draw{Run: 3, Epsilon: 0.4}, Run: c.run,
			experiment: watched}
		if got := f.Words(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.observer, got, c.want)
		}
	}
}

// A flight stands beside the planned one, which takes 120 s where this one takes a quarter longer, and the straight one
// if there is any.
func TestTheTableOfAFlight(t *testing.T) {
	f := &Flight{Settings: &configs.Loaded{Config: configs.Default()}, Draw: study.Draw{Run: 3}, Run: study.Run{
		DetectionKm: 14.81, FlightTimeS: 150, CostOfPrivacy: 0.282, PathOverhead: 0.25, DirectOverhead: 0.5,
		DirectKm: 101.55}}
	want := [][]string{{"run 3", "14.8", "150.0", "28 %"}, {"without noise", "never", "120.0", "0 %"},
		{"straight", "101.5", "100.0", "-"}}
	if got := f.screenTable().Rows; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
	f.Nominal, f.Run.DirectKm = true, math.NaN()
	if got := f.screenTable().Rows; len(got) != 1 || got[0][0] != "without noise" {
		t.Errorf("%q, want the planned flight alone", got)
	}
}
