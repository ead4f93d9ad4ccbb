package campaign

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

func TestBlameNamesAnotherProgramOnlyWhereThereIsOne(t *testing.T) {
	this := record.Manifest{Version: "1", GoVersion: runtime.Version(), Arch: runtime.GOARCH}
	p := &Program{Version: "1"}
	other := this
	other.GoVersion = "go1.0"
	got := p.blame(this).Error()
	if strings.Contains(got, "that program") || !strings.Contains(got, "the record was changed") {
		t.Errorf("of the same program: %s", got)
	}
	got = p.blame(other).Error()
	if !strings.Contains(got, "go1.0") || !strings.Contains(got, "repeat it with that program") {
		t.Errorf("of another program: %s", got)
	}
}

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
		{"ballistic", run, "Run 3 at epsilon 0.4 is recognised 60.00 km from the target, because it left its waypoints " +
			"80.0 km from the target heading almost straight at the target (0.2 degrees off).\n"},
		{"ballistic", aside, ", because it left its waypoints 80.0 km from the target heading past the target (47.6 " +
			"degrees off) and had to turn to it.\n"},
		{"ballistic", slow, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight.\n"},
		{"mechanism", run, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight.\n"},
		{"exec:true", run, ". It left its waypoints 80.0 km from the target, flying 0.2 degrees off the line of sight.\n"},
		{"ballistic", lost, ". It left its waypoints 80.0 km from the target, at the limit of 100 transitions, and turned " +
			"to the target.\n"},
		{"ballistic", early, "km from the target, while it was still following its waypoints.\n"},
		{"ballistic", late, "km from the target. The time limit ended it after 900 s.\n"},
		{"ballistic", over, "km from the target. It ended before its hand-over, after 7.7 s.\n"},
	} {
		settings := configs.Default()
		settings.Adversary.Observer = c.observer
		f := &Flight{Settings: &configs.Loaded{Config: settings}, Draw: study.Draw{Run: 3, Epsilon: 0.4}, Run: c.run}
		if got := f.Words(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not say %q", c.observer, got, c.want)
		}
	}
}

// A direct flight whose first heading is not the line of sight is not called straight.
func TestDirectFlightIsStraightOnlyAlongTheLineOfSight(t *testing.T) {
	f := &Flight{Nominal: true, Settings: new(configs.Loaded), Run: study.Run{DetectionKm: 60}}
	const recognised = " is recognised 60.00 km from the target."
	if got := f.Words(); got != "The flight that turns from its first heading to the target"+recognised {
		t.Error(got)
	}
	f.Settings.Config.Vehicle.Heading.LineOfSight = true
	f.Settings.Config.Planner.Goals = make([][2]int, 2)
	if got := f.Words(); got != "The flight straight to the goal of the plan without noise"+recognised {
		t.Error(got)
	}
}
