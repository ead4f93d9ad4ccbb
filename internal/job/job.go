package job

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Job is resumable work in a folder.
type Job struct {
	// Manifest is the manifest of the answer, as far as it is known before the work. Its identity identifies the
	// job, see record.Manifest.Identity. With a Shard, the job is one of several parts of the work, see Join.
	Manifest record.Manifest
	// Do does the work. It does its pieces with pool.Resumed, in an order that depends only on the manifest and on
	// the results of earlier pieces. Results are values for encoding/gob, or an encoding.BinaryAppender and, as a
	// pointer, an encoding.BinaryUnmarshaler. The keeper is nil if no results are kept.
	// The keeper of a part is a pool.Sharer, and its work ends with pool.ErrPart. If Do returns an ErrOther, the
	// kept results belong to another job and stay unchanged.
	Do func(ctx context.Context, keeper pool.Keeper) error
	// Alone tells that Do takes the kept results without pool.Resumed: it finds the work of its part itself, which has
	// an answer of its own, and says what it resumes after and what an interruption leaves. Its keeper is a Replayer.
	Alone bool
	// Write writes the answer.
	Write func(folder *record.Folder) error
	// Ended returns the error with which the finished job in a folder ended. It is nil if finished jobs have no
	// errors.
	Ended func(folder string) error
}

// Replayer is a keeper of which everything that was read or kept can be read again, from the first result.
type Replayer interface {
	pool.Keeper
	Rewind() error
}

// Disk is the place of jobs.
type Disk struct {
	Files  record.FileSystem
	Now    func() time.Time
	Remark func(text string) // is called with a line for the user
	// Differ, unless it is nil, describes the difference of a job from the one whose answer a folder holds, by both
	// manifests.
	Differ func(recorded, asked record.Manifest) error
}

// ErrOther is the error for a folder with other work.
var ErrOther = errors.New("the folder holds other work")

// OtherError is an ErrOther with details.
type OtherError struct {
	Folder string
	Verb   string // verb of the work in the folder; empty if unknown
	Why    error  // what differs; nil if unknown
}

// Error names the folder and the verb.
func (e *OtherError) Error() string {
	switch {
	case e.Why != nil:
		return fmt.Sprintf("%s holds other work: %v", e.Folder, e.Why)
	case e.Verb == "":
		return fmt.Sprintf("%s holds other work", e.Folder)
	}
	return fmt.Sprintf("%s holds other work, of veilpath %s", e.Folder, e.Verb)
}

// Is reports whether the target is ErrOther.
func (e *OtherError) Is(target error) bool { return target == ErrOther }

// Unwrap returns what differs.
func (e *OtherError) Unwrap() error { return e.Why }

// StoppedError is the error of a job that ended before its answer was written. The results of its pieces are kept
// in the folder.
type StoppedError struct {
	Folder string
	Err    error // cause; context.Canceled after an interruption
}

// Error says why the job ended and where its results are.
func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v; finished results are kept in %s", e.Err, e.Folder)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Run does a job, resuming after the results that an earlier session kept in the folder, and writes its answer
// there. If folder is nil, nothing is kept or written. The error is a StoppedError if results are kept, and an
// OtherError if the journal in the folder belongs to another job.
func (d Disk) Run(ctx context.Context, folder *record.Folder, j Job) error {
	if folder == nil {
		return j.interrupted(j.Do(ctx, nil), "nothing is kept without a folder")
	}
	journal, err := folder.OpenJournal(j.Manifest.Identity(), d.Now)
	if errors.Is(err, record.ErrOtherWork) {
		return &OtherError{Folder: folder.Path()}
	}
	if err != nil {
		return err
	}
	if n := journal.Torn(); n > 0 {
		d.Remark(fmt.Sprintf("the last %s of the journal are damaged; its last work is done again",
			table.Count(int(n), "byte")))
	}
	if n := journal.Len(); n > 0 && !j.Alone {
		d.Remark(fmt.Sprintf("resuming after %d finished pieces of the work", n))
	}
	switch shard := j.Manifest.Shard; {
	case shard == nil || j.Alone:
		if err = j.Do(ctx, keeper{journal}); err == nil {
			err = j.Write(folder)
		}
	default:
		if err = j.Do(ctx, &sharer{keeper: keeper{journal}, shard: *shard}); errors.Is(err, pool.ErrPart) {
			err = writePart(folder, journal, j.Manifest)
		}
	}
	switch {
	case err == nil:
		return journal.Remove()
	case errors.Is(err, ErrOther):
		return errors.Join(err, journal.Close())
	case journal.Len() == 0:
		return errors.Join(j.interrupted(err, "none of the work was done"), journal.Remove())
	}
	if closing := journal.Close(); closing != nil {
		err = fmt.Errorf("%w; %w", err, closing)
	}
	return &StoppedError{Folder: folder.Path(), Err: err}
}

// Do does a job in a folder, which it creates if necessary, resuming after the results of an earlier session. If
// the answer is already there, it does nothing. The error is that of State or Run. With an ErrOther nothing has
// changed.
func (d Disk) Do(ctx context.Context, path string, j Job) (err error) {
	state, err := d.State(path, j)
	if err != nil || state == Finished {
		return err
	}
	folder, err := record.ReopenFolder(d.Files, path, j.Manifest.Verb)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := folder.Supersede(""); err != nil {
		return err
	}
	if state == New {
		if err := folder.Restart(); err != nil {
			return err
		}
	}
	return d.Run(ctx, folder, j)
}

// interrupted adds to an interruption what is left of the work.
func (j Job) interrupted(err error, left string) error {
	if errors.Is(err, context.Canceled) && !j.Alone {
		return fmt.Errorf("interrupted: %s: %w", left, err)
	}
	return err
}

// State describes what a folder holds of a job.
type State int

// The states of a job.
const (
	New      State = iota // nothing
	Begun                 // results of pieces
	Finished              // the answer
)

// State returns what a folder holds of a job. The error is an OtherError if it holds another answer and no
// unfinished work. For a finished job, it is the error with which the job ended.
func (d Disk) State(folder string, j Job) (State, error) {
	_, err := d.Files.Stat(filepath.Join(folder, record.JournalName))
	if err == nil {
		return Begun, nil
	}
	m, err := record.ReadManifest(d.Files, folder)
	if errors.Is(err, record.ErrNoManifest) {
		return New, nil
	}
	if err != nil {
		return New, err
	}
	if m.Identity() != j.Manifest.Identity() {
		return New, d.other(folder, m, j)
	}
	if record.Unfinished(d.Files, folder) {
		if err := d.tidy(folder, m.Verb); err != nil {
			return New, err
		}
	}
	if j.Ended != nil {
		err = j.Ended(folder)
	}
	return Finished, err
}

// other returns the error for a folder with the manifest of another job.
func (d Disk) other(folder string, m record.Manifest, j Job) error {
	e := &OtherError{Folder: folder, Verb: m.Verb}
	if d.Differ != nil {
		e.Why = d.Differ(m, j.Manifest)
	}
	return e
}

// tidy removes the leftovers of a process that was killed just before its end.
func (d Disk) tidy(folder, verb string) error {
	f, err := record.ReopenFolder(d.Files, folder, verb)
	if errors.Is(err, record.ErrBusy) { // the process still works
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}
