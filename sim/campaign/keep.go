package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"veilpath/configs"
	"veilpath/sim/pool"
	"veilpath/sim/record"
)

// Asked is work, other than a study's, that goes on where an earlier session of it stopped: all that its answer
// depends on.
type Asked struct {
	Verb     string
	Settings *configs.Loaded
	Request  any // what is asked beside the settings, a value for encoding/json

	// Ended returns the error that the finished work in a folder ended with. It is nil where finished work has none.
	Ended func(folder string) error
}

// Resumable is such work, whose pieces a keeper has while it is done.
type Resumable interface {
	Asked() Asked
	KeepIn(keeper pool.Keeper)
	Do(ctx context.Context) error
	Write(folder *record.Folder) error
}

// Settle does work and writes its answer. Its pieces are kept in the folder until the answer is there; without a folder
// nothing is.
func (p *Program) Settle(ctx context.Context, folder *record.Folder, w Resumable) error {
	return p.keep(folder, w.Asked(), func(keeper pool.Keeper) error {
		w.KeepIn(keeper)
		if err := w.Do(ctx); err != nil || folder == nil {
			return err
		}
		return w.Write(folder)
	})
}

// hash returns the hash of the request, in hexadecimal.
func (a Asked) hash() (string, error) {
	text, err := json.Marshal(a.Request)
	if err != nil {
		return "", fmt.Errorf("encoding the request: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// identity returns a hash of all that the answer depends on.
func (p *Program) identity(a Asked) ([32]byte, error) {
	m, err := p.manifest(a.Verb, a.Settings)
	if err == nil {
		m.Request, err = a.hash()
	}
	return m.Identity(), err
}

// Finished reports whether a folder holds the answer that is asked for, so that there is nothing to go on with, and
// begun whether it holds work on one. A folder that holds another answer and no work is refused. The error of a
// finished answer is the one that its work ended with.
func (p *Program) Finished(folder string, a Asked) (finished, begun bool, err error) {
	if p.holds(folder, record.PiecesName) {
		return false, true, nil
	}
	m, err := p.ReadManifest(folder)
	if errors.Is(err, record.ErrNoManifest) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	asked, err := p.identity(a)
	if err == nil && m.Identity() != asked {
		err = mistake("--resume: the work in %s is another, of veilpath %s; repeat its flags, or name another --out", folder,
			m.Verb)
	}
	if err == nil && record.Unfinished(p.Disk, folder) {
		err = p.tidy(folder, a.Verb)
	}
	if err != nil {
		return false, false, err
	}
	if a.Ended != nil {
		err = a.Ended(folder)
	}
	return true, false, err
}

// tidy removes what a process that was killed at the very end left in a folder.
func (p *Program) tidy(folder, verb string) error {
	f, err := record.ReopenFolder(p.Disk, folder, verb+" --resume")
	if errors.Is(err, record.ErrBusy) { // it is not killed
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// keep does work whose pieces a keeper has: those of an earlier session first. They are in the folder until the work,
// the writing of its files included, is done. Without a folder nothing is kept.
func (p *Program) keep(folder *record.Folder, a Asked, work func(pool.Keeper) error) error {
	if folder == nil {
		return work(nil)
	}
	asked, err := p.identity(a)
	if err != nil {
		return err
	}
	pieces, err := folder.OpenPieces(asked, p.now)
	if errors.Is(err, record.ErrOtherStudy) {
		return mistake("%w; repeat the flags it was begun with, or name another --out", err)
	}
	if err != nil {
		return err
	}
	if pieces.Len() > 0 {
		p.remark("resuming after %s of the work", count(pieces.Len(), "piece"))
	}
	err = work(keeper{pieces})
	switch {
	case err == nil:
		return pieces.Remove()
	case pieces.Len() == 0:
		return errors.Join(err, pieces.Remove())
	}
	err = fmt.Errorf("%w; what is done is kept: go on with the same command and --resume --out %s", err, folder.Path())
	if closing := pieces.Close(); closing != nil {
		err = fmt.Errorf("%w; %w", err, closing)
	}
	return err
}

// keeper keeps results, values for encoding/gob, as the pieces of a folder. The packages that read records do without
// that encoding.
type keeper struct{ pieces *record.Pieces }

// Kept implements pool.Keeper.
func (k keeper) Kept(result any) (bool, error) {
	return k.pieces.Kept(func(r io.Reader) error { return gob.NewDecoder(r).Decode(result) })
}

// Keep implements pool.Keeper.
func (k keeper) Keep(result any) error {
	return k.pieces.Keep(func(w io.Writer) error { return gob.NewEncoder(w).Encode(result) })
}
