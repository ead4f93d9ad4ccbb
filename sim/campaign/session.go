package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// runs is how runs are stored in the journal.
var runs = record.Codec[study.Run]{Length: study.RunLength(), Append: study.AppendRun, Decode: study.DecodeRun}

// Session is the work of one process on a planned study, from its first flight or from where another session
// left off.
type Session struct {
	program   *Program
	plan      *Plan
	sweep     *study.Sweep
	schedule  study.Schedule
	precision *study.Precision // the schedule where a precision ends the study, otherwise nil
	seen      []study.Study    // by every observer of every point
	tallies   []*study.Tally
	listed    []study.Run // of the last records, see study.Listed
	pieces    int         // of a range of epsilon
	curve     *study.MeanCurve
	flown     map[int]widest // where different flights are flown, by their names; nil where their curves are not asked for
	manifest  record.Manifest
	started   time.Time
	resumed   int // flights of earlier sessions

	ended      *Session // that ended the same study after other runs, nil without
	otherRound bool     // the journal went on with a round cut off after other runs
}

// Fly flies what a request asks for and writes the study to a folder, or goes on with the one there: see
// [Program.Resume] for what is requested then. Where that is finished, only files that are missing or changed are made
// again. The result and the error are those of [Session.Fly].
func (p *Program) Fly(ctx context.Context, r Request, folder string) (*Result, error) {
	plan, err := p.Resume(folder, r)
	if err != nil {
		return nil, err
	}
	s, err := p.NewSession(ctx, plan)
	if err != nil {
		return nil, err
	}
	if s.Finished() {
		return s.Mend(ctx)
	}
	opened, err := record.ReopenFolder(p.disk(), folder, "study")
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return s.Fly(ctx, opened)
}

