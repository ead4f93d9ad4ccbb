package study_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// axisStudy is the paper's study on the whole of its axis.
func axisStudy(tb testing.TB, runs int) study.Study {
	tb.Helper()
	s := paperStudy(tb)
	s.Runs, s.Axis = runs, study.Range{Low: 0.2, High: 4}
	return s
}

func fly(tb testing.TB, s study.Study) (records []study.Run) {
	tb.Helper()
	if err := s.Do(context.Background(), func(r []study.Run) error {
		records = append(records, r...)
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
	return records
}

// manyRuns are the pieces of runs of the paper's study on the whole of its axis, flown once for all tests that read
// them.
func manyRuns(tb testing.TB) [][]study.Run {
	tb.Helper()
	many.Do(func() { many.runs = ofRun(fly(tb, axisStudy(tb, 3000))) })
	return many.runs
}

var many struct {
	sync.Once
	runs [][]study.Run
}

// ofRun cuts records into those of each run.
func ofRun(records []study.Run) (runs [][]study.Run) {
	for len(records) > 0 {
		n := slices.IndexFunc(records, func(r study.Run) bool { return r.Run != records[0].Run })
		if n < 0 {
			n = len(records)
		}
		runs, records = append(runs, records[:n]), records[n:]
	}
	return runs
}

// The record at any epsilon is that of a direct plan and flight there, to the bit.
func TestAxisIsDirectFlight(t *testing.T) {
	s := axisStudy(t, 3000)
	rng := rand.New(rand.NewPCG(3, 0))
	direct := forgetful(t, axisStudy(t, 1)) // so that no flight is that of the axis
	flyer, err := direct.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	pieces := manyRuns(t)
	if len(pieces) != s.Runs {
		t.Fatalf("%d runs, want %d", len(pieces), s.Runs)
	}
	const checked = 400 // runs that are flown directly too
	for run, records := range pieces[:checked] {
		for range 2 {
			epsilon := s.Axis.Low + (s.Axis.High-s.Axis.Low)*rng.Float64()*rng.Float64()
			sigma, err := s.Experiment.Sigma(epsilon)
			if err != nil {
				t.Fatal(err)
			}
			want := flown(t)(flyer.Fly(study.Draw{Seed: s.Seed, Run: run, Noise: study.Common, Epsilon: epsilon}, sigma))
			at := study.Study{Axis: s.Axis, Epsilons: []float64{epsilon}}
			if got := at.Listed(records, nil)[0]; got != want {
				t.Fatalf("run %d at epsilon %.17g:\n%+v, a direct flight is\n%+v", run, epsilon, got, want)
			}
		}
	}
}

// At the listed epsilons the records are those of the listed study, and of any workers, to the bit, however close
// to a corner they lie.
func TestAxisAtListedEpsilons(t *testing.T) {
	s := axisStudy(t, 60)
	listed := s
	listed.Axis = study.Range{}
	if got, want := s.Listed(fly(t, s), nil), fly(t, listed); !slices.Equal(got, want) {
		t.Error("the listed epsilons of an axis are other flights than those of the list")
	}
	s.Runs = 8
	plain := fly(t, s)
	var corners []float64
	for _, r := range plain {
		if r.Epsilon > s.Axis.Low {
			corners = append(corners, r.Epsilon)
		}
	}
	slices.Sort(corners)
	s.Epsilons = slices.Compact(append([]float64{0.2, 4}, corners...))
	listed = s
	listed.Axis = study.Range{}
	settled := fly(t, s)
	if got, want := s.Listed(settled, nil), fly(t, listed); !slices.Equal(got, want) {
		t.Error("at its corners the axis is other flights than planned there")
	}
	if len(settled) <= len(plain) {
		t.Errorf("%d pieces with every corner planned afresh, %d without: none was within rounding", len(settled), len(plain))
	}
	s = axisStudy(t, 40)
	s.Workers = 1
	one := fly(t, s)
	s.Workers = 7
	s = forgetful(t, s)
	if !slices.Equal(one, fly(t, s)) {
		t.Error("the pieces depend on the number of workers")
	}
}

func TestAxisRefuses(t *testing.T) {
	for name, change := range map[string]func(*study.Study){
		"independent noise":  func(s *study.Study) { s.Noise = study.Independent },
		"an epsilon outside": func(s *study.Study) { s.Epsilons = []float64{5} },
		"a range backwards":  func(s *study.Study) { s.Axis = study.Range{Low: 4, High: 0.2} },
	} {
		s := axisStudy(t, 1)
		change(&s)
		err := s.Do(context.Background(), func([]study.Run) error { return nil })
		if err == nil || (name == "independent noise") != errors.Is(err, study.ErrNoAxis) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A schedule takes the pieces of whole runs in their order and nothing else.
func TestScheduleTakesWholeRunsOfAnAxis(t *testing.T) {
	s := axisStudy(t, 6)
	records := fly(t, s)
	runs := ofRun(records)
	sweep := &study.Sweep{Points: []study.Study{s}, RunsAtOnce: 1}
	schedule := sweep.NewFixed()
	for name, wrong := range map[string][]study.Run{
		"from the second run on": slices.Concat(runs[1:]...),
		"a run twice":            slices.Concat(runs[0], runs[0]),
		"a run in disorder":      {runs[0][1], runs[0][0]},
		"a run's end":            runs[0][1:],
		"a run left out":         slices.Concat(runs[0], runs[2]),
	} {
		if err := schedule.Add(0, wrong); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	for i, r := range runs {
		if err := schedule.Add(0, r); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
	if schedule.Add(0, runs[0]) == nil {
		t.Error("more runs were taken than there are")
	}
	precision := sweep.NewPrecision(20)
	for b := range precision.Pending() {
		err := sweep.Fly(context.Background(), slices.Values([]study.Batch{b}),
			func(b study.Batch, seen [][]study.Run) error {
				return precision.Add(b.Point, seen...)
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if low, high := precision.Interval(0, 0, 0); !(low < high) {
		t.Error(fmt.Sprint("no interval: ", low, high))
	}
}

// BenchmarkAxis flies runs on the whole axis from epsilon 0.2 to 4.
func BenchmarkAxis(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := axisStudy(b, 200)
		s.Workers = 1
		b.StartTimer()
		if err := s.Do(context.Background(), func([]study.Run) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*200), "us/run")
}

// A flyer on its own finds the pieces that a study of the same runs does, each with the curve of its own flight.
func TestFlyAxisIsTheStudy(t *testing.T) {
	const runs = 12
	s := axisStudy(t, runs)
	want := fly(t, s)
	flyer, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	var got []study.Run
	look := func(f study.Flight) bool {
		r := f.Run
		if d := f.Curve.Detect(s.Experiment.Adversary.RadiusKm); d.DistanceKm != r.DetectionKm {
			t.Errorf("run %d, epsilon %v: the curve says %v km, the record %v", r.Run, r.Epsilon, d.DistanceKm, r.DetectionKm)
		}
		got = append(got, r)
		return true
	}
	options := study.FlightOptions{RadiusKm: math.Inf(1)}
	for first := 0; first < runs; first += 5 {
		if _, err := flyer.FlyAxis(&s, first, min(first+5, runs), options, look); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("a flyer finds %d pieces, the study %d, or others", len(got), len(want))
	}
}

// Where moves are uncertain a piece begins at an epsilon that was planned at, with the record of that plan; between the
// plans the flight is that of both neighbours, or changes within the resolution. At the listed epsilons the records are
// those of the list.
func TestAxisWithSlip(t *testing.T) {
	c := configs.Default()
	c.Planner.Slip = 0.1
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	if e.Resolution() != study.BisectedTo || axisStudy(t, 1).Experiment.Resolution() != 0 {
		t.Errorf("resolution %g", e.Resolution())
	}
	s := setup.Study(c, e)
	s.Runs, s.Epsilons, s.Axis = 8, []float64{0.3, 1, 2.5}, study.Range{Low: 0.2, High: 4}
	records := fly(t, s)
	listed := s
	listed.Axis = study.Range{}
	if !slices.Equal(s.Listed(records, nil), fly(t, listed)) {
		t.Error("the listed epsilons of a bisected axis are other flights than those of the list")
	}
	flyer, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	direct := func(run int, epsilon float64) study.Run {
		sigma, err := e.Sigma(epsilon)
		if err != nil {
			t.Fatal(err)
		}
		return flown(t)(flyer.Fly(study.Draw{Seed: s.Seed, Run: run, Noise: study.Common, Epsilon: epsilon}, sigma))
	}
	changes := 0
	for run, pieces := range ofRun(records) {
		for i, p := range pieces {
			if want := direct(run, p.Epsilon); p != want {
				t.Fatalf("run %d at epsilon %v:\n%+v, a direct flight is\n%+v", run, p.Epsilon, p, want)
			}
			if i == 0 || sameFlight(p, pieces[i-1]) {
				continue
			}
			changes++
			near := p.Epsilon / (1 + 1.001*study.BisectedTo)
			if near > pieces[i-1].Epsilon && !sameFlight(direct(run, near), pieces[i-1]) {
				t.Errorf("run %d has another flight at %v than at %v, and changes at %v", run, near, pieces[i-1].Epsilon, p.Epsilon)
			}
		}
	}
	if changes == 0 {
		t.Error("no flight changes along the axis")
	}
	s.Workers = 3
	s.Experiment.Forget()
	if !slices.Equal(records, fly(t, s)) {
		t.Error("the pieces depend on the number of workers")
	}
}

// sameFlight reports whether two records differ in nothing but their epsilon and cost.
func sameFlight(a, b study.Run) bool {
	a.Epsilon, a.CostOfPrivacy = b.Epsilon, b.CostOfPrivacy
	return a == b
}

// A piece ends where the next one of its run begins, the last with the range; the plan without noise begins no piece.
func TestEndsOfPieces(t *testing.T) {
	axis := study.Range{Low: 0.2, High: 4}
	pieces := []study.Run{{Run: 0, Epsilon: 0.2}, {Run: 0, Epsilon: 3}, {Run: 0, Epsilon: study.None()},
		{Run: 1, Epsilon: 0.2}, {Run: 2, Epsilon: 0.2}}
	for i, want := range []float64{3, 4, study.None(), 4, 4} {
		if got := axis.End(pieces, i); got != want {
			t.Errorf("piece %d ends at %g, want %g", i, got, want)
		}
	}
}

// flown returns a flight that must have been possible.
func flown(t *testing.T) func(study.Run, error) study.Run {
	return func(r study.Run, err error) study.Run {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}
