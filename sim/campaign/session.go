package campaign

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"veilpath/internal/job"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Session is the work of one process on a plan. It begins a study or resumes it after an earlier session.
type Session struct {
	program   *Program
	plan      *Plan
	sweep     *study.Sweep
	schedule  study.Schedule
	precision *study.Precision // the schedule of a study with UntilKm, otherwise nil
	seen      []study.Study    // one for each observer of each point
	tallies   []*study.Tally
	listed    []study.Run // buffer for study.Listed
	pieces    int         // number of pieces of a range of epsilon
	curve     *study.MeanCurve
	manifest  record.Manifest
	started   time.Time
	flights   int  // counted flights at listed epsilons, over all observers
	resumed   int  // flights of earlier sessions
	begun     bool // the folder has the plan, so that an error leaves what can be resumed
}

// use is called with the records of a batch of a point, one slice for each observer, which are reused.
type use func(point int, seen [][]study.Run) error

// Fly flies a study and writes it to a folder, or resumes the study in the folder, see [Program.Resume]. If that
// study is finished, its result is read. The result and the error are those of [Session.Fly].
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
		return s.Recorded(ctx)
	}
	opened, err := record.ReopenFolder(p.FileSystem(), folder, "study")
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return s.Fly(ctx, opened)
}

// NewSession builds the experiments of a plan. It flies and writes nothing.
func (p *Program) NewSession(ctx context.Context, plan *Plan) (*Session, error) {
	s, err := p.newSession(ctx, plan)
	if err != nil {
		return nil, err
	}
	p.RemarkCommands()
	return s, nil
}

func (p *Program) newSession(ctx context.Context, plan *Plan) (*Session, error) {
	s := &Session{program: p, plan: plan, started: p.Time()}
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
	s.seen = SeenOf(s.sweep)
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
	return s, s.initSchedule()
}

// initSchedule creates the schedule.
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

// checkUntil returns an error for a half-width that needs no flight, or that no number of flights can reach.
func (s *Session) checkUntil(untilKm float64) error {
	first := &s.sweep.Points[0]
	farthest := first.Experiment.FarthestKm()
	if known := farthest / 2; untilKm >= known {
		return RequestErrorf(
			"{until} %gkm: want a half-width below %.3g km, half of the farthest possible detection distance",
			untilKm, known)
	}
	runs := max(first.Runs, mostRuns)
	if least := study.LeastHalfWidth(farthest, study.Confidence, runs); untilKm < least {
		return RequestErrorf("{until} %gkm: %s are too few for this, even if all distances are equal; want a half-width "+
			"of at least %.2g km", untilKm, table.Count(runs, "run"), table.Digits(least, 2, math.Ceil))
	}
	return nil
}

// checkSlots returns an error if a shard has another number of slots than its study.
func checkSlots(shard *record.Shard, slots int) error {
	if shard.Slots != slots {
		return fmt.Errorf("shard %s is for %s, but its settings give %d, so the manifest was edited by "+
			"hand or damaged; restore it, or fly the shard again", shard, table.Count(shard.Slots, "slot"), slots)
	}
	return nil
}

// Finished reports whether the folder already has the whole study, so that there is nothing to fly, see
// [Session.Recorded].
func (s *Session) Finished() bool {
	m := s.plan.recorded
	return m.Complete && m.ConfigSHA256 == s.manifest.ConfigSHA256
}

// extends reports whether the folder has the study with another number of runs, whose flights are reused.
func (s *Session) extends() bool { return s.plan.recorded.Complete && !s.Finished() }

// Fly flies the rest of the study and writes its files to the folder, or only counts the flights if the folder is
// nil. The journal in the folder keeps every flight until the files have them all. After an interruption
// ([StoppedError]) and with an [UnmetError] there is also a result, of the flights so far; with any other error it
// is nil.
func (s *Session) Fly(ctx context.Context, folder *record.Folder) (result *Result, err error) {
	if folder == nil {
		return s.flyInMemory(ctx)
	}
	folder.Page = s.program.Page || s.plan.recorded.Files[PageName] != ""
	if err := s.unchanged(folder); err != nil {
		return nil, err
	}
	if s.extends() { // the table has its runs; its process was killed before it removed the journal
		if err := folder.RemoveJournal(); err != nil {
			return nil, err
		}
	}
	err = s.program.Jobs().Run(ctx, folder, job.Job{Manifest: s.manifest, Alone: true,
		Do: func(ctx context.Context, keeper pool.Keeper) error { return s.do(ctx, folder, keeper.(job.Replayer)) },
		Write: func(folder *record.Folder) (err error) {
			result, err = s.write(ctx, folder, true)
			return err
		}})
	var kept *job.StoppedError
	switch {
	case err == nil:
		return result, s.unmet(folder.Path())
	case errors.Is(err, job.ErrOther):
		return nil, RequestErrorf("%w; repeat its flags, or name another {out}", err)
	case errors.As(err, &kept):
		err = kept.Err
	}
	if !s.begun {
		return nil, err
	}
	return s.stopped(ctx, folder, err)
}

