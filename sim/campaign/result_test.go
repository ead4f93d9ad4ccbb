package campaign

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/sim/study"
)

func TestBaselineSentence(t *testing.T) {
	for want, s := range map[string]study.Summary{
		"Planned, without noise: recognised 61.00 km from the target. " +
			"Straight to the target: recognised 102.00 km from the target.": {Runs: 9, PlannedKm: 61, DirectKm: 102},
		"Planned, without noise: never recognised. " +
			"Straight to the target: not given, a cell that is kept out of lies in the way.": {Runs: 9, DirectKm: math.NaN()},
		"No flight of the first point is here, and so none of its baselines.": {PlannedKm: math.NaN(), DirectKm: math.NaN()},
	} {
		r := Result{Summaries: [][]study.Summary{{s}}}
		if got := r.BaselineSentence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Straight on 100 km, 60 with the hand-over, 70 along the waypoints and 45 with noise; and one flight, which has no
// interval.
func TestAttributionAddsUp(t *testing.T) {
	many := study.Summary{Epsilon: 2, DirectKm: 100, HandoverOnlyKm: 60, PlannedKm: 70, NoiseKm: -25, NoiseLowKm: -30,
		NoiseHighKm: -21.5, MeanKm: 45}
	one := study.Summary{Epsilon: 4, DirectKm: 1, HandoverOnlyKm: 2, PlannedKm: 4, NoiseKm: 4, NoiseLowKm: math.NaN(),
		NoiseHighKm: math.NaN(), MeanKm: 8}
	none := study.Summary{Epsilon: study.None(), DirectKm: 1, HandoverOnlyKm: 1, PlannedKm: 1, MeanKm: 1}
	r := Result{Summaries: [][]study.Summary{{many, one}, {none}}}
	r.Manifest.Sweep.Settings = []record.Swept{{Key: "privacy.handover_km", Values: []any{80.0, 70.0}}}
	want := [][]any{{80.0, "2", 100.0, -40.0, 10.0, 70.0, -25.0, "-30.00 .. -21.50", 45.0},
		{80.0, "4", 1.0, 1.0, 2.0, 4.0, 4.0, "? .. ?", 8.0},
		{70.0, "none", 1.0, 0.0, 0.0, 1.0, 0.0, "0.00 .. 0.00", 1.0}}
	sheet := r.Attribution()
	if !reflect.DeepEqual(sheet.Rows, want) || len(sheet.Columns) != len(want[0]) {
		t.Errorf("%d columns of %v, want %v", len(sheet.Columns), sheet.Rows, want)
	}
}

// Flights that do not come to the target are told.
func TestFlightsThatCircleAreTold(t *testing.T) {
	for limit, want := range map[string]bool{"sim.max_time_s=100": true, "sim.max_time_s=36000": false} {
		p := &Program{Version: "test", Disk: &recordtest.Disk{}}
		r, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=20",
			limit}}}, "out")
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Contains(r.Heading(), "% of the flights at epsilon 1 before they came to the target")
		if told != want {
			t.Errorf("%s: %s", limit, r.Heading())
		}
	}
}
