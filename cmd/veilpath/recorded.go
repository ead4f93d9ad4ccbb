package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// reprint prints the summary of a study that is already done, and makes its files whole again.
func (a *app) reprint(ctx context.Context, s *sitting, recorded record.Manifest) error {
	err := a.readRecorded(ctx, a.out, recorded, s.campaign, s.schedule, func(point int, records []study.Run) error {
		s.add(point, records)
		return nil
	})
	if err != nil {
		return err
	}
	// A process that was killed at the very end leaves a journal that is no longer needed; one that is at
	// its very end removes it itself.
	if err := record.MendFolder(a.disk, a.out).RemoveJournal(); err != nil && !errors.Is(err, record.ErrBusy) {
		return err
	}
	result := s.result(true)
	if err := a.mend(result); err != nil {
		return err
	}
	a.remark("the study in %s is complete, %s", a.out, count(result.flights(), "flight"))
	if err := a.printStudy(*result); err != nil {
		return err
	}
	return s.unmet(a.out)
}

// mend writes those of a study's files again that are missing.
func (a *app) mend(result *studyResult) error {
	had, err := os.ReadDir(a.out)
	if err != nil {
		return err
	}
	folder := record.MendFolder(a.disk, a.out)
	folder.Remedy = "its runs are safe in " + record.RunsName + "; put that right and repeat the command"
	if err := result.write(folder); err != nil {
		return err
	}
	has, err := os.ReadDir(a.out)
	if err != nil {
		return err
	}
	for _, file := range has {
		if !slices.ContainsFunc(had, func(e fs.DirEntry) bool { return e.Name() == file.Name() }) {
			a.remark("%s was missing in %s and is made again from %s", file.Name(), a.out, record.RunsName)
		}
	}
	return nil
}

// readRecorded passes the runs of a finished study or shard to a function, batch by batch, and to its
// schedule. It refuses a table whose rows are not the flights that the schedule asks for.
func (a *app) readRecorded(ctx context.Context, folder string, m record.Manifest, c *study.Sweep, schedule study.Schedule, use func(point int, records []study.Run) error) error {
	r := recordedReader{campaign: c, schedule: schedule, use: use}
	defer r.stop()
	err := record.ReadRuns(ctx, a.disk, folder, m, r.read)
	if err == nil {
		err = r.end()
	}
	if errors.Is(err, errMisplaced) {
		err = fmt.Errorf("%s: %w", filepath.Join(folder, record.RunsName), err)
	}
	if errors.Is(err, errMisplaced) || errors.Is(err, record.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; restore it from a copy, or fly it again with the flags it was flown with and --force --out %s", err, folder)
	}
	return err
}

// errMisplaced is the error for a table that is not what its manifest says.
var errMisplaced = errors.New("the file is not the one its manifest describes")

// errTooFew is the errMisplaced for a table that stops before its study does.
var errTooFew = fmt.Errorf("rows are missing; %w", errMisplaced)

// recordedReader cuts rows into the batches of a schedule.
type recordedReader struct {
	campaign *study.Sweep
	schedule study.Schedule
	use      func(point int, records []study.Run) error

	next    func() (study.Batch, bool) // of the schedule's pending batches, nil before they are asked for
	release func()
	batch   study.Batch
	records []study.Run // of the batch, so far
	rows    int
}

func (r *recordedReader) read(rows []study.Run) error {
	for i := range rows {
		if len(r.records) == 0 && !r.advance() {
			return fmt.Errorf("more rows than the %d of the study; %w", r.rows, errMisplaced)
		}
		b, k := &r.batch, len(r.records)
		run := rows[i]
		epsilon := r.campaign.Points[b.Point].Epsilons[b.Epsilons[k%len(b.Epsilons)]]
		if r.rows++; run.Run != b.First+k/len(b.Epsilons) || run.Epsilon != epsilon {
			return fmt.Errorf("row %d is epsilon %g, run %d where epsilon %g, run %d belongs; %w",
				r.rows, run.Epsilon, run.Run, epsilon, b.First+k/len(b.Epsilons), errMisplaced)
		}
		if r.records = append(r.records, run); len(r.records) < b.Flights() {
			continue
		}
		if err := r.use(b.Point, r.records); err != nil {
			return err
		}
		if err := r.schedule.Add(b.Point, r.records); err != nil {
			return err
		}
		r.records = r.records[:0]
	}
	return nil
}

// advance goes on to the next batch, and says whether there is one.
func (r *recordedReader) advance() bool {
	if r.next != nil {
		var ok bool
		if r.batch, ok = r.next(); ok {
			return true
		}
		r.stop()
	}
	r.next, r.release = iter.Pull(r.schedule.Pending())
	var ok bool
	r.batch, ok = r.next()
	return ok
}

// end refuses a table that stops before the study does.
func (r *recordedReader) end() error {
	if len(r.records) > 0 || r.advance() {
		return fmt.Errorf("after row %d %w", r.rows, errTooFew)
	}
	return nil
}

func (r *recordedReader) stop() {
	if r.release != nil {
		r.release()
	}
}