// NewSession builds the experiments of a plan. Nothing is flown or written yet.
func (p *Program) NewSession(ctx context.Context, plan *Plan) (*Session, error) {
	s, err := p.newSession(ctx, plan)
	if err != nil {
		return nil, err
	}
	p.remarkCommands()
	if plans, flights := s.sweep.Common(); flights {
		p.remark("the %d points share plans and flights, which are made once", len(s.seen))
	} else if plans {
		p.remark("the %d points share plans, which are made once", len(s.seen))
	}
	if first := &s.sweep.Points[0]; s.axis().Whole() && first.Experiment.Resolution() > 0 {
		p.remark("moves are uncertain (planner.slip %g): pieces of epsilon end where neighbouring plans fly differently, "+
			"to %g %% of epsilon", plan.Points[0].Planner.Slip, 100*first.Experiment.Resolution())
	}
	if m := plan.recorded; m.Complete && !s.Finished() { // after other runs, the most that were allowed
		ended, err := p.recordedPlan(plan.folder, m, plan.workers())
		if err != nil {
			return nil, err
		}
		ended.folder, ended.recorded = plan.folder, m
		if s.ended, err = p.newSession(ctx, ended); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (p *Program) newSession(ctx context.Context, plan *Plan) (*Session, error) {
	s := &Session{program: p, plan: plan, started: p.now()}
	var err error
	if s.manifest, err = p.planned(plan); err != nil {
		return nil, err
	}
	if plan.recorded.Verb != "" {
		if err := sameCommands(plan.folder, plan.recorded, s.manifest); err != nil {
			return nil, err
		}
	}
	if s.sweep, err = p.experiments(ctx, plan); err != nil {
		return nil, err
	}
	s.seen = seen(s.sweep)
	for i := range s.seen {
		tally, err := s.seen[i].NewTally()
		if err != nil {
			return nil, err
		}
		s.tallies = append(s.tallies, tally)
	}
	if s.axis().Whole() && len(s.seen) == 1 {
		s.curve = s.sweep.Points[0].NewMeanCurve()
	}
	if plan.Curves {
		s.flown = map[int]widest{}
	}
	return s, s.initSchedule()
}

// initSchedule begins the schedule.
func (s *Session) initSchedule() error {
	if untilKm := s.plan.UntilKm; untilKm > 0 {
		if err := s.checkUntil(untilKm); err != nil {
			return err
		}
	}
	var err error
	s.schedule, err = s.plan.schedule(s.sweep)
	s.precision, _ = s.schedule.(*study.Precision)
	return err
}

// schedule returns the schedule of the plan's flights.
func (plan *Plan) schedule(sweep *study.Sweep) (study.Schedule, error) {
	first, end := 0, sweep.Slots()
	if shard := plan.Shard; shard != nil {
		if err := checkSlots(shard, end); err != nil {
			return nil, err
		}
		first, end = shard.First, shard.End
	}
	if plan.UntilKm > 0 {
		return sweep.NewPrecision(plan.UntilKm), nil
	}
	return sweep.NewSlots(first, end), nil
}

// checkUntil refuses a half-width that asks for no flight, and one that no flights can reach.
func (s *Session) checkUntil(untilKm float64) error {
	first := &s.sweep.Points[0]
	farthest := first.Experiment.FarthestKm()
	if known := farthest / 2; untilKm >= known {
		return mistake("{until} %gkm: every mean is known so well without a flight; want a half-width below %.3g km", untilKm,
			known)
	}
	runs := max(first.Runs, mostRuns)
	if least := study.LeastHalfWidth(farthest, study.Confidence, runs); untilKm < least {
		return mistake("{until} %gkm: no %s can determine a mean that well, even if all were equal; want a half-width "+
			"of at least %.2g km", untilKm, count(runs, "run"), roundedUp(least))
	}
	return nil
}

// roundedUp rounds up to two digits, so that what is advised is accepted.
func roundedUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// checkSlots refuses a shard of a study that has other slots.
func checkSlots(shard *record.Shard, slots int) error {
	if shard.Slots != slots {
		return fmt.Errorf("shard %s is of a study of %s, and the settings beside it make %d, so the manifest was edited by "+
			"hand or damaged; restore it, or fly the shard again", shard, count(shard.Slots, "slot"), slots)
	}
	return nil
}

// Finished reports whether the folder that the plan resumes holds the whole study already: there is nothing to
// fly, see [Session.Mend].
func (s *Session) Finished() bool {
	m := s.plan.recorded
	return m.Complete && m.ConfigSHA256 == s.manifest.ConfigSHA256
}

// Fly flies what is left of the study and writes its files to the folder, or only counts the flights when that
// is nil. However it ends, the journal in the folder keeps every flight until the files hold them all. With a
// [StoppedError] of an interruption, and with an [UnmetError], the result is that of the flights there are; with
// any other error it is nil.
func (s *Session) Fly(ctx context.Context, folder *record.Folder) (*Result, error) {
	if folder == nil {
		return s.flyInMemory(ctx)
	}
	folder.Page = s.program.Page || s.plan.recorded.Files[PageName] != ""
	journal, err := s.openJournal(ctx, folder)
	if err != nil {
		return nil, err
	}
	result, err := s.complete(ctx, folder, journal)
	if err != nil {
		if closing := journal.Close(); closing != nil {
			err = fmt.Errorf("%w; %w", err, closing)
		}
		return result, err
	}
	if err := journal.Remove(); err != nil {
		return nil, err
	}
	return result, s.unmet(folder.Path())
}

// complete flies and writes the files. Its error says what is kept.
func (s *Session) complete(ctx context.Context, folder *record.Folder,
	journal *record.Journal[study.Run]) (*Result, error) {
	s.resumed = s.flights()
	stop := &StoppedError{Folder: folder.Path()}
	stop.Err = s.fly(ctx, func(point int, seen [][]study.Run) error { return journal.Append(point, seen...) })
	stop.Kept, stop.Of = s.flights(), s.schedule.Flights()
	if stop.Err != nil && (!stop.Interrupted() || stop.Kept == 0) {
		return nil, stop
	}
	if stop.Err != nil && s.another(folder) {
		s.program.remark("what %s held stays until the study is done", folder.Path())
		return s.result(false), stop
	}
	for i := range s.sweep.Points {
		s.sweep.Points[i].Experiment.Forget() // the tables take memory of their own
	}
	err := s.writeRuns(folder, journal)
	result := s.result(stop.Err == nil)
	if err == nil && result.Complete {
		err = s.writeTrajectories(ctx, folder)
	}
	if err == nil && result.Complete {
		err = s.writeCurves(ctx, folder)
	}
	if err == nil {
		err = result.write(folder)
	}
	if err != nil {
		stop.Err = err
		return nil, stop
	}
	if stop.Err != nil {
		return result, stop
	}
	return result, nil
}

// another reports whether the folder holds a finished answer, or one to another question.
func (s *Session) another(folder *record.Folder) bool {
	m, err := record.ReadManifest(s.program.disk(), folder.Path())
	return err == nil && (m.Complete || m.Identity() != s.manifest.Identity())
}

// flyInMemory flies the study and keeps no flight but in its result.
func (s *Session) flyInMemory(ctx context.Context) (*Result, error) {
	err := s.fly(ctx, func(int, [][]study.Run) error { return nil })
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	result := s.result(err == nil)
	if err != nil {
		return result, &StoppedError{Kept: result.Flights(), Of: s.schedule.Flights(), Err: err}
	}
	return result, s.unmet("")
}

// fly flies what the schedule asks for, has it kept and counts it.
func (s *Session) fly(ctx context.Context, keep func(point int, seen [][]study.Run) error) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	done := s.resumed
	s.program.progress(Flights, done, s.schedule.Flights())
	return s.sweep.Fulfil(ctx, s.schedule, func(b study.Batch, seen [][]study.Run) error {
		if err := keep(b.Point, seen); err != nil {
			return err
		}
		done += s.add(b.Point, seen)
		s.program.progress(Flights, done, s.schedule.Flights())
		return nil
	})
}

// prepare makes what observers know of flights of the epsilons, which takes long for those who know how private
// policies come out.
func (s *Session) prepare(ctx context.Context) error {
	done, total := 0, 0
	for i := range s.sweep.Points {
		total += s.sweep.Points[i].Experiment.Preparation(s.sweep.Points[i].Epsilons)
	}
	for i := range s.sweep.Points {
		err := s.sweep.Points[i].Experiment.Prepare(ctx, s.sweep.Points[i].Epsilons, func(n int) {
			done += n
			s.program.progress(Plans, done, max(done, total))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add counts records that are kept, and returns how many flights at listed epsilons they are, for each observer once.
func (s *Session) add(point int, seen [][]study.Run) (flights int) {
	for k, records := range seen {
		if s.axis().Whole() {
			s.pieces += len(records)
		}
		s.listed = s.sweep.Points[point].Listed(records, s.listed[:0])
		s.tallies[point*len(seen)+k].Add(s.listed)
		flights += len(s.listed)
	}
	if s.curve != nil {
		s.curve.Add(seen[0])
	}
	s.notice(seen[0])
	return flights
}

// axis returns the range of epsilon of every point, if there is one.
func (s *Session) axis() study.Range { return s.sweep.Points[0].Axis }

// flights returns how many flights at listed epsilons were counted.
func (s *Session) flights() int {
	flights := 0
	for _, t := range s.tallies {
		flights += t.Flights()
	}
	return flights
}

// unmet returns the error for means that are not known to the precision asked for.
func (s *Session) unmet(folder string) error {
	if s.precision == nil || s.precision.Unmet() == 0 {
		return nil
	}
	first, points := &s.sweep.Points[0], len(s.seen)
	return &UnmetError{Folder: folder, UntilKm: s.plan.UntilKm, Runs: first.Runs,
		Unmet: s.precision.Unmet(), Means: s.precision.Means(), Points: points}
}

// openJournal takes over the flights that the folder holds, and makes sure that it says what is flown in it.
func (s *Session) openJournal(ctx context.Context, folder *record.Folder) (*record.Journal[study.Run], error) {
	if err := s.unchanged(folder); err != nil {
		return nil, err
	}
	if s.ended != nil { // its runs are in its table; a journal is what its process had no time to remove
		if err := folder.RemoveJournal(); err != nil {
			return nil, err
		}
	}
	journal, torn, err := record.OpenJournal(folder, runs, s.manifest.Identity(), s.program.now, s.take)
	if errors.Is(err, record.ErrOtherStudy) {
		return nil, mistake("%w; repeat the flags it was begun with, or name another {out}", err)
	}
	if err != nil {
		return nil, err
	}
	if s.ended != nil {
		err = s.reuse(ctx, journal)
	}
	if err == nil {
		err = folder.Plan(s.manifest)
	}
	if err != nil {
		if journal.Records() > 0 {
			journal.Close()
		} else {
			journal.Remove() // which would stand in the way of the folder's own study
		}
		return nil, err
	}
	switch {
	case torn > 0 && s.otherRound:
		s.program.remark("the last round was cut off after other runs; its flights are flown again")
	case torn > 0:
		s.program.remark("the journal was torn, the last %s of it; its last flights are flown again",
			count(int(torn), "byte"))
	}
	if n := s.flights(); n > 0 {
		s.program.remark("resuming after %d of %s", n, count(s.schedule.Flights(), "flight"))
	}
	return journal, nil
}

// unchanged refuses a folder in which another process has worked since the plan was made.
func (s *Session) unchanged(folder *record.Folder) error {
	was, begun := s.plan.recorded, s.manifest
	if s.ended != nil {
		begun = was
	}
	now, err := folder.Manifest()
	switch {
	case errors.Is(err, record.ErrNoManifest):
		now = record.Manifest{}
	case err != nil:
		return err
	case now.Identity() != begun.Identity():
		return mistake("another process has begun another study in %s: %s; name another {out}", folder.Path(),
			differences(now, s.manifest))
	}
	if now.Complete != was.Complete || !maps.Equal(now.Files, was.Files) {
		return fmt.Errorf("another process has worked on the study in %s in the meantime; repeat the command", folder.Path())
	}
	return nil
}

// take counts records that were flown before. It reports whether they are the next batch.
func (s *Session) take(point int, seen [][]study.Run) (bool, error) {
	if !s.fits(point, seen) {
		if most, begun := s.plan.Points[0].Study.Runs, s.plan.recordedRuns; most < begun {
			return false, mistake("%s %d would cut off flights that are done; allow %d or more, as it was begun with", runsKey,
				most, begun)
		}
		s.otherRound = true
		return false, nil
	}
	if err := s.schedule.Add(point, seen...); err != nil {
		return false, err
	}
	s.add(point, seen)
	return true, nil
}

// fits reports whether records are the next batch, or for a fixed number of runs begin where that does. Those of the
// last round before other runs were the most allowed need not be, nor those of further points before other runs.
func (s *Session) fits(point int, seen [][]study.Run) bool {
	for b := range s.schedule.Pending() {
		if b.Point != point || len(seen) != s.plan.Sweep.Watching() {
			return false
		}
		return !slices.ContainsFunc(seen, func(records []study.Run) bool {
			if s.precision == nil {
				return len(records) == 0 || b.First != records[0].Run
			}
			return !s.sweep.Points[point].HoldsRuns(records, b)
		})
	}
	return false
}

// reuse takes over the flights of the session that ended after other runs, as far as this one asks for the same
// batches.
func (s *Session) reuse(ctx context.Context, journal *record.Journal[study.Run]) error {
	taken := true
	err := s.ended.readRecorded(ctx, func(point int, seen [][]study.Run) (err error) {
		if taken {
			taken, err = s.take(point, seen)
		}
		if err != nil || !taken {
			return err
		}
		return journal.Append(point, seen...)
	})
	if err != nil {
		return err
	}
	return journal.Sync() // before the manifest of its table goes
}

// writeRuns makes runs.parquet, and axis.parquet of a range of epsilon, from the journal.
func (s *Session) writeRuns(folder *record.Folder, journal *record.Journal[study.Run]) error {
	return s.writeTables(folder, journal.Replay)
}

// writeTables writes the tables of the records that a function replays, batch by batch.
func (s *Session) writeTables(folder *record.Folder,
	replay func(func(point int, seen [][]study.Run) error) error) error {
	err := folder.Write(record.RunsName, func(w io.Writer) error {
		runs := runfile.NewRunWriter(w, s.plan.Sweep, s.manifest.Version)
		listed := make([][]study.Run, s.plan.Sweep.Watching())
		err := replay(func(point int, seen [][]study.Run) error {
			for k := range seen {
				listed[k] = s.sweep.Points[point].Listed(seen[k], listed[k][:0])
			}
			return runs.Add(point, listed...)
		})
		if err != nil {
			return err
		}
		return runs.Close()
	})
	if err != nil || !s.axis().Whole() {
		return err
	}
	return folder.Write(record.AxisName, func(w io.Writer) error {
		pieces := runfile.NewAxisWriter(w, s.plan.Sweep, s.axis(), s.manifest.Version)
		err := replay(func(point int, seen [][]study.Run) error { return pieces.Add(point, seen...) })
		if err != nil {
			return err
		}
		return pieces.Close()
	})
}
