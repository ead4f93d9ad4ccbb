package study

import (
	"context"
	"fmt"
	"iter"
)

// Schedule decides which flights a sweep makes. The pending batches depend only on the records added so far, so
// a sweep that receives the records of an earlier session continues as if it had never stopped.
type Schedule interface {
	// Pending returns the batches to fly next, none if the sweep is done.
	Pending() iter.Seq[Batch]
	// Add adds the records of the next pending batch, as seen by all observers. It returns an error for other
	// records.
	Add(point int, seen ...[]Run) error
	// Flights returns, or estimates, the total number of flights, including those added.
	Flights() int
}

// Fixed is the schedule that flies every run of every point once.
type Fixed struct {
	sweep      *Sweep
	point, run int // where the next batch begins
}

// NewFixed returns the schedule of all runs.
func (s *Sweep) NewFixed() *Fixed { return &Fixed{sweep: s} }

// Pending returns the remaining batches.
func (f *Fixed) Pending() iter.Seq[Batch] { return f.sweep.batchesFrom(f.point, f.run) }

// Add moves on by a batch.
func (f *Fixed) Add(point int, seen ...[]Run) error {
	for b := range f.Pending() {
		ok := b.Point == point && len(seen) == f.sweep.observers()
		for _, records := range seen {
			ok = ok && f.sweep.Points[point].HoldsRuns(records, b)
		}
		if !ok {
			break
		}
		if f.run = b.End; f.run == f.sweep.Points[point].Runs {
			f.point, f.run = point+1, 0
		}
		return nil
	}
	return fmt.Errorf("study: records of point %d are not those of its batch from run %d", point, f.run)
}

// Flights returns the number of flights.
func (f *Fixed) Flights() int {
	first := &f.sweep.Points[0]
	return len(f.sweep.Points) * first.Runs * len(first.Epsilons) * f.sweep.observers()
}

// Fulfil flies the batches of a schedule until none is pending. It emits each batch as Fly does and then adds
// it to the schedule.
func (s *Sweep) Fulfil(ctx context.Context, schedule Schedule, emit func(b Batch, seen [][]Run) error) error {
	for !done(schedule) {
		err := s.Fly(ctx, schedule.Pending(), func(b Batch, seen [][]Run) error {
			if err := emit(b, seen); err != nil {
				return err
			}
			return schedule.Add(b.Point, seen...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func done(s Schedule) bool {
	for range s.Pending() {
		return false
	}
	return true
}
