package study_test

import (
	"context"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// A survey sees at every radius what a study with that radius records.
func TestSurveyAgreesWithAStudyOfEveryRadius(t *testing.T) {
	c := configs.Default()
	c.Study.Epsilons, c.Study.Axis, c.Study.Runs = []float64{0.2, 1}, configs.Axis{}, 30
	c.Planner.MaxTransitions = 14 // so that some flights fall back
	radii := []float64{0.1, 0.7, 2, 20, 60}
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	survey := study.Survey{Study: setup.Study(c, e), RadiiKm: radii}
	var seen []study.Sighting
	err = survey.Do(context.Background(), func(s []study.Sighting) error {
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
