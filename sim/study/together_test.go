package study_test

import (
	"context"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// watched is a sweep of two settings whose flights three observers watch.
func watched(t *testing.T, runs int) *study.Sweep {
	t.Helper()
	sweep := &study.Sweep{Observers: 3}
	var builder setup.Builder
	for _, weight := range []float64{2, 3} {
		for _, observer := range []string{"ballistic", "constant_velocity", "constant_velocity_ground"} {
			c := configs.Default()
			c.Planner.RewardWeight, c.Adversary.Observer = weight, observer
			e, err := builder.Experiment(c)
			if err != nil {
				t.Fatal(err)
			}
			s := setup.Study(c, e)
			s.Runs, s.Epsilons, s.Axis = runs, []float64{0.4, 20}, study.Range{}
			sweep.Points = append(sweep.Points, s)
		}
	}
	return sweep
}

// block is what one emission brings.
type block struct {
	point   int
	records []study.Run
}

func sameBlock(a, b block) bool { return a.point == b.point && slices.Equal(a.records, b.records) }

// fulfil flies a schedule on from some blocks, and returns all.
func fulfil(t *testing.T, sweep *study.Sweep, schedule study.Schedule, before []block) []block {
	t.Helper()
	all := slices.Clone(before)
	for _, b := range before {
		if err := schedule.Add(b.point, b.records); err != nil {
			t.Fatal(err)
		}
	}
	err := sweep.Fulfil(context.Background(), schedule, func(b study.Batch, r []study.Run) error {
		all = append(all, block{b.Point, slices.Clone(r)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Observers of the same flights watch them run by run together; the records are those of each alone, whatever the
// workers and wherever the sweep was broken off, between two observers too.
func TestObserversWatchTheSameFlightsTogether(t *testing.T) {
	const runs = 100 // three batches
	sweep := watched(t, runs)
	if sweep.Slots() != 2*runs {
		t.Errorf("%d slots of 2 settings with %d runs", sweep.Slots(), runs)
	}
	sweep.Workers = 1
	whole := fulfil(t, sweep, sweep.NewSlots(0, sweep.Slots()), nil)
	byPoint := make([][]study.Run, len(sweep.Points))
	for i, b := range whole {
		if b.point%3 != i%3 {
			t.Fatalf("block %d is of observer %d", i, b.point%3)
		}
		byPoint[b.point] = append(byPoint[b.point], b.records...)
	}
	for point, got := range byPoint {
		var alone []study.Run
		if err := sweep.Points[point].Do(context.Background(),
			func(r []study.Run) error { alone = append(alone, r...); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, alone) {
			t.Errorf("point %d: the records are not those of the point alone", point)
		}
	}
	for cut := range len(whole) {
		again := watched(t, runs)
		again.Workers = 1 + cut%3
		if got := fulfil(t, again, again.NewSlots(0, again.Slots()), whole[:cut]); !slices.EqualFunc(got, whole, sameBlock) {
			t.Fatalf("broken off after block %d it went on otherwise", cut)
		}
	}
}

// A precision ends flights that several observers watch once each of them knows, so that all have seen the same.
func TestPrecisionHoldsForEveryObserverOfTheSameFlights(t *testing.T) {
	const halfWidthKm = 4
	sweep := watched(t, 100_000)
	p := sweep.NewPrecision(halfWidthKm)
	whole := fulfil(t, sweep, p, nil)
	flights := map[int]int{}
	for _, b := range whole {
		flights[b.point] += len(b.records)
	}
	total := 0
	for point, n := range flights {
		if total += n; n != flights[point/3*3] {
			t.Errorf("observer %d of setting %d has %d flights, the first %d", point%3, point/3, n, flights[point/3*3])
		}
		for k := range 2 {
			if low, high := p.Interval(point, k); (high-low)/2 > halfWidthKm {
				t.Errorf("point %d, epsilon %d: interval %g .. %g", point, k, low, high)
			}
		}
	}
	if p.Unmet() != 0 || p.Flights() != total {
		t.Errorf("%d means unmet, %d flights counted, %d flown", p.Unmet(), p.Flights(), total)
	}
	again := watched(t, 100_000)
	cut := len(whole)/2/3*3 + 1 // between two observers
	if got := fulfil(t, again, again.NewPrecision(halfWidthKm), whole[:cut]); !slices.EqualFunc(got, whole, sameBlock) {
		t.Errorf("broken off after block %d it went on otherwise", cut)
	}
}
