package study_test

import (
	"context"
	"math"
	"testing"

	"veilpath/assets"
	"veilpath/sim/study"
)

// summarise flies a study and returns its summaries.
func summarise(t *testing.T, s study.Study) []study.Summary {
	t.Helper()
	sigmas, err := s.Sigmas()
	if err != nil {
		t.Fatal(err)
	}
	tally := study.NewTally(s.Epsilons, sigmas)
	if err := s.Do(context.Background(), func(records []study.Run) error { tally.Add(records); return nil }); err != nil {
		t.Fatal(err)
	}
	return tally.Summaries()
}

func TestNominalDetectionIsThePublishedOne(t *testing.T) {
	const publishedKm, toleranceKm = 101.5, 0.5
	if got := paperStudy(t).Experiment.Baselines.Direct; !got.Detected ||
		math.Abs(got.DetectionKm-publishedKm) > toleranceKm {
		t.Errorf("nominal flight detected: %v, at %v km, want within %v of %v km", got.Detected, got.DetectionKm, toleranceKm,
			publishedKm)
	}
}

// The published curve has 200 flights a point, so it scatters by about 1.5 km itself.
func TestPaperStudyLiesNearThePublishedCurve(t *testing.T) {
	const toleranceKm = 2.7 // root mean square over the 20 points
	table, err := assets.OpenPublished("fig_ex3_detection_distance_vs_eps")
	if err != nil {
		t.Fatal(err)
	}
	epsilons, published, err := table.Curve("eps", "private_mean_detection_distance_km")
	if err != nil {
		t.Fatal(err)
	}
	summaries := summarise(t, paperStudy(t))
	if len(summaries) != len(published) {
		t.Fatalf("%d epsilons, the figure has %d", len(summaries), len(published))
	}
	squares := 0.0
	for i, s := range summaries {
		if epsilons[i] != s.Epsilon {
			t.Fatalf("row %d is of epsilon %v, want %v", i, epsilons[i], s.Epsilon)
		}
		squares += (s.MeanKm - published[i]) * (s.MeanKm - published[i])
	}
	if rms := math.Sqrt(squares / float64(len(summaries))); rms > toleranceKm {
		t.Errorf("the curve lies %.2f km from the published one (root mean square), want at most %v", rms, toleranceKm)
	}
}

// The expected means come from two other implementations with 3,000 to 5,000 flights a point; with the
// 3,000 here the standard error of a difference is up to 0.5 km.
func TestMeansAgreeWithOtherImplementations(t *testing.T) {
	const toleranceKm = 1
	s := axisStudy(t, 1)
	s.Epsilons = []float64{0.2, 0.4, 1, 2, 4}
	want := []float64{44.4, 50.5, 55.2, 57.4, 58.8}
	sums, runs := make([]float64, len(want)), manyRuns(t)
	for _, pieces := range runs {
		for i, r := range s.Listed(pieces, nil) {
			sums[i] += r.DetectionKm
		}
	}
	for i, sum := range sums {
		if mean := sum / float64(len(runs)); math.Abs(mean-want[i]) > toleranceKm {
			t.Errorf("epsilon %v: mean %.2f km, want within %v of %v", s.Epsilons[i], mean, toleranceKm, want[i])
		}
	}
}
