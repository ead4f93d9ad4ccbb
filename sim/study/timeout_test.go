package study_test

import (
	"math"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// The effect of noise without the flights that some limits ended is that of the others, run by run, also where the
// planned flights of the runs differ. The smallest set of limits that decides the sign is named.
func TestNoiseWithoutFlightsThatALimitEnded(t *testing.T) {
	for name, varies := range map[string]float64{"one planned flight": 0, "several": 1} {
		tally := study.NewTally([]float64{1}, []float64{1})
		var n, sums [study.AllLimits + 1]float64
		for run := range 60 {
			planned := 60 + varies*float64(run%3)
			r := study.Run{Epsilon: 1, Run: run, PlannedKm: planned, DetectionKm: planned + 2 + float64(run%2)}
			switch run % 10 {
			case 0:
				r.Fallback, r.DetectionKm = true, planned+9
			case 1:
				r.TimedOut, r.DetectionKm = true, 0
			case 2:
				r.Fallback, r.TimedOut, r.DetectionKm = true, true, 0
			}
			for limits := range n {
				if r.Limits()&study.Limits(limits) == 0 {
					n[limits]++
					sums[limits] += r.DetectionKm - planned
				}
			}
			tally.Add([]study.Run{r})
		}
		s := tally.Summaries()[0]
		if s.Without[0] != s.Noise() || s.NoiseTurns() != study.Timeouts {
			t.Errorf("%s: %+v, turning without %d", name, s.Without, s.NoiseTurns())
		}
		for limits, e := range s.Without {
			if want := sums[limits] / n[limits]; math.Abs(e.Km-want) > 1e-9 || !(e.LowKm < e.Km && e.Km < e.HighKm) {
				t.Errorf("%s, without %d: %+v, want %g km", name, limits, e, want) // km: rounding of a sum
			}
		}
	}
	tally := study.NewTally([]float64{1, 2}, []float64{1, 1})
	for run := range 3 {
		tally.Add([]study.Run{{Epsilon: 1, Run: run, DetectionKm: float64(run), PlannedKm: 4},
			{Epsilon: 2, Run: run, TimedOut: true, PlannedKm: 4}})
	}
	free, ended := tally.Summaries()[0], tally.Summaries()[1]
	if free.Without[study.AllLimits] != free.Noise() || free.NoiseTurns() != 0 || ended.NoiseTurns() != 0 ||
		!math.IsNaN(ended.Without[study.Timeouts].Km) || ended.Without[study.Fallbacks] != ended.Noise() {
		t.Errorf("no flight ended: %+v; all: %+v", free.Without, ended.Without)
	}
}

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
	err = sweep.Fly(t.Context(), sweep.Batches(0, s.Runs), func(_ study.Batch, seen [][]study.Run) error {
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
