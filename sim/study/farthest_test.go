package study_test

import (
	"context"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// No flight is recognised beyond the bound, whatever the epsilon, the fall-backs among them.
func TestNoDetectionIsBeyondTheBound(t *testing.T) {
	const runs = 50
	var builder setup.Builder // so that plans and flights are shared
	var sweep study.Sweep
	var names []string
	for name, set := range map[string]func(*configs.Config){
		"preset":            func(*configs.Config) {},
		"constant velocity": func(c *configs.Config) { c.Adversary.Observer = "constant_velocity" },
		"on the ground":     func(c *configs.Config) { c.Adversary.Observer = "constant_velocity_ground" },
		"wide radius":       func(c *configs.Config) { c.Adversary.RadiusKm = 12 },
		"slow decay":        func(c *configs.Config) { c.Adversary.LambdaPerS, c.Adversary.RadiusKm = 0.02, 3 },
		"soon fallen back":  func(c *configs.Config) { c.Planner.MaxTransitions = 4 },
		"fast":              func(c *configs.Config) { c.Vehicle.SpeedKmS, c.Guidance.GenexN = 2.5, 1 },
	} {
		c := configs.Default()
		set(&c)
		e, err := builder.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		s := setup.Study(c, e)
		s.Epsilons, s.Axis, s.Runs = []float64{0.02, 0.1, 0.5, 4}, study.Range{}, runs
		sweep.Points, names = append(sweep.Points, s), append(names, name)
	}
	farthest, fallbacks := make([]float64, len(names)), make([]int, len(names))
	err := sweep.Fly(context.Background(), sweep.Batches(),
		func(b study.Batch, seen [][]study.Run) error {
			for _, r := range seen[0] {
				farthest[b.Point] = max(farthest[b.Point], r.DetectionKm)
				if r.Fallback {
					fallbacks[b.Point]++
				}
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		bound := sweep.Points[i].Experiment.FarthestKm()
		t.Logf("%s: %.1f km of at most %.1f km, %d fall-backs", name, farthest[i], bound, fallbacks[i])
		if farthest[i] > bound || fallbacks[i] == 0 {
			t.Errorf("%s: a flight is recognised at %g km, beyond %g km; %d fall-backs", name, farthest[i], bound, fallbacks[i])
		}
	}
}
