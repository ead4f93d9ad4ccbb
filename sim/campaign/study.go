package campaign

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Study is the question of a study.
type Study struct {
	Points []*configs.Loaded // settings of every point for each of its observers; a single one without a sweep
	// Attributed is whether the answer as people read it says what moves recognition.
	Attributed bool

	program      *Program
	swept        record.Sweep
	untilKm      float64 // 0 for a fixed number of runs
	trajectories int     // runs of every listed epsilon that are stored step by step
	part         Part    // of the study; the zero value is the whole
	parts        int     // number of parts that the study is divided into; 0 for undivided
	manifest     record.Manifest

	sweep     *study.Sweep
	schedule  study.Schedule
	precision *study.Precision // the schedule of a study with untilKm, otherwise nil
	seen      []study.Study    // one for each observer of each point
	tallies   []*study.Tally
	listed    []study.Run // buffer for study.Listed
	pieces    int         // number of pieces of a range of epsilon
	curve     *study.MeanCurve
	flown     []study.Batch // counted ones, in order
	flights   int           // counted flights at listed epsilons, over all observers
	computed  atomic.Int64  // flights, of all counted ones, that were not kept before
	finished  *Result       // of the flights, or of those in a folder; nil before

	// of the finished study that is read or extended; empty for none
	folder   string
	recorded record.Manifest
}

// Fly flies a study and writes it to a folder, or goes on with the same study there. If that is finished, its result
// is read. A finished study with fewer runs is extended. After an interruption ([StoppedError]) and with an
// [UnmetError] there is also a result, of the flights so far.
func (p *Program) Fly(ctx context.Context, r Request, folder string) (*Result, error) {
	s, err := p.Study(ctx, r)
	if err != nil {
		return nil, err
	}
	if err = p.Do(ctx, s, folder); err == nil && s.finished != nil {
		err = s.unmet()
	}
	return s.finished, err
}

// Question implements Asker.
func (s *Study) Question() Question {
	return Question{Verb: "study", Settings: s.Points[0], Part: s.part,
		Describe: func(m *record.Manifest) {
			own := s.manifest
			m.Commands, m.Programs = own.Commands, own.Programs
			m.Sweep, m.UntilKm, m.Trajectories = own.Sweep, own.UntilKm, own.Trajectories
		},
		Extend: func(folder string, m record.Manifest) { s.folder, s.recorded = folder, m },
		Solve:  s.solve,
		Again: func(ctx context.Context, folder string) (*answer.Answer, error) {
			if err := s.readFinished(ctx, folder); err != nil {
				return nil, err
			}
			return s.answer(), nil
		}}
}

// Study resolves a request and builds the experiments. It flies and writes nothing.
func (p *Program) Study(ctx context.Context, r Request) (*Study, error) {
	s, err := p.resolve(r)
	if err != nil {
		return nil, err
	}
	if err := s.build(ctx); err != nil {
		return nil, err
	}
	p.RemarkCommands()
	return s, nil
}

// build builds the experiments.
func (s *Study) build(ctx context.Context) error {
	if err := s.describe(); err != nil {
		return err
	}
	var err error
	if s.sweep, err = s.experiments(ctx); err != nil {
		return err
	}
	s.seen = seenOf(s.sweep)
	for i := range s.seen {
		tally, err := s.seen[i].NewTally()
		if err != nil {
			return err
		}
		s.tallies = append(s.tallies, tally)
	}
	if s.axis().Whole() && len(s.seen) == 1 {
		s.curve = s.sweep.Points[0].NewMeanCurve()
	}
	if s.untilKm > 0 {
		if err := s.checkUntil(); err != nil {
			return err
		}
	}
	s.schedule = s.scheduleOf(s.sweep)
	s.precision, _ = s.schedule.(*study.Precision)
	return nil
}

// scheduleOf returns the schedule of the flights.
func (s *Study) scheduleOf(sweep *study.Sweep) study.Schedule {
	if s.untilKm > 0 {
		return sweep.NewPrecision(s.untilKm)
	}
	return sweep.NewFixed()
}

// checkUntil returns an error for a half-width that needs no flight, or that no number of flights can reach.
func (s *Study) checkUntil() error {
	first := &s.sweep.Points[0]
	farthest := first.Experiment.FarthestKm()
	if known := farthest / 2; s.untilKm >= known {
		return RequestErrorf(
			"{until} %gkm: want a half-width below %.3g km, half of the farthest possible detection distance",
			s.untilKm, known)
	}
	runs := max(first.Runs, mostRuns)
	if least := study.LeastHalfWidth(farthest, study.Confidence, runs); s.untilKm < least {
		return RequestErrorf("{until} %gkm: %s are too few for this, even if all distances are equal; want a half-width "+
			"of at least %.2g km", s.untilKm, table.Count(runs, "run"), table.Digits(least, 2, math.Ceil))
	}
	return nil
}

// answer returns the result as an answer.
func (s *Study) answer() *answer.Answer {
	a := s.finished.Answer()
	if s.Attributed {
		a.More = slices.Insert(a.More, 0, s.finished.attributionSection())
	}
	return a
}

