package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// sitting is the work on a study by one process, from its first flight or from where another left off.
type sitting struct {
	order     *order
	campaign  *study.Sweep
	schedule  study.Schedule
	precision *study.Precision // the schedule with --until, otherwise nil
	tallies   []*study.Tally
	manifest  record.Manifest
	started   time.Time

	ended      *sitting        // that ended the same study after other runs, nil without
	endedAs    record.Manifest // what it left
	otherRound bool            // the journal went on with a round cut off after other runs
}

func newSitting(o *order) (*sitting, error) {
	s := &sitting{order: o, started: time.Now()}
	var err error
	if s.manifest, err = o.manifest(); err != nil {
		return nil, err
	}
	if s.campaign, err = o.campaign(); err != nil {
		return nil, err
	}
	for i := range s.campaign.Points {
		p := &s.campaign.Points[i]
		sigmas, err := p.Sigmas()
		if err != nil {
			return nil, err
		}
		s.tallies = append(s.tallies, study.NewTally(p.Epsilons, sigmas))
	}
	first, end := 0, s.campaign.Slots()
	if o.shard != nil {
		if err := checkSlots(o.shard, end); err != nil {
			return nil, err
		}
		first, end = o.shard.First, o.shard.End
	}
	s.schedule = s.campaign.NewSlots(first, end)
	if o.untilKm > 0 {
		if known := s.campaign.Points[0].Experiment.FarthestKm() / 2; o.untilKm >= known {
			return nil, usageError{fmt.Errorf("--until %gkm: every mean is known so well without a flight; want a half-width below %.3g km", o.untilKm, known)}
		}
		s.precision = s.campaign.NewPrecision(o.untilKm)
		s.schedule = s.precision
	}
	return s, nil
}

// checkSlots refuses a shard of a study that has other slots.
func checkSlots(shard *record.Shard, slots int) error {
	if shard.Slots != slots {
		return fmt.Errorf("shard %s is of a study of %s, and the settings beside it make %d, so the manifest was edited by hand or damaged; restore it, or fly the shard again", shard, count(shard.Slots, "slot"), slots)
	}
	return nil
}

// fits reports whether records are the next batch. Those of the last round before other runs were the
// most allowed need not be.
func (s *sitting) fits(point int, records []study.Run) bool {
	if s.precision == nil {
		return true
	}
	for b := range s.schedule.Pending() {
		if b.Point != point || b.Flights() != len(records) || b.First != records[0].Run {
			return false
		}
		epsilons := s.campaign.Points[point].Epsilons
		for i, k := range b.Epsilons {
			if records[i].Epsilon != epsilons[k] {
				return false
			}
		}
		return true
	}
	return false
}

// take counts records that were flown before.
func (s *sitting) take(point int, records []study.Run) error {
	if !s.fits(point, records) {
		s.otherRound = true
		return record.ErrCut
	}
	if err := s.schedule.Add(point, records); err != nil {
		return err
	}
	s.add(point, records)
	return nil
}

// reuse takes over the flights of the sitting that ended after other runs, as far as this one asks for
// the same batches.
func (a *app) reuse(ctx context.Context, s *sitting, folder *record.Folder, journal *record.Journal) error {
	err := a.readRecorded(ctx, folder.Path(), s.endedAs, s.ended.campaign, s.ended.schedule, func(point int, records []study.Run) error {
		if err := s.take(point, records); err != nil {
			return err
		}
		return journal.Append(point, records)
	})
	if errors.Is(err, record.ErrCut) {
		return nil
	}
	return err
}

// unmet returns the error for means that are not known to the precision asked for.
func (s *sitting) unmet(folder string) error {
	if s.precision == nil || s.precision.Unmet() == 0 {
		return nil
	}
	runs, points := s.campaign.Points[0].Runs, len(s.campaign.Points)
	where := ""
	if points > 1 {
		where = " over the points of the sweep"
	}
	return fmt.Errorf("not known to %g km after %s, the most allowed: the mean of %d of %s%s; the results are in %s; allow more with: veilpath study --resume --runs %d --out %s",
		s.order.untilKm, count(runs, "run"), s.precision.Unmet(), count(points*len(s.campaign.Points[0].Epsilons), "epsilon"), where, folder, 10*runs, folder)
}

// add takes records that are in the journal.
func (s *sitting) add(point int, records []study.Run) {
	s.tallies[point].Add(records)
}

func (s *sitting) result(complete bool) *studyResult {
	r := &studyResult{
		loaded: s.order.loaded, study: s.campaign.Points[0], tally: s.tallies[0], tallies: s.tallies,
		summaries: s.summaries(), manifest: s.manifest, complete: complete, wall: time.Since(s.started),
	}
	if s.precision != nil {
		r.manifest.Unmet = s.precision.Unmet()
	}
	r.sensitivities, r.insensitive = r.sobol()
	return r
}

// summaries condenses every point. With --until the intervals are those that ended the study.
func (s *sitting) summaries() [][]study.Summary {
	out := make([][]study.Summary, len(s.tallies))
	for i, t := range s.tallies {
		out[i] = t.Summaries()
		for k := range out[i] {
			if s.precision != nil {
				out[i][k].CILowKm, out[i][k].CIHighKm = s.precision.Interval(i, k)
			}
		}
	}
	return out
}

