package setup

import (
	"context"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/sim/study"
)

// varied returns the settings of a sweep's points. The first three share a mission, and so do the last two.
func varied() []configs.Config {
	points := make([]configs.Config, 5)
	for i := range points {
		points[i] = configs.Default()
		points[i].Study.Runs, points[i].Study.Epsilons = 3, []float64{0.4, 2}
	}
	points[1].Vehicle.SpeedKmS = 1.4
	points[2].Adversary.RadiusKm = 2
	points[3].Planner.Discount, points[4].Planner.Discount = 0.9, 0.9
	points[4].Adversary.Observer = "constant_velocity"
	return points
}

// The records do not depend on missions and buffers that experiments share.
func TestBuilderSharesMissionsAndNothingElse(t *testing.T) {
	var builder Builder
	sweep := &study.Sweep{Workers: 1}
	var want []study.Run
	for _, c := range varied() {
		shared, err := builder.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		sweep.Points = append(sweep.Points, Study(c, shared))
		alone, err := Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		if shared.Baselines.Direct != alone.Baselines.Direct {
			t.Errorf("nominal flight %+v, alone %+v", shared.Baselines.Direct, alone.Baselines.Direct)
		}
		s := Study(c, alone)
		if err := s.Do(context.Background(), func(r []study.Run) error {
			want = append(want, r...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i, j := range []int{0, 0, 0, 3, 3} {
		for k := range sweep.Points {
			same := sweep.Points[i].Experiment.Mission == sweep.Points[k].Experiment.Mission
			if same != (j == []int{0, 0, 0, 3, 3}[k]) {
				t.Errorf("points %d and %d have the same mission: %v", i, k, same)
			}
		}
	}
	var got []study.Run
	err := sweep.Fly(context.Background(), sweep.Batches(),
		func(_ study.Batch, seen [][]study.Run) error { got = append(got, seen[0]...); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Error("a sweep's records differ from those of separate studies of its points")
	}
}

// BenchmarkPoint builds the experiment of one more point of a sweep.
func BenchmarkPoint(b *testing.B) {
	var builder Builder
	c := configs.Default()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Adversary.RadiusKm = 0.5 + 0.01*float64(i%100)
		if _, err := builder.Experiment(c); err != nil {
			b.Fatal(err)
		}
	}
}
