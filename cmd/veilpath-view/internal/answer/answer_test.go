package answer

import (
	"math"
	"strings"
	"testing"

	"veilpath/adversary"
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

// What was never recognised is told by the rule in force.
func TestNeverIsToldByTheRule(t *testing.T) {
	if text := neverText(adversary.Stays, 3); !strings.Contains(text, "to the end") {
		t.Error(text)
	}
	if text := neverText(adversary.Stays, math.Inf(1)); text != "The observer never had a guess." {
		t.Error(text)
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
