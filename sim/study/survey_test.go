package study_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// A survey sees at every radius what a study with that radius records.
func TestSurveyAgreesWithAStudyOfEveryRadius(t *testing.T) {
	c := configs.Default()
	c.Study.Epsilons, c.Study.Runs = []float64{0.2, 1}, 30
	c.Planner.MaxTransitions = 14 // so that some flights fall back
	radii := []float64{0.1, 0.7, 2, 20, 60}
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	survey := study.Survey{Study: setup.Study(c, e), RadiiKm: radii}
	var seen []study.Sighting
	err = survey.Do(context.Background(), []int{0, 1}, 0, c.Study.Runs, func(s []study.Sighting) error {
		for _, sighting := range s {
			sighting.ByRadius = slices.Clone(sighting.ByRadius) // the original is used again
			seen = append(seen, sighting)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fallbacks, before := 0, 0
	for j, radius := range radii {
		c.Adversary.RadiusKm = radius
		e, err := setup.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		s, i := setup.Study(c, e), 0
		err = s.Do(context.Background(), func(records []study.Run) error {
			for _, want := range records {
				got := seen[i].ByRadius[j]
				if seen[i].Run.Run != want.Run || seen[i].Epsilon != want.Epsilon || got.DistanceKm != want.DetectionKm || got.Detected != want.Detected || got.BeforeHandover != want.BeforeHandover {
					t.Errorf("radius %g, run %d, epsilon %g: saw %+v, the study %+v", radius, want.Run, want.Epsilon, got, want)
				}
				if want.Fallback {
					fallbacks++
				}
				if want.BeforeHandover {
					before++
				}
				i++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if fallbacks == 0 || before == 0 {
		t.Errorf("%d fall-backs, %d detections before hand-over: the test tests too little", fallbacks, before)
	}
}

// The epsilon that a search finds is where a brute-force study on a fine grid has it.
func TestSearchAgreesWithBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("flies some 30,000 flights")
	}
	const limitKm = 53
	c := configs.Default()
	c.Study.Runs = 2000
	c.Study.Epsilons = nil
	for e := 0.4; e < 0.85; e += 0.1 {
		c.Study.Epsilons = append(c.Study.Epsilons, e)
	}
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	sigmas, err := s.Sigmas()
	if err != nil {
		t.Fatal(err)
	}
	tally := study.NewTally(s.Epsilons, sigmas)
	if err := s.Do(context.Background(), func(r []study.Run) error { tally.Add(r); return nil }); err != nil {
		t.Fatal(err)
	}
	// Where the ends of the brute-force intervals cross the limit is what 2000 runs know about epsilon.
	low, high := math.NaN(), math.NaN()
	for _, m := range tally.Summaries() {
		if m.CIHighKm <= limitKm {
			low = m.Epsilon
		}
		if math.IsNaN(high) && m.CILowKm > limitKm {
			high = m.Epsilon
		}
	}
	search := study.Search{Survey: &study.Survey{Study: s, RadiiKm: []float64{0.7}}, Low: 0.01, High: 100, Resolution: 0.02, Confidence: 0.95, MostRuns: 4_000}
	answer, err := search.Find(context.Background(), e.MeanDistance(limitKm, 0))
	if err != nil {
		t.Fatal(err)
	}
	crossing := answer.Crossing(limitKm)
	t.Logf("brute force %.2f to %.2f; found %.4g, next %.4g, crossing %.4g", low, high, answer.Epsilon, answer.Next, crossing)
	if !(crossing.Value >= low && crossing.Value <= high && crossing.Low < crossing.Value && crossing.Value < crossing.High) {
		t.Errorf("the mean crosses at %g, by brute force at %g to %g", crossing, low, high)
	}
	// The answer keeps the margin that its flights ask for: at 4000 some 0.9 km, a quarter in epsilon.
	if !(answer.Epsilon <= crossing.Value && answer.Epsilon >= 0.7*crossing.Value) {
		t.Errorf("found %g, want a little below %g", answer.Epsilon, crossing)
	}
	if !(answer.Epsilon < answer.Next && answer.Next < 1.03*answer.Epsilon) {
		t.Errorf("found %g, next %g: not neighbours at 2 %%", answer.Epsilon, answer.Next)
	}
}

// Both prices of privacy fall as epsilon grows, so the search for a cost comes from above.
func TestSearchForACostFindsTheSmallestEpsilon(t *testing.T) {
	c := configs.Default()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	search := study.Search{Survey: &study.Survey{Study: setup.Study(c, e), RadiiKm: []float64{0.7}}, Low: 0.1, High: 10, Resolution: 0.3, Confidence: 0.95, MostRuns: 2000}
	answer, err := search.Find(context.Background(), e.MeanCost(0.1))
	if err != nil {
		t.Fatal(err)
	}
	// A study of 5000 runs has a mean cost of 10 % near epsilon 0.6.
	if !(answer.Epsilon > 0.5 && answer.Epsilon < 1.2 && answer.Next < answer.Epsilon) {
		t.Errorf("found %g, next %g; want a little above 0.6, and less", answer.Epsilon, answer.Next)
	}
}
