package study_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// kin are points of a sweep of which some have plans in common.
func kin(t *testing.T, axis study.Range) []study.Study {
	t.Helper()
	var points []study.Study
	var builder setup.Builder
	for _, set := range []func(*configs.Config){
		func(*configs.Config) {},
		func(c *configs.Config) { c.Adversary.RadiusKm = 1.5 },
		func(c *configs.Config) { c.Adversary.LambdaPerS = 0.3 },
		func(c *configs.Config) { c.Adversary.ConsecutiveSteps = 5 },
		func(c *configs.Config) { c.Adversary.Observer = "constant_velocity" },
		func(c *configs.Config) { c.Privacy.Delta = 1e-4 },
		func(c *configs.Config) { c.Privacy.Adjacency = 0.5 },
		func(c *configs.Config) { c.Privacy.Calibration = configs.Analytic },
		func(c *configs.Config) { c.Planner.RewardWeight = 3 },
		func(c *configs.Config) { c.Privacy.HandoverKm = 60 },
	} {
		c := configs.Default()
		set(&c)
		e, err := builder.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		s := setup.Study(c, e)
		s.Runs, s.Epsilons, s.Axis = 10, []float64{0.3, 0.9, 2.7}, axis
		points = append(points, s)
	}
	return points
}

// The records of a sweep whose points have plans in common are those of the points alone, on any number of workers.
func TestSweepSharesWhatPointsHaveInCommon(t *testing.T) {
	for _, axis := range []study.Range{{}, {Low: 0.2, High: 4}} {
		var want []study.Run
		for _, s := range kin(t, axis) {
			s.Workers = 1
			if err := s.Do(context.Background(), func(r []study.Run) error {
				want = append(want, r...)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		for _, workers := range []int{1, 3} {
			sweep := study.Sweep{Points: kin(t, axis), Workers: workers}
			var got []study.Run
			err := sweep.Fly(context.Background(), sweep.Batches(),
				func(_ study.Batch, seen [][]study.Run) error { got = append(got, seen[0]...); return nil })
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(got, func(r study.Run) bool { return math.IsNaN(r.DetectionKm) }); i >= 0 ||
				len(got) != len(want) {
				t.Fatalf("range %v, %d workers: %d records, the points alone give %d", axis, workers, len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("range %v, %d workers: record %d is %+v, of the point alone %+v", axis, workers, i, got[i], want[i])
				}
			}
		}
	}
}

// Points of a sweep with the same mission and noise have their plans in common.
func TestSweepsSharePlans(t *testing.T) {
	for shared, changes := range map[bool]map[string]any{
		true: {"adversary.radius_km": 1.5, "adversary.observer": "constant_velocity", "privacy.handover_km": 60.0,
			"vehicle.speed_km_s": 1.5},
		false: {"planner.reward_weight": 3.0, "planner.discount": 0.9, "privacy.delta": 1e-4, "privacy.adjacency": 0.5},
	} {
		for key, value := range changes {
			base, err := configs.Load(configs.Request{})
			if err != nil {
				t.Fatal(err)
			}
			other, err := base.With(configs.Override{Key: key, Flag: "sweep", Value: value})
			if err != nil {
				t.Fatal(err)
			}
			var sweep study.Sweep
			var builder setup.Builder
			for _, c := range []configs.Config{base.Config, other.Config} {
				e, err := builder.Experiment(c)
				if err != nil {
					t.Fatal(err)
				}
				sweep.Points = append(sweep.Points, setup.Study(c, e))
			}
			if got := sweep.SharesPlans(t); got != shared {
				t.Errorf("points that differ in %s have their plans in common: %t", key, got)
			}
		}
	}
}
