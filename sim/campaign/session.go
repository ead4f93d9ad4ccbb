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

	"veilpath/internal/external"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// runs encodes runs in the journal.
var runs = record.Codec[study.Run]{Length: study.RunLength(), Append: study.AppendRun, Decode: study.DecodeRun}

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
	flown     map[int]widest // pieces of distinct flights, by number; nil unless curves are requested
	manifest  record.Manifest
	started   time.Time
	answers   external.Answers // of commands
	resumed   int              // flights of earlier sessions

	ended      *Session // earlier session that finished the study with another number of runs, or nil
	otherRound bool     // the journal ends with a round that was cut off at another number of runs
}

// Fly flies a study and writes it to a folder, or resumes the study in the folder, see [Program.Resume]. If that
// study is finished, only missing or changed files are written again. The result and the error are those of
// [Session.Fly].
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
	if plans, flights := s.sweep.Common(); flights {
		p.Remarkf("the %d points share plans and flights, which are computed once", len(s.seen))
	} else if plans {
		p.Remarkf("the %d points share plans, which are computed once", len(s.seen))
	}
	if first := &s.sweep.Points[0]; s.axis().Whole() && first.Experiment.Resolution() > 0 {
		p.Remarkf("transitions are stochastic (planner.slip %g): the ends of pieces of epsilon are known to %g %%",
			plan.Points[0].Planner.Slip, 100*first.Experiment.Resolution())
	}
	if m := plan.recorded; m.Complete && !s.Finished() { // it is finished, but with another number of runs
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
	if plan.Curves {
		s.flown = map[int]widest{}
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
			"of at least %.2g km", untilKm, table.Count(runs, "run"), roundedUp(least))
	}
	return nil
}

// roundedUp rounds up to two digits, so that the program accepts the value that it suggests.
func roundedUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
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
// [Session.Mend].
func (s *Session) Finished() bool {
	m := s.plan.recorded
	return m.Complete && m.ConfigSHA256 == s.manifest.ConfigSHA256
}

// Fly flies the rest of the study and writes its files to the folder, or only counts the flights if the folder is
// nil. The journal in the folder keeps every flight until the files have them all. After an interruption
// ([StoppedError]) and with an [UnmetError] there is also a result, of the flights so far; with any other error it
// is nil.
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

