//go:build long

package study_test

import (
	"fmt"
	"math"
	"testing"

	"veilpath/sim/study"
)

// Five thousand runs of four missions are those of the settings that they draw.
func TestManyVariedRunsAreThoseOfTheirSettings(t *testing.T) {
	for name, r := range variedMissions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkVariedRuns(t, r, 1250)
		})
	}
}

// Of 500 studies in which settings vary, about 95 % have the mean, and the rank correlations, of all their runs within
// their intervals. The limits are those of 500 draws at four standard errors.
func TestIntervalsOfVariedStudiesCover(t *testing.T) {
	const studies, each = 500, 150
	s, _ := variedStudy(t, variedMissions["paper"], studies*each)
	s.Epsilons = []float64{1}
	whole, err := s.NewTally()
	if err != nil {
		t.Fatal(err)
	}
	var runs []study.Run
	if err := s.Do(t.Context(), func(r []study.Run) error { runs = append(runs, r...); return nil }); err != nil {
		t.Fatal(err)
	}
	whole.Add(runs)
	mean, ranks := whole.Summaries()[0].MeanKm, whole.Sensitivities()
	covered := make([]int, len(ranks)+1)
	for first := 0; first < len(runs); first += each {
		part, err := s.NewTally()
		if err != nil {
			t.Fatal(err)
		}
		part.Add(runs[first : first+each])
		if own := part.Summaries()[0]; own.CILowKm <= mean && mean <= own.CIHighKm {
			covered[0]++
		}
		for k, own := range part.Sensitivities() {
			if own.Low <= ranks[k].Rank && ranks[k].Rank <= own.High {
				covered[k+1]++
			}
		}
	}
	for k, n := range covered {
		name := "mean"
		if k > 0 {
			name = fmt.Sprintf("%s (rank correlation %.3f)", ranks[k-1].Setting, ranks[k-1].Rank)
		}
		t.Logf("%s: %d of %d intervals", name, n, studies)
		if share := float64(n) / studies; share < 0.95-4*math.Sqrt(0.95*0.05/studies) {
			t.Errorf("%s: %.1f %% of the intervals cover", name, 100*share)
		}
	}
}
