package study

import (
	"context"
	"fmt"
	"iter"
)

// Schedule decides which flights a sweep makes. What is pending depends on the records added so far
// and on nothing else, so a sweep that is given the records of an earlier session carries on as if it
// had never stopped.
type Schedule interface {
	// Pending returns the batches to fly next, none when the sweep is done.
	Pending() iter.Seq[Batch]
	// Add takes the records of the next pending batch. The error says why they are none.
	Add(point int, records []Run) error
	// Flights returns, or estimates, how many flights it takes in all, those added included.
	Flights() int
}

// Slots is the schedule that flies a range of slots once.
type Slots struct {
	sweep     *Sweep
	next, end int
	first     int
}

// NewSlots returns a schedule of the slots [first, end).
func (s *Sweep) NewSlots(first, end int) *Slots {
	return &Slots{sweep: s, first: first, next: first, end: end}
}

// Pending returns the slots left.
func (s *Slots) Pending() iter.Seq[Batch] { return s.sweep.Batches(s.next, s.end) }

// Add counts the slots flown.
func (s *Slots) Add(point int, records []Run) error {
	slots := len(records) / s.epsilons()
	if runs := s.sweep.Points[0].Runs; slots*s.epsilons() != len(records) || s.next+slots > s.end || s.next/runs != point {
		return fmt.Errorf("study: %d records of point %d do not go on from slot %d of %d", len(records), point, s.next, s.end)
	}
	s.next += slots
	return nil
}

// Flights returns how many flights the range has.
func (s *Slots) Flights() int { return (s.end - s.first) * s.epsilons() }

func (s *Slots) epsilons() int { return len(s.sweep.Points[0].Epsilons) }

// Fulfil flies what a schedule asks for until it asks for nothing more. Each batch is emitted as by Fly
// and then added to the schedule.
func (s *Sweep) Fulfil(ctx context.Context, schedule Schedule, emit func(Batch, []Run) error) error {
	for !done(schedule) {
		err := s.Fly(ctx, schedule.Pending(), func(b Batch, records []Run) error {
			if err := emit(b, records); err != nil {
				return err
			}
			return schedule.Add(b.Point, records)
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