// complete flies and writes the files. Its error is a StoppedError.
func (s *Session) complete(ctx context.Context, folder *record.Folder,
	journal *record.Journal[study.Run]) (*Result, error) {
	s.resumed = s.flights()
	if s.plan.Shard == nil {
		s.program.ExternalCommands().Keep(&s.answers, s.plan.Points[0].Config.Commands()...)
	}
	stop := &StoppedError{Folder: folder.Path()}
	stop.Err = s.fly(ctx, func(point int, seen [][]study.Run) error { return journal.Append(point, seen...) })
	stop.Kept, stop.Of = s.flights(), s.schedule.Flights()
	if stop.Err != nil && (!stop.Interrupted() || stop.Kept == 0) {
		return nil, stop
	}
	if stop.Err != nil && s.another(folder) {
		s.program.Remarkf("the results in %s stay until the study is finished", folder.Path())
		return s.result(false), stop
	}
	for i := range s.sweep.Points {
		s.sweep.Points[i].Experiment.Forget() // frees memory for the tables
	}
	err := s.writeRuns(folder, journal)
	result := s.result(stop.Err == nil)
	if err == nil && result.Complete {
		err = s.writeTrajectories(ctx, folder)
	}
	if err == nil && result.Complete {
		err = s.writeCurves(ctx, folder)
	}
	if err == nil && result.Complete {
		err = s.writeAnswers(ctx, folder)
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

// another reports whether the folder has a finished study, or a study with another request.
func (s *Session) another(folder *record.Folder) bool {
	m, err := record.ReadManifest(s.program.FileSystem(), folder.Path())
	return err == nil && (m.Complete || m.Identity() != s.manifest.Identity())
}

// flyInMemory flies the study and writes nothing.
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

// fly flies the schedule, passes the flights to keep, and counts them.
func (s *Session) fly(ctx context.Context, keep func(point int, seen [][]study.Run) error) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	done := s.resumed
	s.program.Progress(Flights, done, s.schedule.Flights())
	return s.sweep.Fulfil(ctx, s.schedule, func(b study.Batch, seen [][]study.Run) error {
		if err := keep(b.Point, seen); err != nil {
			return err
		}
		done += s.add(b.Point, seen)
		s.program.Progress(Flights, done, s.schedule.Flights())
		return nil
	})
}

// prepare computes the knowledge of observers for every epsilon. It takes long for observers that sample private
// policies.
func (s *Session) prepare(ctx context.Context) error {
	done, total := 0, 0
	for i := range s.sweep.Points {
		total += s.sweep.Points[i].Experiment.Preparation(s.sweep.Points[i].Epsilons)
	}
	for i := range s.sweep.Points {
		err := s.sweep.Points[i].Experiment.Prepare(ctx, s.sweep.Points[i].Epsilons, func(n int) {
			done += n
			s.program.Progress(Plans, done, max(done, total))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add counts stored records, and returns the number of flights at listed epsilons over all observers.
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
	s.addFlown(seen[0])
	return flights
}

// axis returns the range of epsilon of all points, if there is one.
func (s *Session) axis() study.Range { return s.sweep.Points[0].Axis }

// flights returns the number of counted flights at listed epsilons.
func (s *Session) flights() int {
	flights := 0
	for _, t := range s.tallies {
		flights += t.Flights()
	}
	return flights
}

// unmet returns an UnmetError if a mean has a larger half-width than requested.
func (s *Session) unmet(folder string) error {
	if s.precision == nil || s.precision.Unmet() == 0 {
		return nil
	}
	first, points := &s.sweep.Points[0], len(s.seen)
	return &UnmetError{Folder: folder, UntilKm: s.plan.UntilKm, Runs: first.Runs,
		Unmet: s.precision.Unmet(), Means: s.precision.Means(), Points: points}
}

// openJournal opens the journal, reuses the flights in the folder, and writes the plan to the folder.
func (s *Session) openJournal(ctx context.Context, folder *record.Folder) (*record.Journal[study.Run], error) {
	if err := s.unchanged(folder); err != nil {
		return nil, err
	}
	if s.ended != nil { // the table has its runs; its process was killed before it removed the journal
		if err := folder.RemoveJournal(); err != nil {
			return nil, err
		}
	}
	journal, torn, err := record.OpenJournal(folder, runs, s.manifest.Identity(), s.program.Time, s.take)
	if errors.Is(err, record.ErrOtherStudy) {
		return nil, RequestErrorf("%w; repeat its flags, or name another {out}", err)
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
			journal.Remove() // an empty journal would block resuming the folder's own study
		}
		return nil, err
	}
	switch {
	case torn > 0 && s.otherRound:
		s.program.Remarkf("the last round was cut off at another number of runs; its flights are flown again")
	case torn > 0:
		s.program.Remarkf("the last %s of the journal are damaged; its last flights are flown again",
			table.Count(int(torn), "byte"))
	}
	if n := s.flights(); n > 0 {
		s.program.remarkPrograms(s.plan.folder, s.plan.recorded, s.manifest)
		s.program.Remarkf("resuming after %d of %s", n, table.Count(s.schedule.Flights(), "flight"))
	}
	return journal, nil
}

// unchanged returns an error if another process has changed the folder since it was planned.
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
		return RequestErrorf("another process has begun a different study in %s: %s; name another {out}", folder.Path(),
			differences(now, s.manifest))
	}
	if now.Complete != was.Complete || !maps.Equal(now.Files, was.Files) {
		return fmt.Errorf("another process has worked on the study in %s in the meantime; repeat the command",
			folder.Path())
	}
	return nil
}

// take counts recorded flights if they are the next batch, and reports whether they are.
func (s *Session) take(point int, seen [][]study.Run) (bool, error) {
	if !s.fits(point, seen) {
		if most, begun := s.plan.Points[0].Study.Runs, s.plan.recordedRuns; most < begun {
			return false, RequestErrorf("%s %d would discard finished flights; use at least %d, as when the study began",
				RunsKey,
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

// fits reports whether records are the next batch, or, for a fixed number of runs, begin at the next batch. They
// need not be after a change of the number of runs: at the end of a round, or at later points.
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

// reuse copies the flights of the session with another number of runs to the journal, as long as the batches are
// the same.
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
	return journal.Sync() // before the manifest with its table is replaced
}

// writeRuns writes runs.parquet from the journal, and axis.parquet for a range of epsilon.
func (s *Session) writeRuns(folder *record.Folder, journal *record.Journal[study.Run]) error {
	return s.writeTables(folder, journal.Replay)
}

// writeTables writes the tables of the records that replay passes, batch by batch.
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
