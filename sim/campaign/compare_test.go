package campaign

import (
	"math"
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
