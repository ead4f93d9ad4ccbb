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

// Slots is the schedule that flies a range of slots once.
type Slots struct {
	sweep     *Sweep
	next, end int
	first     int
}

// NewSlots returns a schedule for the slots [first, end).
func (s *Sweep) NewSlots(first, end int) *Slots {
	return &Slots{sweep: s, first: first, next: first, end: end}
}

// Pending returns the remaining slots.
func (s *Slots) Pending() iter.Seq[Batch] { return s.sweep.Batches(s.next, s.end) }

// Add counts the flown slots.
func (s *Slots) Add(point int, seen ...[]Run) error {
	runs, slots, ok := s.sweep.Points[0].Runs, 0, len(seen) == s.sweep.observers()
	for _, records := range seen {
		n, whole := s.count(point, records)
		ok = ok && whole && (slots == 0 || n == slots)
		slots = n
	}
	if !ok || s.next+slots > s.end || s.next/runs != point || s.next%runs+slots > runs {
		return fmt.Errorf("study: records of %d slots of point %d do not continue at slot %d of %d", slots, point,
			s.next,
			s.end)
	}
	s.next += slots
	return nil
}

// count returns the number of slots in records; ok is false unless they are whole slots.
func (s *Slots) count(point int, records []Run) (slots int, ok bool) {
	if point >= 0 && point < len(s.sweep.Points) && s.sweep.Points[point].Axis.Whole() {
		return s.sweep.Points[point].Axis.countRuns(records, s.next%s.sweep.Points[0].Runs)
	}
	slots = len(records) / s.epsilons()
	return slots, slots*s.epsilons() == len(records)
}

// Flights returns the number of flights in the range.
func (s *Slots) Flights() int { return (s.end - s.first) * s.epsilons() * s.sweep.observers() }

func (s *Slots) epsilons() int { return len(s.sweep.Points[0].Epsilons) }

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
