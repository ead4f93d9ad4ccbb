package study_test

import (
	"math"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// A summary has the share of the flights that fell back while they flew away from the target.
func TestFlightsThatFlewAwayWhenTheyFellBack(t *testing.T) {
	tally := study.NewTally([]float64{1}, []float64{1})
	for run, r := range []study.Run{{Fallback: true, HeadingErrorDeg: 178}, {Fallback: true, HeadingErrorDeg: 89},
		{HeadingErrorDeg: 178}, {Fallback: true, HeadingErrorDeg: 91}} {
		r.Epsilon, r.Run = 1, run
		tally.Add([]study.Run{r})
	}
	if s := tally.Summaries()[0]; s.FlewAway != 0.5 || s.Fallback != 0.75 {
		t.Errorf("%g flew away of %g, want 0.5 of 0.75", s.FlewAway, s.Fallback)
	}
}

// A flight that the time limit ends has no detour, and no hand-over where it did not come to one; what condenses
// flights is over those that have it.
func TestFlightsThatTimeOutHaveNoHandover(t *testing.T) {
	c := configs.Default()
	c.Sim.MaxTimeS = 80 // some flights are handed over by then, none arrives
	c.Study.Epsilons, c.Study.Axis, c.Study.Runs = []float64{0.4}, configs.Axis{}, 100
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	sweep := study.Sweep{Points: []study.Study{s}}
	tally := study.NewTally(s.Epsilons, []float64{1})
	var handed, not []study.Run
	err = sweep.Fly(t.Context(), sweep.Batches(), func(_ study.Batch, seen [][]study.Run) error {
		tally.Add(seen[0])
		for _, r := range seen[0] {
			if !r.TimedOut || !math.IsNaN(r.PathOverhead) || !math.IsNaN(r.DirectOverhead) {
				t.Errorf("run %d: timed out %v, %g and %g longer", r.Run, r.TimedOut, r.PathOverhead, r.DirectOverhead)
			}
			switch {
			case math.IsNaN(r.HandoverKm) && math.IsNaN(r.HeadingErrorDeg):
				not = append(not, r)
			case r.HandoverKm > 0 && r.HandoverKm <= c.Privacy.HandoverKm:
				handed = append(handed, r)
			default:
				t.Errorf("run %d: handed over at %g km, %g degrees off", r.Run, r.HandoverKm, r.HeadingErrorDeg)
			}
		}
		return nil
	})
	if err != nil || len(handed) == 0 || len(not) == 0 {
		t.Fatalf("%d flights handed over and %d not, %v; want both", len(handed), len(not), err)
	}
	if got := tally.Summaries()[0]; !math.IsNaN(got.PathOverhead) || math.IsNaN(got.MeanKm) {
		t.Errorf("a detour of %g, a mean of %g km", got.PathOverhead, got.MeanKm)
	}
	mean := 0.0
	for _, r := range handed {
		mean += r.HandoverKm / float64(len(handed))
	}
	all := append(handed, not...)
	for _, d := range study.Contrasts(all, all, study.Pairing{Paired: true, Same: true}, study.Confidence) {
		if d.Name == "handover_km" && (math.Abs(d.A-mean) > 1e-9 || d.Difference != 0) { // km: rounding of a sum
			t.Errorf("a mean hand-over of %g km, want %g over those that have one", d.A, mean)
		}
	}
}
