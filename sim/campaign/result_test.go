package campaign

import (
	"math"
	"testing"

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
