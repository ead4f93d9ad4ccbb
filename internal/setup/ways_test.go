package setup_test

import (
	"context"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner/deception"
	"veilpath/sim/study"
)

// flownBySettings flies a small study of settings on some workers.
func flownBySettings(t *testing.T, workers int, sets ...string) []study.Run {
	t.Helper()
	loaded, err := configs.Load(configs.Request{Sets: append(sets, "study.epsilons=0.5,2", "study.runs=20")})
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(loaded.Config, e)
	s.Workers = workers
	var all []study.Run
	if err := s.Do(context.Background(), func(r []study.Run) error { all = append(all, r...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every way without a guarantee is flown by its name, the same twice, on several workers, and at every epsilon.
func TestWaysWithoutGuarantee(t *testing.T) {
	for _, w := range deception.Ways() {
		name := "privacy.mechanism=" + w.Name
		one := flownBySettings(t, 1, name)
		if three := flownBySettings(t, 3, name); !slices.EqualFunc(one, three, study.Run.Same) {
			t.Errorf("%s: three workers fly otherwise than one", w.Name)
		}
		for i := 0; i < len(one); i += 2 {
			other := one[i+1]
			if other.Epsilon = one[i].Epsilon; !one[i].Same(other) {
				t.Errorf("%s: run %d is %+v at one epsilon and %+v at the other", w.Name, one[i].Run, one[i], one[i+1])
			}
		}
		if one[0].CostOfPrivacy == 0 {
			t.Errorf("%s costs nothing", w.Name)
		}
	}
}

// What a way depends on are settings.
func TestSettingsOfWays(t *testing.T) {
	for _, c := range []struct{ way, set string }{{"soft", "deception.temperature=5"},
		{"pi_d1", "deception.bogus=[[3,18]]"}, {"pi_d4", "deception.bogus=[[3,18]]"},
		{"exaggeration", "deception.detour=0.1"}, {"misinformation", "deception.detour=0.1"},
		{"exaggeration", "deception.observer_temperature=0.1"}, {"ambiguity", "deception.bogus=[[3,18]]"}} {
		name := "privacy.mechanism=" + c.way
		if slices.EqualFunc(flownBySettings(t, 0, name), flownBySettings(t, 0, name, c.set), study.Run.Same) {
			t.Errorf("%s flies the same with %s", c.way, c.set)
		}
	}
}
