package study_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/sim/study"
)

// until is a small sweep with two epsilons of very different variance.
func until(t *testing.T) *study.Sweep {
	t.Helper()
	s := paperStudy(t)
	s.Epsilons, s.Runs = []float64{0.4, 20}, 100_000
	return &study.Sweep{Points: []study.Study{s}}
}

func TestPrecisionFliesWhereTheVarianceIs(t *testing.T) {
	c := until(t)
	p := c.NewPrecision(1.5)
	flown := map[float64]int{}
	err := c.Fulfil(context.Background(), p, func(_ study.Batch, seen [][]study.Run) error {
		for _, r := range seen[0] {
			if r.Run != flown[r.Epsilon] {
				t.Fatalf("epsilon %g: run %d came where %d was due", r.Epsilon, r.Run, flown[r.Epsilon])
			}
			flown[r.Epsilon]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.Unmet() != 0 || p.Flights() != flown[0.4]+flown[20] {
		t.Errorf("%d cells unmet, %d flights counted, %d flown", p.Unmet(), p.Flights(), flown[0.4]+flown[20])
	}
	for k := range 2 {
		if low, high := p.Interval(0, 0, k); (high-low)/2 > 1.5 {
			t.Errorf("cell %d: interval %g .. %g is wider than asked for", k, low, high)
		}
	}
	if flown[0.4] < flown[20]*3/2 {
		t.Errorf("%d flights at epsilon 0.4, %d at 20: want many more at 0.4, which varies more", flown[0.4], flown[20])
	}
}

// A flight that is recognised farther away than the intervals assume ends the study, as do records of another batch.
func TestPrecisionRefusesWhatItDoesNotAssume(t *testing.T) {
	c := until(t)
	far := c.Points[0].Experiment.FarthestKm()
	for km, want := range map[float64]string{far: "", far + 1: "run 3 at epsilon 0.4 was detected at"} {
		p := c.NewPrecision(1.5)
		var records []study.Run
		for b := range p.Pending() {
			for run := b.First; run < b.End; run++ {
				for range b.Epsilons {
					records = append(records, study.Run{Run: run, Epsilon: 0.4, DetectionKm: 50})
				}
			}
			break
		}
		records[6].DetectionKm = km // of run 3, the first of its two epsilons
		if err := p.Add(0, records[1:]); err == nil {
			t.Error("a batch that lacks a record is added")
		}
		if err := p.Add(0, records); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%g km: %v", km, err)
		}
	}
}

// Batches cover the slots from the first to the one before the end, in order, and none is of two points.
func TestBatchesCoverAllRuns(t *testing.T) {
	one := until(t).Points[0]
	one.Runs = 300
	s := study.Sweep{Points: []study.Study{one, one, one}}
	next := 0
	for b := range s.Batches() {
		if at := 300*b.Point + b.First; at != next || b.End <= b.First || b.End > 300 {
			t.Fatalf("runs %d to %d of point %d come where slot %d is due", b.First, b.End, b.Point, next)
		}
		next = 300*b.Point + b.End
	}
	if next != 900 {
		t.Errorf("the batches end at %d", next)
	}
	usual := slices.Collect(s.Batches())[0].End
	for most, want := range map[int]int{200: usual, 7: 7} { // a limit makes batches smaller, never larger
		if s.RunsAtOnce = most; slices.Collect(s.Batches())[0].End != want {
			t.Errorf("with at most %d runs at once a batch does not have %d", most, want)
		}
	}
}

// The flights, and where they stop, depend neither on the workers nor on when the sweep was broken off.
func TestPrecisionIsTheSameResumed(t *testing.T) {
	fly := func(workers, stopAfter int, before []study.Run) []study.Run {
		c := until(t)
		c.Workers = workers
		p := c.NewPrecision(3)
		records := slices.Clone(before)
		for rest := before; len(rest) > 0; {
			for b := range p.Pending() {
				if err := p.Add(b.Point, rest[:b.Flights()]); err != nil {
					t.Fatal(err)
				}
				rest = rest[b.Flights():]
				break
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		err := c.Fulfil(ctx, p, func(_ study.Batch, seen [][]study.Run) error {
			if records = append(records, seen[0]...); stopAfter > 0 && len(records) >= stopAfter {
				cancel()
			}
			return nil
		})
		if err != nil && stopAfter == 0 {
			t.Fatal(err)
		}
		return records
	}
	whole := fly(1, 0, nil)
	cut := fly(3, len(whole)/2, nil)
	if len(cut) == len(whole) {
		t.Fatal("the sweep was not cut")
	}
	if resumed := fly(2, 0, cut); !slices.Equal(whole, resumed) {
		t.Errorf("resumed after %d of %d flights it came to %d others", len(cut), len(whole), len(resumed))
	}
}

// On a range the mean is known to the half-width at every epsilon, though the listed one is known much sooner.
func TestPrecisionBoundsTheWholeRange(t *testing.T) {
	const target = 3.0
	s := axisStudy(t, 100_000)
	s.Epsilons, s.Axis = []float64{4}, study.Range{Low: 0.5, High: 4}
	sweep := &study.Sweep{Points: []study.Study{s}}
	p := sweep.NewPrecision(target)
	var records []study.Run
	err := sweep.Fulfil(context.Background(), p, func(_ study.Batch, seen [][]study.Run) error {
		records = append(records, seen[0]...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.Unmet() != 0 || p.Means() != 65 {
		t.Errorf("%d of %d cells unmet, want 0 of 65", p.Unmet(), p.Means())
	}
	runs := records[len(records)-1].Run + 1
	for _, epsilon := range []float64{0.5, 0.5123, 0.6, 0.777, 1.1, 2.9, 3.999, 4} {
		at := study.Study{Axis: s.Axis, Epsilons: []float64{epsilon}}
		q := study.NewSequence(s.Experiment.FarthestKm(), target, study.Confidence)
		known := 0
		for _, r := range at.Listed(records, nil) {
			q.Add(r.DetectionKm)
			if known == 0 && q.HalfWidth() <= target {
				known = q.Values()
			}
		}
		// Between the epsilons that are looked at the means vary a little otherwise.
		if q.Values() != runs || q.HalfWidth() > 1.02*target || epsilon == 4 && known > runs*9/10 {
			t.Errorf("epsilon %g: half-width %.3f km after %d of %d runs, known after %d", epsilon, q.HalfWidth(), q.Values(),
				runs, known)
		}
	}
}

// A precision flies the plan without noise in the first round, and knows its mean then.
func TestPrecisionFliesThePlanWithoutNoiseOnce(t *testing.T) {
	s := baselineStudy(t, func(c *configs.Config) { c.Study.Runs = 1000 })
	sweep := study.Sweep{Points: []study.Study{s}}
	p := sweep.NewPrecision(1)
	for _, want := range [][]int{{0, 1, 2}, {0, 2}} {
		for _, b := range slices.Collect(p.Pending()) {
			var records []study.Run
			for run := b.First; run < b.End; run++ {
				for _, k := range b.Epsilons {
					records = append(records, study.Run{Run: run, Epsilon: s.Epsilons[k], DetectionKm: 20 + 40*float64(run%2)})
				}
			}
			if err := p.Add(b.Point, records); err != nil || !slices.Equal(b.Epsilons, want) {
				t.Fatalf("runs %d to %d at epsilons %v, want %v; %v", b.First, b.End-1, b.Epsilons, want, err)
			}
		}
	}
}
