package campaign

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/sim"
	"veilpath/sim/study"
)

func TestExtremes(t *testing.T) {
	at := func(epsilon, km, half float64) study.Summary {
		return study.Summary{Epsilon: epsilon, Runs: 9, MeanKm: km, CILowKm: km - half, CIHighKm: km + half}
	}
	none := at(study.None(), 1, 0)
	for want, summaries := range map[string][]study.Summary{
		"The destination is recognised on average 3.0 km (2.0 .. 4.0) from the target at epsilon 2, and 9.0 km " +
			"(8.0 .. 10.0) at epsilon 1.": {none, at(1, 9, 1), at(2, 3, 1)},
		"The destination is recognised on average 3.00 km from the target, at epsilon 1.": {at(1, 3, math.NaN())},
		"The destination is never recognised with noise.":                                 {at(1, 0, 0), at(2, 0, 0)},
		"No flight has noise.": {none},
	} {
		r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{summaries}}
		if got := r.extremes(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Notes are only on what would be read wrongly: distances to several goals, and flights that a limit ended.
func TestNotes(t *testing.T) {
	ended := study.Summary{Epsilon: 1, Runs: 8, TimedOut: 0.125}
	r := Result{Summaries: [][]study.Summary{{{Epsilon: 2, Runs: 8}}},
		Points: []study.Study{{Experiment: &study.Experiment{Scenario: sim.Scenario{}}}}}
	if got := r.notes(); got != "" {
		t.Errorf("%q", got)
	}
	r.Summaries[0] = append(r.Summaries[0], ended, study.Summary{Epsilon: 4, Runs: 8, TimedOut: 0.0625})
	r.Points[0].Experiment.Scenario.Others = make([]r3.Vec, 1)
	if got, want := r.notes(), "Distances are to the goal at which a flight ends. At epsilon 1 the time limit, "+
		"sim.max_time_s, ended 12.5 % of the flights before they reached the target; those that were not recognised by "+
		"then count as 0 km."; got != want {
		t.Errorf("%q, want %q", got, want)
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
	r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{{many, one}, {none}}}
	r.Manifest.Sweep.Settings = []record.Swept{{Key: "privacy.handover_km", Values: []any{80.0, 70.0}}}
	want := [][]any{{80.0, "2", 100.0, -40.0, 10.0, 70.0, -25.0, "-30.00 .. -21.50", 45.0},
		{80.0, "4", 1.0, 1.0, 2.0, 4.0, 4.0, "? .. ?", 8.0},
		{70.0, "none", 1.0, 0.0, 0.0, 1.0, 0.0, "0.00 .. 0.00", 1.0}}
	sheet := r.Attribution()
	if !reflect.DeepEqual(sheet.Rows, want) || len(sheet.Columns) != len(want[0]) {
		t.Errorf("%d columns of %v, want %v", len(sheet.Columns), sheet.Rows, want)
	}
}

// Distances have as many decimals as show a thousandth of the way, and two on ways of 10 km and more.
func TestDecimalsShowAThousandthOfTheWay(t *testing.T) {
	for way, want := range map[float64]int{206: 2, 10: 2, 9.9: 3, 2.42: 3, 1: 3, 0.99: 4, 0.15: 4, 0.02: 5} {
		c := configs.Default()
		c.Vehicle.StartKm, c.TargetKm = [3]float64{}, [3]float64{way}
		if got := Decimals(c); got != want {
			t.Errorf("a way of %g km: %d decimals, want %d", way, got, want)
		}
	}
}

// Several observers watch the same flights.
func TestFlightsOfSeveralObservers(t *testing.T) {
	for want, s := range map[string]record.Sweep{"600 flights": {},
		"200 flights, each watched by 3 observers": {Observers: []string{"ballistic", "mechanism", "heading"}}} {
		if got := s.FlightsText(600); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
