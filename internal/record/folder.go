package record

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"veilpath/internal/option"
)

// Folder is a directory that results are written to, by this process alone until Close. Files are written under
// temporary names, beside whatever the folder holds. Once all of them are whole they take their names, together:
// see [Folder.Finish]. The manifest is the last one and made from the hashes of all others; that of an earlier
// answer goes before the first of them.
type Folder struct {
	disk     FileSystem
	path     string
	lock     File
	made     bool // by the program, not found
	reopened bool // with what it holds, and not to be filled again

	mutex   sync.Mutex
	files   map[string]string   // SHA-256, in hexadecimal, by name
	written map[string]*pending // whole, and waiting for their names
	order   []string            // of those, which is the order of their names
	mended  *Manifest           // the folder is mended, and this is its manifest
	stale   []string            // to be removed before files take their names, see Supersede
	former  []string            // manifests that a killed writer left, under their temporary names
	needed  []string            // and are not, see Need

	// Page says that a page of the files is to be among them.
	Page bool

	// Remedy says what to do about a file that cannot be written, for the error; it may be empty.
	Remedy string
}

// reserved begins the names of the files that a writer needs while it writes.
const reserved = ".veilpath-"

// ErrBusy is the error for a folder that another process writes to.
var ErrBusy = errors.New("another process is working in it")

// OpenFolder makes the folder for a verb, or takes an existing one that is empty, or any with force. It refuses,
// before any work is done for it, a folder that holds something, one that cannot be written to and, with
// ErrBusy, one that another process writes to.
func OpenFolder(disk FileSystem, path, verb string, force bool) (*Folder, error) {
	if err := free(disk, path, force); err != nil { // before anything is made there
		return nil, err
	}
	f, err := ReopenFolder(disk, path, verb)
	if err != nil {
		return nil, err
	}
	if err := free(disk, path, force); err != nil { // another process was first
		f.Close()
		return nil, err
	}
	f.reopened = false
	return f, nil
}

// underWay are the files of work that is not finished.
func underWay() []string { return []string{PlanName, JournalName, PiecesName} }

// free refuses a folder that holds something, unless that may be replaced.
func free(disk FileSystem, path string, force bool) error {
	entries, err := disk.ReadDir(path)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), reserved) })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return unusable(path, "cannot be used", err)
	case slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(underWay(), e.Name()) }) && !force:
		return option.Errorf("output folder %s holds work that is not finished; go on with it by {resume}, name another "+
			"with {out}, or add {force} to begin again without it", path)
	case len(entries) > 0 && !force:
		return option.Errorf("output folder %s is not empty: it holds %s; name another with {out}, or add {force} to "+
			"overwrite", path, entries[0].Name())
	}
	return nil
}

// ReopenFolder takes the folder for a verb with whatever it holds, or makes it. It refuses one that cannot be
// written to and, with ErrBusy, one that another process writes to.
func ReopenFolder(disk FileSystem, path, verb string) (*Folder, error) {
	_, err := disk.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := makeAll(disk, path); err != nil {
		return nil, unusable(path, "cannot be made", err)
	}
	f, err := take(disk, path, verb, made)
	if err == nil {
		f.reopened = true
	}
	return f, err
}

// maxNumbered bounds the search for a free folder name.
const maxNumbered = 999_999

// NextFolder makes the first free one of parent/verb-001, parent/verb-002 and so on.
func NextFolder(disk FileSystem, parent, verb string) (*Folder, error) {
	if err := makeAll(disk, parent); err != nil {
		return nil, unusable(parent, "cannot be made", err)
	}
	for i := 1; i <= maxNumbered; i++ {
		path := filepath.Join(parent, fmt.Sprintf("%s-%03d", verb, i))
		err := disk.Mkdir(path, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = disk.SyncDir(parent)
		}
		if err != nil {
			return nil, unusable(path, "cannot be made", err)
		}
		return take(disk, path, verb, true)
	}
	return nil, option.Errorf("all of %s-001 to %s-%d exist; name a folder with {out}", verb, verb, maxNumbered)
}

// unusable says why an output folder cannot be.
func unusable(path, problem string, err error) error {
	return option.Errorf("output folder %s %s: %w; name another with {out}", path, problem, cause(err))
}

// makeAll makes a directory with those it lies in, and makes them last.
func makeAll(disk FileSystem, path string) error {
	info, err := disk.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return syscall.ENOTDIR
	case err == nil || !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(filepath.Clean(path))
	if err := makeAll(disk, parent); err != nil {
		return err
	}
	if err := disk.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return disk.SyncDir(parent)
}

// take locks a folder that is there, and removes what killed writers left.
func take(disk FileSystem, path, verb string, made bool) (*Folder, error) {
	lock, err := takeLock(disk, path, verb)
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("output folder %s: %w", path, err)
	}
	if err != nil {
		return nil, unusable(path, "is not writable", err)
	}
	f := &Folder{disk: disk, path: path, lock: lock, made: made, files: map[string]string{},
		written: map[string]*pending{}}
	if err := f.sweep(); err != nil {
		f.Close()
		return nil, unusable(path, "cannot be used", err)
	}
	return f, nil
}

