package study_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"veilpath/configs"
	"veilpath/sim/setup"
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

// surveyed compares the flights of a survey with those of studies of its radii.
func surveyed(t *testing.T, c configs.Config, radii []float64) {
	t.Helper()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	survey := study.Survey{Study: setup.Study(c, e), RadiiKm: radii}
	tally, seen := study.NewSurfaceTally(&survey, study.Confidence), make([][]study.Run, len(radii))
	err = errors.Join(
		survey.Do(context.Background(), func(s []study.Sighting) error { tally.Add(s); return nil }),
		tally.Runs(func(byRadius [][]study.Run) error {
			for j, runs := range byRadius {
				seen[j] = append(seen[j], runs...)
			}
			return nil
		}))
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
		s := setup.Study(c, e)
		var want []study.Run
		if err := s.Do(context.Background(), func(records []study.Run) error {
			want = s.Listed(records, want)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, seen[j]); d != "" || len(want) != 60 {
			t.Errorf("radius %g: the study has %d flights, and the survey saw (-study +survey)\n%s", radius, len(want), d)
		}
		for _, r := range want {
			if r.Fallback {
				fallbacks++
			}
			if r.BeforeHandover {
				before++
			}
		}
	}
	if fallbacks == 0 || before == 0 {
		t.Errorf("%d fall-backs, %d detections before hand-over: the test tests too little", fallbacks, before)
	}
}
