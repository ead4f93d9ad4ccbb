package study_test

import (
	"context"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// until is a small sweep with two epsilons of very different variance.
func until(t *testing.T) *study.Sweep {
	t.Helper()
	c := configs.Default()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	s.Epsilons, s.Runs = []float64{0.4, 20}, 100_000
	return &study.Sweep{Points: []study.Study{s}}
}

func TestPrecisionFliesWhereTheVarianceIs(t *testing.T) {
	c := until(t)
	p := c.NewPrecision(1.5)
	flown := map[float64]int{}
	err := c.Fulfil(context.Background(), p, func(_ study.Batch, records []study.Run) error {
		for _, r := range records {
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
		if low, high := p.Interval(0, k); (high-low)/2 > 1.5 {
			t.Errorf("cell %d: interval %g .. %g is wider than asked for", k, low, high)
		}
	}
	if flown[0.4] < flown[20]*3/2 {
		t.Errorf("%d flights at epsilon 0.4, %d at 20: want many more at 0.4, which varies more", flown[0.4], flown[20])
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
		err := c.Fulfil(ctx, p, func(_ study.Batch, r []study.Run) error {
			if records = append(records, r...); stopAfter > 0 && len(records) >= stopAfter {
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
