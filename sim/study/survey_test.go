package study_test

import (
	"math"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// A survey sees at every radius what a study with that radius records, at listed epsilons and on a range.
func TestSurveyAgreesWithAStudyOfEveryRadius(t *testing.T) {
	for name, axis := range map[string]configs.Axis{"listed": {}, "range": {Low: 0.2, High: 1}} {
		t.Run(name, func(t *testing.T) {
			c := configs.Default()
			c.Study.Epsilons, c.Study.Axis, c.Study.Runs = []float64{0.2, 1}, axis, 30
			c.Planner.MaxTransitions = 14 // so that some flights fall back
			surveyed(t, c, []float64{0.1, 0.7, 2, 20, 60})
		})
	}
}

// surveyed compares the surface of a survey with the summaries of studies of its radii.
func surveyed(t *testing.T, c configs.Config, radii []float64) {
	t.Helper()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	survey := study.Survey{Study: setup.Study(c, e), RadiiKm: radii}
	tally := study.NewSurfaceTally(&survey, study.Confidence)
	if err := survey.Do(t.Context(), func(s []study.Sighting) error { tally.Add(s); return nil }); err != nil {
		t.Fatal(err)
	}
	cells, err := tally.Listed()
	if err != nil {
		t.Fatal(err)
	}
	fallbacks, before := 0.0, 0.0
	for j, radius := range radii {
		c.Adversary.RadiusKm = radius
		e, err := setup.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		s := setup.Study(c, e)
		want, err := s.NewTally()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Do(t.Context(), func(records []study.Run) error {
			want.Add(s.Listed(records, nil))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i, w := range want.Summaries() {
			got := cells[i][j]
			for name, pair := range map[string][2]float64{"mean": {got.Mean.Value, w.MeanKm}, "low": {got.Mean.Low, w.CILowKm},
				"high": {got.Mean.High, w.CIHighKm}, "median": {got.Median.Value, w.MedianKm}, "p90": {got.P90.Value, w.P90Km},
				"before": {got.BeforeHandover.Value, w.DetectedBeforeHandover}, "fallback": {got.Fallback.Value, w.Fallback},
				"cost": {got.CostOfPrivacy.Value, w.CostOfPrivacy}, "detour": {got.PathOverhead.Value, w.PathOverhead}} {
				if math.Abs(pair[0]-pair[1]) > 1e-9*math.Max(1, math.Abs(pair[1])) { // rounding of sums
					t.Errorf("radius %g, epsilon %g: %s is %v, want %v", radius, w.Epsilon, name, pair[0], pair[1])
				}
			}
			fallbacks, before = fallbacks+w.Fallback, before+w.DetectedBeforeHandover
		}
	}
	if fallbacks == 0 || before == 0 {
		t.Errorf("%g fall-backs, %g detections before hand-over: the test tests too little", fallbacks, before)
	}
}

// A flight that is recognised farther away at one epsilon, 90 km, makes room for such flights at all: of n at 50 km the
// interval ends at 90 - 40 0.025^(1/n). Where flights have no detour, the interval of the others' mean is Student's of
// as many as they are, and the mean of what does not depend on epsilon is over all.
func TestIntervalsOfASurface(t *testing.T) {
	const n, toleranceKm = 20, 0.1 // the error probability is right to 3 % of itself
	s := baselineStudy(t, func(*configs.Config) {})
	s.Epsilons = []float64{1, 2}
	tally := study.NewSurfaceTally(&study.Survey{Study: s, RadiiKm: []float64{0.7}}, 0.95)
	for run := range n {
		overhead, far := math.NaN(), 50.0
		if run < 3 {
			overhead = float64(run)
		}
		if run == 0 {
			far = 90
		}
		at := func(epsilon, km float64) study.Sighting {
			return study.Sighting{Run: study.Run{Run: run, Epsilon: epsilon, PathOverhead: overhead, PlannedKm: float64(run)},
				ByRadius: []adversary.Detection{{Detected: true, DistanceKm: km}}}
		}
		tally.Add([]study.Sighting{at(1, 50), at(2, far)})
	}
	rows, err := tally.Listed()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rows[0][0].Mean.High, 90-40*math.Pow(0.025, 1./n); math.Abs(got-want) > toleranceKm {
		t.Errorf("up to %.3f km, want %.3f", got, want)
	}
	const student = 4.302653 // t of 2 degrees of freedom at 97.5 %

	if got, want := rows[0][0].PathOverhead.High, 1+student/math.Sqrt(3); math.Abs(got-want) > 1e-5 { // digits of student
		t.Errorf("detour up to %g, want %g", got, want)
	}
	if got := tally.MeanOf(func(r *study.Run) float64 { return r.PlannedKm }); math.Abs(got-9.5) > 1e-12 {
		t.Errorf("mean of 0 to 19: %g", got)
	}
}