// sit flies what is left of a study and writes its files. However it ends, the journal keeps every
// flight that was flown until the files hold them all.
func (a *app) sit(ctx context.Context, s *sitting, folder *record.Folder) error {
	journal, err := a.openJournal(ctx, s, folder)
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w; %s and repeat the command with --resume", err, remedy(err))
	}
	if err != nil {
		return err
	}
	if err := a.complete(ctx, s, folder, journal); err != nil {
		if closing := journal.Close(); closing != nil {
			err = fmt.Errorf("%w; %w", err, closing)
		}
		return err
	}
	if err := journal.Remove(); err != nil {
		return err
	}
	return s.unmet(folder.Path())
}

// complete flies, writes and prints. Its error says what is kept and how to go on.
func (a *app) complete(ctx context.Context, s *sitting, folder *record.Folder, journal *record.Journal) error {
	resume := "veilpath study --resume --out " + folder.Path()
	earlier := journal.Records()
	stopped := a.fly(ctx, s, journal)
	interrupted := errors.Is(stopped, context.Canceled)
	switch {
	case interrupted && journal.Records() == 0:
		return fmt.Errorf("interrupted before any flight was done; begin again with: %s: %w", resume, stopped)
	case stopped != nil && !interrupted:
		return fmt.Errorf("%w; the journal in %s keeps %s; %s and go on with: %s", stopped, folder.Path(), count(journal.Records(), "flight"), remedy(stopped), resume)
	}
	err := writeRuns(folder, s, journal)
	result := s.result(stopped == nil)
	if err == nil {
		err = result.write(folder)
	}
	if err != nil {
		return fmt.Errorf("%w; the journal keeps %s; %s and go on with: %s", err, count(journal.Records(), "flight"), remedy(err), resume)
	}
	if err := a.printStudy(*result); err != nil {
		return err
	}
	if interrupted {
		return fmt.Errorf("interrupted after %d of %s; they are in %s; go on with: %s: %w",
			result.flights(), count(s.schedule.Flights(), "flight"), folder.Path(), resume, stopped)
	}
	now := ""
	if earlier > 0 {
		now = fmt.Sprintf(", %d of them now,", result.flights()-earlier)
	}
	a.remark("%s%s in %.2f s, written to %s", count(result.flights(), "flight"), now, result.wall.Seconds(), folder.Path())
	return nil
}

// remedy says what to do about an error before the study can go on.
func remedy(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free space there"
	}
	return "put that right"
}

// openJournal takes the folder for this process, takes over the flights it holds, and makes sure that it
// says what is flown in it.
func (a *app) openJournal(ctx context.Context, s *sitting, folder *record.Folder) (*record.Journal, error) {
	journal, torn, err := folder.OpenJournal(s.manifest.Identity(), time.Now, s.take)
	if errors.Is(err, record.ErrOtherStudy) {
		return nil, usageError{fmt.Errorf("%w; repeat the flags it was begun with, or name another --out", err)}
	}
	if err != nil {
		return nil, err
	}
	if s.ended != nil && journal.Records() == 0 {
		err = a.reuse(ctx, s, folder, journal)
	}
	if err == nil {
		err = s.claim(folder)
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
		a.remark("the last round was cut off after other runs; its flights are flown again")
	case torn > 0:
		a.remark("the journal was torn, the last %s of it; its last flights are flown again", count(int(torn), "byte"))
	}
	if n := journal.Records(); n > 0 {
		a.remark("resuming after %d of %s", n, count(s.schedule.Flights(), "flight"))
	}
	return journal, nil
}

// claim writes the manifest of the study that is flown from now on. Only who has the journal open may.
func (s *sitting) claim(folder *record.Folder) error {
	recorded, err := folder.Manifest()
	switch {
	case errors.Is(err, record.ErrNoManifest):
	case err != nil:
		return err
	case recorded.Identity() != s.manifest.Identity():
		return usageError{fmt.Errorf("another process has begun another study in %s: %s; name another --out", folder.Path(), differences(recorded, s.manifest))}
	case !recorded.Complete && recorded.ConfigSHA256 == s.manifest.ConfigSHA256:
		return nil
	}
	return folder.Write(record.ManifestName, func(w io.Writer) error { return record.WriteManifest(w, s.manifest) })
}

// fly flies what the schedule asks for into the journal and the tallies.
func (a *app) fly(ctx context.Context, s *sitting, journal *record.Journal) error {
	bar := a.newProgress(s.schedule.Flights(), "flights")
	defer bar.end()
	bar.add(journal.Records())
	return s.campaign.Fulfil(ctx, s.schedule, func(b study.Batch, records []study.Run) error {
		if err := journal.Append(b.Point, records); err != nil {
			return err
		}
		s.add(b.Point, records)
		bar.total(s.schedule.Flights())
		bar.add(len(records))
		return nil
	})
}

// writeRuns makes runs.parquet from the journal.
func writeRuns(folder *record.Folder, s *sitting, journal *record.Journal) error {
	return folder.Write(record.RunsName, func(w io.Writer) error {
		runs := record.NewRunWriter(w, s.order.sweep, version)
		if err := journal.Replay(runs.Add); err != nil {
			return err
		}
		if err := runs.Close(); err != nil {
			return err
		}
		s.manifest.RunsSHA256 = runs.SHA256()
		return nil
	})
}
