package study_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// smallStudy is a study of a few epsilons in which flights differ in length and some fall back.
func smallStudy(t *testing.T, noise study.Noise) study.Study {
	t.Helper()
	c := configs.Default()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	s.Epsilons, s.Axis, s.Runs, s.Noise = []float64{0.2, 0.7, 3}, study.Range{}, 150, noise
	return s
}

func records(t *testing.T, s study.Study) []study.Run {
	t.Helper()
	var all []study.Run
	if err := s.Do(context.Background(), func(r []study.Run) error { all = append(all, r...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRecordsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	for _, noise := range []study.Noise{study.Common, study.Independent} {
		s := smallStudy(t, noise)
		s.Workers = 1
		want := records(t, s)
		if len(want) != s.Runs*len(s.Epsilons) {
			t.Fatalf("%s: %d records, want %d", noise, len(want), s.Runs*len(s.Epsilons))
		}
		for _, workers := range []int{2, 7} {
			s.Workers = workers
			if diff := cmp.Diff(want, records(t, s)); diff != "" {
				t.Errorf("%s noise, %d workers differ from 1 (-1 +%d):\n%s", noise, workers, workers, diff)
			}
		}
	}
}

// With slip another solver plans, which keeps work from one plan to the next.
func TestRecordsWithSlipDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	c := configs.Default()
	c.Planner.Slip = 0.1
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	s.Epsilons, s.Axis, s.Runs, s.Workers = []float64{0.2, 3}, study.Range{}, 130, 1
	want := records(t, s)
	s.Workers = 3
	if diff := cmp.Diff(want, records(t, s)); diff != "" {
		t.Errorf("3 workers differ from 1 (-1 +3):\n%s", diff)
	}
}

// A run flown alone, with a fresh flyer, is the one a study flew among others.
func TestEveryRunCanBeRepeatedAlone(t *testing.T) {
	for _, noise := range []study.Noise{study.Common, study.Independent} {
		s := smallStudy(t, noise)
		sigmas, err := s.Sigmas()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range records(t, s)[:60] {
			flyer, err := s.Experiment.NewFlyer()
			if err != nil {
				t.Fatal(err)
			}
			sigma := sigmas[slices.Index(s.Epsilons, want.Epsilon)]
			got := flown(t)(flyer.Fly(study.Draw{Seed: s.Seed, Run: want.Run, Noise: noise, Epsilon: want.Epsilon}, sigma))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s noise, run %d, epsilon %v alone (-study +alone):\n%s", noise, want.Run, want.Epsilon, diff)
			}
		}
	}
}

func TestSeedsAndRunsGiveDifferentFlights(t *testing.T) {
	s := smallStudy(t, study.Common)
	first := records(t, s)
	s.Seed++
	second := records(t, s)
	same := 0
	for i := range first {
		if first[i].CostOfPrivacy == second[i].CostOfPrivacy {
			same++
		}
	}
	// Under weak privacy two policies may well start along the same way and cost the same.
	if same > len(first)/20 {
		t.Errorf("%d of %d flights cost the same under two seeds", same, len(first))
	}
}

func TestFlyingARunAllocatesNothing(t *testing.T) {
	s := smallStudy(t, study.Common)
	sigmas, err := s.Sigmas()
	if err != nil {
		t.Fatal(err)
	}
	flyer, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	draws := make([]study.Draw, len(s.Epsilons))
	run := 0
	fly := func() {
		for i, epsilon := range s.Epsilons {
			draws[i] = study.Draw{Seed: s.Seed, Run: run % 40, Noise: s.Noise, Epsilon: epsilon}
		}
		flyer.FlyEach(draws, sigmas, study.FlightOptions{RadiusKm: math.Inf(1)}, func(study.Flight) bool { return true })
		run++
	}
	for range 40 {
		fly() // lets the histories grow to the longest of these flights
	}
	if allocations := testing.AllocsPerRun(40, fly); allocations > 0 {
		t.Errorf("%v allocations a run", allocations)
	}
}

// A study that is stopped has passed on whole runs from the first, without a gap.
func TestStoppedStudyKeepsAPrefix(t *testing.T) {
	s := smallStudy(t, study.Common)
	s.Workers, s.Runs = 3, 400
	want := records(t, s)
	s.Runs = 1500
	ctx, cancel := context.WithCancel(context.Background())
	var got []study.Run
	err := s.Do(ctx, func(r []study.Run) error {
		got = append(got, r...)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	if len(got) == 0 || len(got) == s.Runs*len(s.Epsilons) || len(got)%len(s.Epsilons) != 0 {
		t.Fatalf("%d of %d records after a stop, want some whole runs", len(got), s.Runs*len(s.Epsilons))
	}
	both := min(len(got), len(want))
	if diff := cmp.Diff(want[:both], got[:both]); diff != "" {
		t.Errorf("records before the stop (-whole +stopped):\n%s", diff)
	}
}

func TestEmitErrorStopsTheStudy(t *testing.T) {
	s := smallStudy(t, study.Common)
	broken := errors.New("disk full")
	calls := 0
	err := s.Do(context.Background(), func([]study.Run) error { calls++; return broken })
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("error %v after %d calls, want %v after one", err, calls, broken)
	}
}

// Workers that solve large problems at the same time share the cores instead of each taking all.
func TestWorkersShareTheCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	c := configs.Default()
	c.Planner.Columns, c.Planner.Rows, c.Planner.SpacingKm, c.Planner.Slip = 100, 100, 2.5, 0.1
	c.Planner.StartCell, c.Planner.Tolerance, c.Planner.Discount = [2]int{0, 40}, 1e-3, 0.5
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	s.Axis, s.Runs, s.Workers = study.Range{}, 800, 8
	before, most := runtime.NumGoroutine(), 0
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
			most = max(most, runtime.NumGoroutine())
		}
		cancel()
	}()
	if err := s.Do(ctx, func([]study.Run) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-watched
	// A worker that took all 8 cores would add up to 7 goroutines of its own.
	if extra := most - before; extra > 3*s.Workers {
		t.Errorf("%d goroutines for %d workers", extra, s.Workers)
	}
}
