package job

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"veilpath/internal/pool"
	"veilpath/internal/record"
)

// Job is work that is kept in a folder while it is under way.
type Job struct {
	// Manifest is that of the answer, as far as it is known before the work: its identity is the job's. See
	// record.Manifest.Identity. Where it has a Shard, the job is one of several parts of the work: see Join.
	Manifest record.Manifest
	// Do does the work. It does its pieces with pool.Resumed, in an order that depends on the manifest and on the results
	// of earlier pieces alone. Results are values for encoding/gob. The keeper is nil where nothing is kept. An ErrOther
	// says that what is kept is of another job, and leaves it as it is. The keeper of a part is a pool.Sharer, and its
	// work ends with pool.ErrPart.
	Do func(ctx context.Context, keeper pool.Keeper) error
	// Write writes the answer.
	Write func(folder *record.Folder) error
	// Ended returns the error that the finished job in a folder ended with. It is nil where no finished job has one.
	Ended func(folder string) error
	// Extend takes over what the answer in a folder holds, and reports whether there is one to go on from. It is nil where
	// a finished answer is not gone on from. The job's identity does not depend on how far it goes then.
	Extend func(folder string) (bool, error)
}

// Disk is where jobs are kept.
type Disk struct {
	Files  record.FileSystem
	Now    func() time.Time
	Remark func(text string) // hears in one line what is worth knowing
	// Differ, where it is given, says what tells a job from the one whose answer a folder holds, by both manifests.
	Differ func(recorded, asked record.Manifest) error
}

// ErrOther is the error for a folder that holds other work than the job.
var ErrOther = errors.New("the work is another")

// OtherError is an ErrOther that names the work.
type OtherError struct {
	Folder string
	Verb   string // of the program, that made what the folder holds; empty where that is unknown
	Why    error  // what differs; nil where that is unknown
}

// Error names the folder and the verb.
func (e *OtherError) Error() string {
	switch {
	case e.Why != nil:
		return fmt.Sprintf("the work in %s is another: %v", e.Folder, e.Why)
	case e.Verb == "":
		return fmt.Sprintf("the work in %s is another", e.Folder)
	}
	return fmt.Sprintf("the work in %s is another, of veilpath %s", e.Folder, e.Verb)
}

// Is reports whether the target is ErrOther.
func (e *OtherError) Is(target error) bool { return target == ErrOther }

// Unwrap returns what differs.
func (e *OtherError) Unwrap() error { return e.Why }

// StoppedError is a job that ended before its answer was written. The results of its pieces are kept in the folder.
type StoppedError struct {
	Folder string
	Err    error // why; context.Canceled where it was interrupted
}

// Error says why it ended and where its results are.
func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v; what is done is kept in %s", e.Err, e.Folder)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// Run does a job, after what an earlier session of it kept in the folder, and writes its answer there. Without a folder
// nothing is kept or written. The error is a StoppedError where results are kept, and an OtherError where the journal
// in the folder is of another job.
func (d Disk) Run(ctx context.Context, folder *record.Folder, j Job) error {
	if folder == nil {
		return interrupted(j.Do(ctx, nil), "nothing is kept, since there is no folder")
	}
	pieces, err := folder.OpenPieces(j.Manifest.Identity(), d.Now)
	if errors.Is(err, record.ErrOtherStudy) {
		return &OtherError{Folder: folder.Path()}
	}
	if err != nil {
		return err
	}
	if n := pieces.Len(); n > 0 {
		d.Remark(fmt.Sprintf("resuming after %d of the pieces of the work", n))
	}
	switch shard := j.Manifest.Shard; {
	case shard == nil:
		if err = j.Do(ctx, keeper{pieces}); err == nil {
			err = j.Write(folder)
		}
	default:
		if err = j.Do(ctx, &sharer{keeper: keeper{pieces}, shard: *shard}); errors.Is(err, pool.ErrPart) {
			err = writePart(folder, pieces, j.Manifest)
		}
	}
	switch {
	case err == nil:
		return pieces.Remove()
	case errors.Is(err, ErrOther):
		return errors.Join(err, pieces.Close())
	case pieces.Len() == 0:
		return errors.Join(interrupted(err, "none of the work was done"), pieces.Remove())
	}
	if closing := pieces.Close(); closing != nil {
		err = fmt.Errorf("%w; %w", err, closing)
	}
	return &StoppedError{Folder: folder.Path(), Err: err}
}

// Do does a job in a folder, which is made if need be, after what an earlier session of it kept there. Where its answer
// is there already, nothing is done. The error is that of State or Run; with an ErrOther nothing has changed.
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

// interrupted says of an interruption what is left of the work.
func interrupted(err error, left string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted: %s: %w", left, err)
	}
	return err
}

// State is what a folder holds of a job.
type State int

// The states of a job.
const (
	New      State = iota // nothing
	Begun                 // results of pieces
	Finished              // the answer
)

// State returns what a folder holds of a job. The error is an OtherError where it holds another answer and no work
// under way; of a finished job, it is the one that the job ended with.
func (d Disk) State(folder string, j Job) (State, error) {
	_, err := d.Files.Stat(filepath.Join(folder, record.PiecesName))
	begun := err == nil
	if j.Extend != nil {
		found, err := j.Extend(folder)
		if err != nil && !(begun && errors.Is(err, ErrOther)) { // the journal may be of this job, over another answer
			return New, err
		}
		if begun = begun || found; !begun {
			return New, d.otherVerb(folder, j)
		}
	}
	if begun {
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

// otherVerb returns an OtherError where a folder holds the answer to another verb, or a part of one.
func (d Disk) otherVerb(folder string, j Job) error {
	m, err := record.ReadManifest(d.Files, folder)
	if err == nil && (m.Verb != j.Manifest.Verb || m.Shard != nil) {
		return d.other(folder, m, j)
	}
	return nil
}

// other returns the error for a folder whose manifest is not that of a job.
func (d Disk) other(folder string, m record.Manifest, j Job) error {
	e := &OtherError{Folder: folder, Verb: m.Verb}
	if d.Differ != nil {
		e.Why = d.Differ(m, j.Manifest)
	}
	return e
}

// tidy removes what a process that was killed at the very end left in a folder.
func (d Disk) tidy(folder, verb string) error {
	f, err := record.ReopenFolder(d.Files, folder, verb+" --resume")
	if errors.Is(err, record.ErrBusy) { // it is not killed
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}