// solve flies the rest of the study. Every batch of flights is a piece of the work.
func (s *Study) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	s.sweep.Through = s.through(kept)
	if err := s.importRuns(ctx, kept); err != nil {
		return nil, err
	}
	if s.part != (Part{}) {
		return nil, cmp.Or(s.flyPart(ctx), pieces.ErrPart)
	}
	if err := s.fly(ctx); err != nil {
		if !errors.Is(err, context.Canceled) || s.flights == 0 {
			return nil, err
		}
		s.finished = s.result(false)
		a := s.answer()
		a.Words = slices.Insert(a.Words, 0, fmt.Sprintf("Unfinished: these are %d of %d flights.", s.flights,
			s.schedule.Flights()))
		return a, err
	}
	s.finished = s.result(true)
	a := s.answer()
	a.Stream = func(write func(string, func(io.Writer) error) error) (err error) {
		if a.Figures, err = s.finished.figures(); err == nil {
			err = s.write(ctx, write, a)
		}
		return err
	}
	return a, nil
}

// through returns the function that keeps the flights of batches.
func (s *Study) through(work *pieces.Work) func(context.Context, study.Batch, [][]study.Run,
	study.Flying) ([][]study.Run, error) {
	return func(ctx context.Context, b study.Batch, storage [][]study.Run, fly study.Flying) ([][]study.Run, error) {
		kept, err := pieces.Do(ctx, work, s.key(b), study.Records{Point: b.Point, Seen: storage},
			func(ctx context.Context, r study.Records) (study.Records, error) {
				seen, err := fly(ctx, b, r.Seen)
				s.computed.Add(int64(b.Flights() * len(seen)))
				return study.Records{Point: b.Point, Seen: seen}, err
			})
		return kept.Seen, err
	}
}

// key returns the key of a batch: its point and runs and, unless it has all of them, its epsilons.
func (s *Study) key(b study.Batch) string {
	key := fmt.Sprintf("%d-%d-%d", b.Point, b.First, b.End)
	if len(b.Epsilons) < len(s.sweep.Points[0].Epsilons) {
		key += fmt.Sprintf("-%x", sha256.Sum256(fmt.Append(nil, b.Epsilons)))[:21]
	}
	return key
}

// importRuns keeps the flights of the finished study that this one extends. Those of a batch that this study cuts
// elsewhere are flown again.
func (s *Study) importRuns(ctx context.Context, work *pieces.Work) error {
	if s.recorded.Verb == "" {
		return nil
	}
	before, err := s.program.unsolved(s.folder, s.recorded)
	if err != nil {
		return err
	}
	return before.readRecorded(ctx, func(b study.Batch, seen [][]study.Run) error {
		_, err := pieces.Put(work, s.key(b), study.Records{Point: b.Point, Seen: seen})
		return err
	})
}

// fly flies the schedule and counts the flights.
func (s *Study) fly(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	s.program.Progress(Flights, 0, s.schedule.Flights())
	return s.sweep.Fulfil(ctx, s.schedule, func(b study.Batch, seen [][]study.Run) error {
		s.add(b.Point, seen)
		s.flown = append(s.flown, b)
		s.program.Progress(Flights, s.flights, s.schedule.Flights())
		return nil
	})
}

// flyPart flies every n-th batch of the study.
func (s *Study) flyPart(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	number, of := 0, s.part.Of
	var own []study.Batch
	for b := range s.sweep.Batches() {
		if number++; (number-1)%of == s.part.Index-1 {
			own = append(own, b)
		}
	}
	return s.sweep.Fly(ctx, slices.Values(own), func(b study.Batch, seen [][]study.Run) error {
		s.flights += b.Flights() * len(seen)
		s.program.Progress(Flights, s.flights, s.schedule.Flights())
		return nil
	})
}

// prepare computes the knowledge of observers for every epsilon. It takes long for observers that sample private
// policies.
func (s *Study) prepare(ctx context.Context) error {
	total := 0
	for i := range s.sweep.Points {
		total += s.sweep.Points[i].Experiment.Preparation(s.sweep.Points[i].Epsilons)
	}
	count := s.program.Counter(Plans, total)
	for i := range s.sweep.Points {
		if err := s.sweep.Points[i].Experiment.Prepare(ctx, s.sweep.Points[i].Epsilons, count); err != nil {
			return err
		}
	}
	return nil
}

// add counts records.
func (s *Study) add(point int, seen [][]study.Run) {
	for k, records := range seen {
		if s.axis().Whole() {
			s.pieces += len(records)
		}
		s.listed = s.sweep.Points[point].Listed(records, s.listed[:0])
		s.tallies[point*len(seen)+k].Add(s.listed)
		s.flights += len(s.listed)
	}
	if s.curve != nil {
		s.curve.Add(seen[0])
	}
}

// axis returns the range of epsilon of all points, if there is one.
func (s *Study) axis() study.Range { return s.sweep.Points[0].Axis }

// unmet returns an UnmetError if a mean has a larger half-width than requested.
func (s *Study) unmet() error {
	if s.precision == nil || s.precision.Unmet() == 0 {
		return nil
	}
	return &UnmetError{UntilKm: s.untilKm, Runs: s.sweep.Points[0].Runs, Unmet: s.precision.Unmet(),
		Means: s.precision.Means(), Points: len(s.seen)}
}