// sweep removes files that were not whole when their writer ended. Where it ended between two manifests, those of both
// stay until the files that they list are superseded.
func (f *Folder) sweep() error {
	entries, err := f.disk.ReadDir(f.path)
	between := !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ManifestName })
	for _, e := range entries {
		switch name := e.Name(); {
		case err != nil || !strings.HasPrefix(name, reserved) || !strings.HasSuffix(name, partial):
		case between && strings.HasSuffix(name, "-"+ManifestName+partial):
			f.former = append(f.former, name)
		default:
			err = f.disk.Remove(filepath.Join(f.path, name))
		}
	}
	return err
}

// Close lets other processes write to the folder; without one it does nothing. It removes files that have not taken
// their names, and the folder when it was made and is still empty.
func (f *Folder) Close() error {
	if f == nil || f.lock == nil {
		return nil
	}
	f.drop()
	err := releaseLock(f.disk, f.path, f.lock)
	f.lock = nil
	if f.made {
		f.disk.Remove(f.path) // which fails when it holds something
	}
	return err
}

// Unfinished reports whether a folder holds what a writer needs only while it works: it is there now, or was
// killed.
func Unfinished(disk FileSystem, folder string) bool {
	entries, err := disk.ReadDir(folder)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return slices.Contains(underWay(), e.Name()) || strings.HasPrefix(e.Name(), reserved)
	})
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Supersede has files of the folder, those that exist, removed in that order and after the manifest, once all that is
// to take their place is written: those of some names, those of work under way, those that the manifest lists, and
// those of the answers between which a writer was killed. Until then whatever fails loses nothing. The file at a path
// stays; the path may be empty.
func (f *Folder) Supersede(stays string, names ...string) error {
	f.stale = append(append(f.stale, names...), underWay()...)
	for _, manifest := range append([]string{ManifestName}, f.former...) {
		text, err := readWhole(f.disk, filepath.Join(f.path, manifest), maxManifest)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading %s: %w", filepath.Join(f.path, manifest), cause(err))
		}
		m, _ := ParseManifest(text) // what others may have written is not touched without the word of a manifest
		for _, name := range slices.Sorted(maps.Keys(m.Files)) {
			if same, err := sameFile(f.disk, filepath.Join(f.path, name), stays); err != nil {
				return err
			} else if !same {
				f.stale = append(f.stale, name)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths, the second of which may be empty, name one file that exists.
func sameFile(disk FileSystem, path, other string) (bool, error) {
	if other == "" {
		return false, nil
	}
	first, err := disk.Stat(path)
	var second fs.FileInfo
	if err == nil {
		second, err = disk.Stat(other)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && disk.SameFile(first, second), err
}

// Need names files that work under way is gone on with from. They are not superseded, but removed by Finish once all
// others are there.
func (f *Folder) Need(names ...string) {
	for _, name := range names {
		if !slices.Contains(f.needed, name) {
			f.needed = append(f.needed, name)
		}
	}
}

// Restart makes way for other work: the plan and the journals of what was under way are removed.
// What is finished in the folder stays.
func (f *Folder) Restart() error {
	if err := f.remove(PlanName); err != nil {
		return err
	}
	if err := f.RemoveJournal(); err != nil {
		return err
	}
	return f.removePieces()
}

// remove removes a file, if it exists, and makes that last.
func (f *Folder) remove(name string) error {
	path := filepath.Join(f.path, name)
	err := f.disk.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = f.disk.SyncDir(f.path)
	}
	if err != nil {
		return fmt.Errorf("removing %s: %w", path, cause(err))
	}
	return nil
}

// Manifest reads what a study is to go on from in a folder that was reopened, see [ReadStudy]. In one to be filled
// again there is none.
func (f *Folder) Manifest() (Manifest, error) {
	if !f.reopened {
		return Manifest{}, fmt.Errorf("%s: %w", f.path, ErrNoManifest)
	}
	return ReadStudy(f.disk, f.path)
}

// failed is the error for a file that cannot be written; nil for none.
func (f *Folder) failed(name string, err error) error {
	if err == nil {
		return nil
	}
	err = &WriteError{Path: filepath.Join(f.path, name), Err: cause(err)}
	if f.Remedy != "" {
		err = fmt.Errorf("%w; %s", err, f.Remedy)
	}
	return err
}

// WriteError is a file that cannot be written or cannot grow: the disk is full, say.
type WriteError struct {
	Path string
	Err  error
}

// Error says which file and why.
func (e *WriteError) Error() string { return fmt.Sprintf("writing %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// cause drops the path that os errors repeat.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}

// firstError returns the first error of several; those after it are mostly its echo.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
