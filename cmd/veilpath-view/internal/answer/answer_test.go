package answer

import (
	"math"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// Lengths are set against that of the planned flight without a sign.
func TestShorterFlights(t *testing.T) {
	for overhead, want := range map[float64]string{0.124: "12 % longer", -0.03: "3 % shorter", -0.004: "0 % longer"} {
		if got := longer(&study.Run{PathOverhead: overhead}); got != want {
			t.Errorf("%v is %q, want %q", overhead, got, want)
		}
	}
}

// Ranges of epsilon are those in which values are at most a limit.
func TestRangesBelowALimit(t *testing.T) {
	for _, test := range []struct {
		epsilons, values []float64
		limit            float64
		want             string
	}{
		{[]float64{0.1, 0.2, 0.4, 1}, []float64{10, 20, 30, 40}, 25, "0.1 to 0.2"},
		{[]float64{0.1, 0.2, 0.4, 1}, []float64{30, 20, 30, 10}, 25, "0.2 and 1"},
		{[]float64{0.1, 0.2}, []float64{30, 20}, 5, ""}, {[]float64{0.1, 0.2}, []float64{30, 20}, 30, "0.1 to 0.2"},
	} {
		if got := rangesBelow(test.epsilons, test.values, test.limit); got != test.want {
			t.Errorf("%v at most %v: %q, want %q", test.values, test.limit, got, test.want)
		}
	}
}

// A distance lies in one of the humps, between them or beyond both.
func TestPlaceAmongHumps(t *testing.T) {
	h := model.Humps{Near: model.Hump{NearKm: 10, FarKm: 20}, Far: model.Hump{NearKm: 60, FarKm: 70}}
	for km, want := range map[float64]string{5: "closer in than both humps", 15: "as close in as the near hump",
		25: "between the humps, closer to the near hump", 55: "between the humps, closer to the far hump",
		60: "as far off as the far hump", 75: "farther off than both humps"} {
		if got := placeAmong(&h, km); got != want {
			t.Errorf("%v km lies %s, want %s", km, got, want)
		}
	}
}

// Flights that are in neither hump are counted by what became of them.
func TestFlightsOutsideTheHumps(t *testing.T) {
	h := model.Humps{Never: 62, GivenUp: 1, Early: 3}
	want := "; 62 more are never recognised, 1 is a fall-back, 3 are recognised between waypoints"
	if text := outsideText(&h); text != want {
		t.Error(text)
	}
	if text := outsideText(&model.Humps{}); text != "" {
		t.Error(text)
	}
}

// What was never recognised is told by the rule in force.
func TestNeverIsToldByTheRule(t *testing.T) {
	if text := neverText(adversary.Stays, 3); !strings.Contains(text, "to the end") {
		t.Error(text)
	}
	if text := neverText(adversary.Stays, math.Inf(1)); text != "The observer never had a guess." {
		t.Error(text)
	}
}

// The angle at the hand-over parts flights that are recognised; where some are not, only those are spoken of.
func TestHumpsOfFlightsThatAreRecognised(t *testing.T) {
	h := model.Humps{Near: model.Hump{Flights: 13, NearKm: 6, FarKm: 12.8}, Far: model.Hump{Flights: 40, NearKm: 51.9,
		FarKm: 53.2}, CutDeg: 5}
	for never, want := range map[int]string{
		0:  "Flights less than 5° off there are recognised at 51.9 to 53.2 km (far hump, 40), the others at 6.0 to 12.8 km",
		29: "Recognised flights less than 5° off are at 51.9 to 53.2 km (far hump, 40), the others at 6.0 to 12.8 km"} {
		h.Never = never
		if got := humpsText(&h); !strings.HasPrefix(got, want) {
			t.Errorf("%d never: %q, want %q", never, got, want)
		}
	}
}

// Differences have a sign, but for what is rounded to nothing.
func TestSigns(t *testing.T) {
	for v, want := range map[float64]string{0.004: "0.00", -0.004: "0.00", 0.006: "+0.01", -0.006: "-0.01", 0: "0.00"} {
		if got := Signed(v, 2); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