// stopped returns the error of a session that ended early. After an interruption it writes the result so far, unless
// the folder has a finished study or another one.
func (s *Session) stopped(ctx context.Context, folder *record.Folder, err error) (*Result, error) {
	stop := &StoppedError{Folder: folder.Path(), Kept: s.flights, Of: s.schedule.Flights(), Err: err}
	if !stop.Interrupted() || stop.Kept == 0 {
		return nil, stop
	}
	if s.another(folder) {
		s.program.Remarkf("the results in %s stay until the study is finished", folder.Path())
		return s.result(false), stop
	}
	result, err := s.write(ctx, folder, false)
	if err != nil {
		stop.Err = err
		return nil, stop
	}
	return result, stop
}

// flyInMemory flies the study and writes nothing.
func (s *Session) flyInMemory(ctx context.Context) (*Result, error) {
	err := s.fly(ctx, func(int, [][]study.Run) error { return nil })
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	result := s.result(err == nil)
	if err != nil {
		return result, &StoppedError{Kept: s.flights, Of: s.schedule.Flights(), Err: err}
	}
	return result, s.unmet("")
}

// do takes the flights of earlier sessions, flies the others, and writes the tables of all, also after an interruption.
func (s *Session) do(ctx context.Context, folder *record.Folder, keeper job.Replayer) error {
	keep := func(point int, seen [][]study.Run) error {
		return keeper.Keep(study.Records{Point: point, Seen: seen})
	}
	if err := s.resume(ctx, folder, keeper, keep); err != nil {
		return err
	}
	stopped := s.fly(ctx, keep)
	if stopped != nil && (!errors.Is(stopped, context.Canceled) || s.flights == 0 || s.another(folder)) {
		return stopped
	}
	for i := range s.sweep.Points {
		s.sweep.Points[i].Experiment.Forget() // frees memory for the tables
	}
	if err := keeper.Rewind(); err != nil {
		return err
	}
	err := s.writeTables(folder, func(add use) error {
		var next study.Records
		for {
			if kept, err := keeper.Kept(&next); err != nil || !kept {
				return err
			}
			if err := add(next.Point, next.Seen); err != nil {
				return err
			}
		}
	})
	return cmp.Or(err, stopped)
}

// another reports whether the folder has a finished study, or a study with another request.
func (s *Session) another(folder *record.Folder) bool {
	m, err := record.ReadManifest(s.program.FileSystem(), folder.Path())
	return err == nil && (m.Complete || m.Identity() != s.manifest.Identity())
}

// fly flies the schedule, passes the flights to keep, and counts them.
func (s *Session) fly(ctx context.Context, keep use) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	s.program.Progress(Flights, s.flights, s.schedule.Flights())
	keep = s.counted(keep)
	return s.sweep.Fulfil(ctx, s.schedule, func(b study.Batch, seen [][]study.Run) error { return keep(b.Point, seen) })
}

// counted returns a function that passes records on, counts them and reports progress.
func (s *Session) counted(next use) use {
	return func(point int, seen [][]study.Run) error {
		if err := next(point, seen); err != nil {
			return err
		}
		s.add(point, seen)
		s.program.Progress(Flights, s.flights, s.schedule.Flights())
		return nil
	}
}

// prepare computes the knowledge of observers for every epsilon. It takes long for observers that sample private
// policies.
func (s *Session) prepare(ctx context.Context) error {
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
func (s *Session) add(point int, seen [][]study.Run) {
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
func (s *Session) axis() study.Range { return s.sweep.Points[0].Axis }

// unmet returns an UnmetError if a mean has a larger half-width than requested.
func (s *Session) unmet(folder string) error {
	if s.precision == nil || s.precision.Unmet() == 0 {
		return nil
	}
	first, points := &s.sweep.Points[0], len(s.seen)
	return &UnmetError{Folder: folder, UntilKm: s.plan.UntilKm, Runs: first.Runs,
		Unmet: s.precision.Unmet(), Means: s.precision.Means(), Points: points}
}

// unchanged returns an error if another process has changed the folder since it was planned.
func (s *Session) unchanged(folder *record.Folder) error {
	now, err := folder.Manifest()
	if err != nil && !errors.Is(err, record.ErrNoManifest) {
		return err
	}
	before, errBefore := json.Marshal(s.plan.recorded)
	after, errAfter := json.Marshal(now)
	if err := errors.Join(errBefore, errAfter); err != nil {
		return fmt.Errorf("encoding a manifest: %w", err)
	}
	if !bytes.Equal(before, after) {
		return fmt.Errorf("another process has worked in %s in the meantime; repeat the command", folder.Path())
	}
	return nil
}
