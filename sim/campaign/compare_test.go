package campaign

import (
	"math"
	"strings"
	"testing"

	"veilpath/sim/record"
	"veilpath/sim/record/recordtest"
)

// A table of a tune without a number for epsilon is refused as any other that its flights do not fit.
func TestTableWithoutEpsilonHasNoFlights(t *testing.T) {
	p := &Program{Disk: &recordtest.Disk{}}
	s := &side{places: []sample{{epsilon: math.NaN()}, {epsilon: math.NaN()}}}
	s.Folder, s.Manifest = "tune", record.Manifest{Runs: 1, Files: map[string]string{record.RunsName: ""}}
	if err := p.addFlights(t.Context(), s); err == nil {
		t.Error("want an error")
	}
}

// Long values are told briefly, from where they differ.
func TestLongSettingsAreToldBriefly(t *testing.T) {
	zeros := strings.Repeat("0 ", 200)
	for _, c := range []struct {
		change Change
		a, b   string
	}{
		{Change{A: "1.7", B: "2"}, "1.7", "2"},
		{Change{A: "none", B: "[" + zeros}, "none", ("[" + zeros)[:60] + "..."},
		{Change{A: zeros + "1]", B: zeros + "2 3]"}, "..." + zeros[:20] + "1]", "..." + zeros[:20] + "2 3]"},
		{Change{A: zeros + "1 " + zeros, B: zeros + "2"}, "..." + zeros[:20] + "1 " + zeros[:38] + "...", "..." + zeros[:20] + "2"},
	} {
		if a, b := c.change.Brief(); a != c.a || b != c.b {
			t.Errorf("%q, %q; want %q, %q", a, b, c.a, c.b)
		}
	}
}
