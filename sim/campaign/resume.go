package campaign

import (
	"context"
	"errors"
	"slices"

	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// resume takes the flights in the journal. Those in the table of a study that is extended it passes to keep. Then it
// writes the plan to the folder.
func (s *Session) resume(ctx context.Context, folder *record.Folder, keeper pool.Keeper, keep use) error {
	next := &taken{session: s}
	for kept := true; kept; {
		var err error
		if kept, err = keeper.Kept(next); errors.Is(err, errOtherRound) {
			err = s.leaveRound()
		}
		if err != nil {
			return err
		}
	}
	if s.extends() {
		if err := s.reuse(ctx, keep); err != nil {
			return err
		}
	}
	if err := folder.Plan(s.manifest); err != nil {
		return err
	}
	if s.resumed, s.begun = s.flights, true; s.resumed > 0 {
		s.program.remarkPrograms(s.plan.folder, s.plan.recorded, s.manifest)
		s.program.Remarkf("resuming after %d of %s", s.resumed, table.Count(s.schedule.Flights(), "flight"))
	}
	return nil
}

// taken is a batch of the journal. Decoding it counts its flights, or fails if it is not the next batch.
type taken struct {
	study.Records
	session *Session
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (t *taken) UnmarshalBinary(b []byte) error {
	if err := t.Records.UnmarshalBinary(b); err != nil {
		return err
	}
	return t.session.take(t.Point, t.Seen)
}

// errOtherRound is the error for a batch of a round that was cut off at another number of runs.
var errOtherRound = errors.New("it is not the next batch of the study")

// take counts recorded flights if they are the next batch. Otherwise the error is errOtherRound.
func (s *Session) take(point int, seen [][]study.Run) error {
	if !s.fits(point, seen) {
		return errOtherRound
	}
	if err := s.schedule.Add(point, seen...); err != nil {
		return err
	}
	s.add(point, seen)
	return nil
}

// leaveRound remarks that the rest of the journal is flown again, or returns an error if that would lose flights.
func (s *Session) leaveRound() error {
	if most, begun := s.plan.Points[0].Study.Runs, s.plan.recordedRuns; most < begun {
		return RequestErrorf("%s %d would discard finished flights; use at least %d, as when the study began", RunsKey,
			most, begun)
	}
	s.program.Remarkf("the last round was cut off at another number of runs; its flights are flown again")
	return nil
}

// fits reports whether records are the next batch, or, for a fixed number of runs, begin at the next batch. They
// need not be after a change of the number of runs: at the end of a round, or at later points.
func (s *Session) fits(point int, seen [][]study.Run) bool {
	b, more := pending(s.schedule)
	if !more || b.Point != point || len(seen) != s.plan.Sweep.Watching() {
		return false
	}
	return !slices.ContainsFunc(seen, func(records []study.Run) bool {
		if s.precision == nil {
			return len(records) == 0 || b.First != records[0].Run
		}
		return !s.sweep.Points[point].HoldsRuns(records, b)
	})
}

// reuse passes the flights of the study that is extended to keep, as long as the batches are the same.
func (s *Session) reuse(ctx context.Context, keep use) error {
	fits := true
	return s.program.readRows(ctx, s.plan.folder, s.plan.recorded, func(*Plan, *study.Sweep) {},
		func(point int, seen [][]study.Run) error {
			if !fits {
				return nil
			}
			err := s.take(point, seen)
			if errors.Is(err, errOtherRound) {
				fits = false
				return nil
			}
			if err != nil {
				return err
			}
			return keep(point, seen)
		})
}
