package answer

import (
	"math"
	"strings"
	"testing"

	"veilpath/adversary"
)

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
