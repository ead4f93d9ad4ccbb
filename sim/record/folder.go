package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Folder is a directory that results are written to, by this process alone until Close. Its manifest is its last
// file: it is removed before another file takes its name, and made from the hashes of all of them.
type Folder struct {
	disk FileSystem
	path string
	lock File
	made bool // by the program, not found

	mutex  sync.Mutex
	files  map[string]string // SHA-256, in hexadecimal, by name
	mended *Manifest         // the folder is mended, and this is its manifest
	fresh  bool              // no manifest is there that the files written could contradict
	stale  []string          // to be removed along with that, see Supersede

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
	return f, nil
}

// free refuses a folder that holds something, unless that may be replaced.
func free(disk FileSystem, path string, force bool) error {
	entries, err := disk.ReadDir(path)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), reserved) })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("output folder %s cannot be used: %w; name another with --out", path, cause(err))
	case len(entries) > 0 && !force:
		return fmt.Errorf("output folder %s is not empty: it holds %s; name another with --out, or add --force to overwrite", path, entries[0].Name())
	}
	return nil
}

// ReopenFolder takes the folder for a verb with whatever it holds, or makes it. It refuses one that cannot be
// written to and, with ErrBusy, one that another process writes to.
func ReopenFolder(disk FileSystem, path, verb string) (*Folder, error) {
	_, err := disk.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := makeAll(disk, path); err != nil {
		return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
	}
	return take(disk, path, verb, made)
}

// maxNumbered bounds the search for a free folder name.
const maxNumbered = 999_999

// NextFolder makes the first free one of parent/verb-001, parent/verb-002 and so on.
func NextFolder(disk FileSystem, parent, verb string) (*Folder, error) {
	failed := func(path string, err error) error {
		return fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
	}
	if err := makeAll(disk, parent); err != nil {
		return nil, failed(parent, err)
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
			return nil, failed(path, err)
		}
		return take(disk, path, verb, true)
	}
	return nil, fmt.Errorf("all of %s-001 to %s-%d exist; name a folder with --out", verb, verb, maxNumbered)
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
		return nil, fmt.Errorf("output folder %s is not writable: %w; name another with --out", path, cause(err))
	}
	f := &Folder{disk: disk, path: path, lock: lock, made: made, files: map[string]string{}}
	if err := f.sweep(); err != nil {
		f.Close()
		return nil, fmt.Errorf("output folder %s cannot be used: %w; name another with --out", path, cause(err))
	}
	return f, nil
}

// sweep removes files that were not whole when their writer ended.
func (f *Folder) sweep() error {
	entries, err := f.disk.ReadDir(f.path)
	for _, e := range entries {
		if name := e.Name(); err == nil && strings.HasPrefix(name, reserved) && strings.HasSuffix(name, partial) {
			err = f.disk.Remove(filepath.Join(f.path, name))
		}
	}
	return err
}

// Close lets other processes write to the folder; without one it does nothing. It removes the folder when it was made and is still empty.
func (f *Folder) Close() error {
	if f == nil || f.lock == nil {
		return nil
	}
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
		return e.Name() == PlanName || e.Name() == JournalName || strings.HasPrefix(e.Name(), reserved)
	})
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Supersede has files of the folder, those that exist, removed in that order before the first file is written, once
// its contents are known, and after the manifest. Until then whatever fails loses nothing.
func (f *Folder) Supersede(names ...string) { f.stale = append(f.stale, names...) }

// Clear removes files of the folder, those that exist, in that order but the manifest before all others. Each is
// gone for good before the next goes.
func (f *Folder) Clear(names ...string) error {
	if err := f.unvouch(); err != nil {
		return err
	}
	for _, name := range names {
		if err := f.remove(name); err != nil {
			return err
		}
	}
	return nil
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

// unvouch removes a manifest that does not vouch for the files to be written, and then what they supersede, for good
// before any of them is there.
func (f *Folder) unvouch() error {
	if f.fresh || f.mended != nil {
		return nil
	}
	if err := f.remove(ManifestName); err != nil {
		return err
	}
	for _, name := range f.stale {
		if err := f.remove(name); err != nil {
			return err
		}
	}
	f.fresh, f.stale = true, nil
	return nil
}

// makeWay is unvouch for writers at the same time.
func (f *Folder) makeWay() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.unvouch()
}

// Write makes a file of that name from what the function writes. It is whole and lasts when Write returns, and
// is not there when it fails. An error of the function that is not of the file comes back as it is. Files that
// are intact in a folder that is mended are left alone.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	if name == ManifestName || name == PlanName {
		panic("record: " + name + " is written by Finish and Plan")
	}
	f.mutex.Lock()
	_, intact := f.files[name]
	f.mutex.Unlock()
	if intact && f.mended != nil {
		return nil
	}
	sum, err := f.replace(name, write, f.makeWay)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.files[name] = sum
	return nil
}

// SHA256 returns the hash, in hexadecimal, of a file that Write made.
func (f *Folder) SHA256(name string) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.files[name]
}

// Plan writes what is to be flown into the folder, for a study to be resumed from before it has a manifest. The
// manifest that is there goes.
func (f *Folder) Plan(m Manifest) error {
	if _, err := f.replace(PlanName, func(w io.Writer) error { return WriteManifest(w, m) }, nil); err != nil {
		return err
	}
	return f.makeWay()
}

// Finish writes the manifest, which vouches for all files written before and is the last one.
func (f *Folder) Finish(m Manifest) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.mended != nil {
		m = *f.mended
		if maps.Equal(m.Files, f.files) {
			return f.remove(PlanName)
		}
	}
	m.Files = f.files
	if _, err := f.replace(ManifestName, func(w io.Writer) error { return WriteManifest(w, m) }, f.unvouch); err != nil {
		return err
	}
	return f.remove(PlanName)
}

// Mend takes a folder with a manifest as it is but for some files that differ from it: Write makes only those
// and files that the manifest does not list, and Finish the manifest only where that changed.
func (f *Folder) Mend(m Manifest, differing []string) {
	f.mended = &m
	for name, sum := range m.Files {
		if !slices.Contains(differing, name) {
			f.files[name] = sum
		}
	}
}

// Manifest reads the manifest of the folder, or its plan, see ReadManifest.
func (f *Folder) Manifest() (Manifest, error) { return ReadManifest(f.disk, f.path) }

// failed is the error for a file that cannot be written.
func (f *Folder) failed(name string, err error) error {
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
