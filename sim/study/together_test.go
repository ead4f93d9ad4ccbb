package study_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// watched is a sweep of two settings whose flights some observers watch.
func watched(t *testing.T, runs int, change func(*configs.Config), observers ...string) *study.Sweep {
	t.Helper()
	sweep := new(study.Sweep)
	var builder setup.Builder
	for _, weight := range []float64{2, 3} {
		var all []configs.Config
		for _, observer := range observers {
			c := configs.Default()
			c.Study.Runs, c.Study.Epsilons, c.Study.Axis = runs, []float64{0.4, 20}, configs.Axis{}
			c.Planner.RewardWeight, c.Adversary.Observer, c.Adversary.Policies = weight, observer, 20
			change(&c)
			all = append(all, c)
		}
		e, err := builder.Experiment(all[0], all[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		sweep.Points = append(sweep.Points, setup.Study(all[0], e))
	}
	return sweep
}

func unchanged(*configs.Config) {}

var threeObservers = []string{"ballistic", "constant_velocity", "constant_velocity_ground"}

// block is what one emission brings.
type block struct {
	point int
	seen  [][]study.Run
}

func sameBlock(a, b block) bool {
	return a.point == b.point && slices.EqualFunc(a.seen, b.seen, slices.Equal[[]study.Run])
}

// fulfil flies a schedule on from some blocks, and returns all.
func fulfil(t *testing.T, sweep *study.Sweep, schedule study.Schedule, before []block) []block {
	t.Helper()
	all := slices.Clone(before)
	for _, b := range before {
		if err := schedule.Add(b.point, b.seen...); err != nil {
			t.Fatal(err)
		}
	}
	err := sweep.Fulfil(context.Background(), schedule, func(b study.Batch, seen [][]study.Run) error {
		own := block{point: b.Point}
		for _, records := range seen {
			own.seen = append(own.seen, slices.Clone(records))
		}
		all = append(all, own)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Observers of the same flights see them as each does alone: whatever the workers, and wherever the sweep was broken
// off, on a list and on a range of epsilon, where the hand-over is drawn, and for an observer who knows the mechanism.
func TestObserversWatchTheSameFlights(t *testing.T) {
	for name, c := range map[string]struct {
		runs      int
		observers []string
		change    func(*configs.Config)
	}{
		"list":      {100, threeObservers, unchanged}, // three batches
		"range":     {60, threeObservers, func(c *configs.Config) { c.Study.Axis = configs.Axis{Low: 0.4, High: 20} }},
		"drawn":     {20, threeObservers, func(c *configs.Config) { c.Vary = configs.Varied{anyHeading} }},
		"mechanism": {10, []string{"ballistic", "mechanism", "moves"}, func(c *configs.Config) { c.Adversary.Policies = 4 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sweep := watched(t, c.runs, c.change, c.observers...)
			sweep.Workers = 1
			whole := fulfil(t, sweep, sweep.NewFixed(), nil)
			for point := range sweep.Points {
				for k, observer := range c.observers {
					var together []study.Run
					for _, b := range whole {
						if b.point == point {
							together = append(together, b.seen[k]...)
						}
					}
					alone := watched(t, c.runs, c.change, observer).Points[point]
					if !slices.EqualFunc(records(t, alone), together, study.Run.Same) {
						t.Errorf("setting %d: %s alone sees other flights", point, observer)
					}
				}
			}
			for cut := range len(whole) {
				again := watched(t, c.runs, c.change, c.observers...)
				again.Workers = 1 + cut%3
				got := fulfil(t, again, again.NewFixed(), whole[:cut])
				if !slices.EqualFunc(got, whole, sameBlock) {
					t.Fatalf("broken off after block %d it went on otherwise", cut)
				}
			}
		})
	}
}

// A precision ends flights that several observers watch once each of them knows.
func TestPrecisionHoldsForEveryObserverOfTheSameFlights(t *testing.T) {
	const halfWidthKm = 4
	sweep := watched(t, 100_000, unchanged, threeObservers...)
	p := sweep.NewPrecision(halfWidthKm)
	whole := fulfil(t, sweep, p, nil)
	total := 0
	for _, b := range whole {
		for k := range b.seen {
			total += len(b.seen[k])
		}
	}
	for point := range sweep.Points {
		for observer := range threeObservers {
			for k := range 2 {
				if low, high := p.Interval(point, observer, k); (high-low)/2 > halfWidthKm {
					t.Errorf("setting %d, observer %d, epsilon %d: interval %g .. %g", point, observer, k, low, high)
				}
			}
		}
	}
	if p.Unmet() != 0 || p.Flights() != total {
		t.Errorf("%d means unmet, %d flights counted, %d flown", p.Unmet(), p.Flights(), total)
	}
	again := watched(t, 100_000, unchanged, threeObservers...)
	cut := len(whole) / 2
	if got := fulfil(t, again, again.NewPrecision(halfWidthKm), whole[:cut]); !slices.EqualFunc(got, whole, sameBlock) {
		t.Errorf("broken off after block %d it went on otherwise", cut)
	}
}

// Points of a sweep with other numbers of observers are refused, and a schedule takes the records of all observers.
func TestPointsHaveEquallyManyObservers(t *testing.T) {
	sweep := watched(t, 2, unchanged, threeObservers...)
	records := records(t, sweep.Points[0])
	if err := sweep.NewFixed().Add(0, records, records); err == nil {
		t.Error("a schedule took the records of two observers of three")
	}
	if err := sweep.NewFixed().Add(0, records, records, records[:2]); err == nil {
		t.Error("a schedule took more runs of one observer than of another")
	}
	sweep.Points[1] = watched(t, 2, unchanged, "ballistic").Points[1]
	err := sweep.Fly(t.Context(), sweep.Batches(), func(study.Batch, [][]study.Run) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "equally many") {
		t.Errorf("three observers and one: %v", err)
	}
}
