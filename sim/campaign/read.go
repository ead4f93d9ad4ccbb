package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// Read reads a finished study from its folder. It writes nothing. The result has the
// manifest of the folder, with the hashes of its files.
func (p *Program) Read(ctx context.Context, folder string) (*Result, error) {
	s, err := p.recordedStudy(ctx, folder)
	if err != nil {
		return nil, err
	}
	if err := p.check(ctx, folder, s.recorded); err != nil {
		return nil, err
	}
	result, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	result.Manifest = s.recorded
	return result, nil
}

// check returns an error if files of a folder differ from its manifest or are missing, and what to do.
func (p *Program) check(ctx context.Context, folder string, m record.Manifest) error {
	err := record.CheckFiles(ctx, folder, m)
	var difference *record.DifferenceError
	if errors.As(err, &difference) {
		return restore(err)
	}
	return err
}

// restore adds to an error about the files of a folder what to do.
func restore(err error) error {
	return option.Errorf("%w; restore it from a copy, or make it again: repeat its command with {force}", err)
}

// finishedStudy returns the manifest of the finished study in a folder.
func (p *Program) finishedStudy(folder string) (record.Manifest, error) {
	m, err := p.ReadManifest(folder)
	switch {
	case errors.Is(err, record.ErrNoManifest):
		return m, RequestErrorf("%w; name the folder of a study", err)
	case err != nil:
		return m, err
	case m.Verb != "study":
		return m, RequestErrorf("%s contains %s; name the folder of a study, which veilpath study {config} %[1]s flies with "+
			"the same settings", folder, WithArticle(m.Verb))
	case !m.Complete:
		return m, RequestErrorf("%s: the study is unfinished; finish it with the command that began it and {out} %[1]s",
			folder)
	case m.Shard != nil:
		return m, RequestErrorf("%s has part %s of a study; join the parts with veilpath merge, and name that folder", folder,
			m.Shard)
	}
	return m, nil
}

// recordedStudy returns the finished study in a folder.
func (p *Program) recordedStudy(ctx context.Context, folder string) (*Study, error) {
	m, err := p.finishedStudy(folder)
	if err != nil {
		return nil, err
	}
	if err := p.checkOwn(folder, m); err != nil {
		return nil, err
	}
	s, err := p.recorded(folder, m, configs.Request{})
	if err != nil {
		return nil, err
	}
	s.folder, s.recorded = folder, m
	return s, s.build(ctx)
}

// unsolved returns the study in a folder for reading its runs alone. It solves no mission.
func (p *Program) unsolved(folder string, m record.Manifest) (*Study, error) {
	s, err := p.recorded(folder, m, configs.Request{})
	if err != nil {
		return nil, err
	}
	s.folder, s.recorded, s.sweep = folder, m, new(study.Sweep)
	for point := range len(s.Points) / s.swept.Watching() {
		first, others := s.watched(point)
		e, err := setup.Unsolved(first, others...)
		if err != nil {
			return nil, err
		}
		s.sweep.Points = append(s.sweep.Points, setup.Study(first, e))
	}
	s.schedule = s.scheduleOf(s.sweep)
	return s, nil
}

// read counts the recorded runs.
func (s *Study) read(ctx context.Context) (*Result, error) {
	err := s.readRecorded(ctx, func(b study.Batch, seen [][]study.Run) error {
		s.add(b.Point, seen)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.result(true), nil
}

// readFinished reads the finished study in a folder, which has all its files.
func (s *Study) readFinished(ctx context.Context, folder string) error {
	m, err := s.program.ReadManifest(folder)
	if err != nil {
		return err
	}
	s.folder, s.recorded = folder, m
	s.finished, err = s.read(ctx)
	return err
}

// readRecorded passes the runs of the finished study in the folder to a function, batch by batch, and to the schedule.
// Rows that are not the flights of the schedule are an error.
func (s *Study) readRecorded(ctx context.Context, each useBatch) error {
	folder, m := s.folder, s.recorded
	r := recordedReader{sweep: s.sweep, schedule: s.schedule, use: each}
	read := runfile.ReadRuns
	if recordsName(m) == record.AxisName {
		read = runfile.ReadPieces
	}
	err := read(ctx, folder, m, r.read)
	if err == nil {
		err = r.end()
	}
	if errors.Is(err, ErrMisplaced) {
		err = fmt.Errorf("%s: %w", filepath.Join(folder, recordsName(m)), err)
	}
	if errors.Is(err, ErrMisplaced) || errors.Is(err, record.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		err = restore(err)
	}
	return err
}

// recordsName returns the table from which the other tables of a study are written.
func recordsName(m record.Manifest) string {
	if m.Pieces > 0 {
		return record.AxisName
	}
	return record.RunsName
}

// ErrMisplaced is the error for a table that does not match its manifest.
var ErrMisplaced = errors.New("the file is not the one its manifest describes")

// useBatch is called with the records of a batch, one slice for each observer, which are reused.
type useBatch func(b study.Batch, seen [][]study.Run) error

// recordedReader divides rows into the batches of a schedule.
type recordedReader struct {
	sweep    *study.Sweep
	schedule study.Schedule
	use      useBatch

	batch   study.Batch
	records [][]study.Run // rows of the batch read so far, by observer
	rows    int
}

// read takes rows by observer; the rows are of the same flights.
func (r *recordedReader) read(seen [][]study.Run) error {
	if r.records == nil {
		r.records = make([][]study.Run, len(seen))
	}
	for i := range seen[0] {
		if r.ends(&seen[0][i]) {
			if err := r.pass(); err != nil {
				return err
			}
		}
		if err := r.add(seen, i); err != nil {
			return err
		}
	}
	return nil
}

// add adds a row to the batch.
func (r *recordedReader) add(seen [][]study.Run, row int) error {
	k := len(r.records[0])
	if k == 0 && !r.advance() {
		return fmt.Errorf("there are more rows than the %d of the study; %w", r.rows, ErrMisplaced)
	}
	r.rows++
	if b := &r.batch; !r.whole() {
		run, n := &seen[0][row], len(b.Epsilons)
		epsilon := r.sweep.Points[b.Point].Epsilons[b.Epsilons[k%n]]
		if run.Run != b.First+k/n || run.Epsilon != epsilon {
			return fmt.Errorf("row %d has epsilon %g, run %d instead of epsilon %g, run %d; %w",
				r.rows, run.Epsilon, run.Run, epsilon, b.First+k/n, ErrMisplaced)
		}
	}
	for k := range seen {
		r.records[k] = append(r.records[k], seen[k][row])
	}
	return nil
}

// whole reports whether rows are the pieces of a range of epsilon.
func (r *recordedReader) whole() bool { return r.sweep.Points[0].Axis.Whole() }

// ends reports whether the batch is complete before a row, or at the end of the table if the row is nil. Pieces of a
// range begin another batch with further runs, or with the next point, which numbers its runs from 0 again.
func (r *recordedReader) ends(row *study.Run) bool {
	n := len(r.records[0])
	if n == 0 || !r.whole() {
		return n > 0 && n == r.batch.Flights()
	}
	last, most := &r.records[0][n-1], r.batch.End-1
	if row == nil {
		return last.Run == most
	}
	return (row.Run != last.Run || row.Epsilon <= last.Epsilon) && (last.Run == most || row.Run > most)
}

// pass checks the batch and passes it to use and to the schedule.
func (r *recordedReader) pass() error {
	for _, records := range r.records {
		if !r.sweep.Points[r.batch.Point].HoldsRuns(records, r.batch) {
			return fmt.Errorf("the rows before row %d are not the pieces of runs %d to %d; %w", r.rows+1, r.batch.First,
				r.batch.End-1, ErrMisplaced)
		}
	}
	if err := r.use(r.batch, r.records); err != nil {
		return err
	}
	if err := r.schedule.Add(r.batch.Point, r.records...); err != nil {
		return err
	}
	for k := range r.records {
		r.records[k] = r.records[k][:0]
	}
	return nil
}

// advance moves to the next batch and reports whether there is one.
func (r *recordedReader) advance() (ok bool) {
	r.batch, ok = pending(r.schedule)
	return ok
}

// end returns an error if rows are missing at the end.
func (r *recordedReader) end() error {
	if len(r.records) > 0 && r.ends(nil) {
		if err := r.pass(); err != nil {
			return err
		}
	}
	if len(r.records) > 0 && len(r.records[0]) > 0 || r.advance() {
		return fmt.Errorf("rows are missing after row %d; %w", r.rows, ErrMisplaced)
	}
	return nil
}

// pending returns the next batch of a schedule, and whether there is one.
func pending(schedule study.Schedule) (study.Batch, bool) {
	for b := range schedule.Pending() {
		return b, true
	}
	return study.Batch{}, false
}
