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

// Folder is a directory for results, which this process locks until Close. Files are first written under temporary
// names. Once all of them are complete, [Folder.Finish] renames them: it removes the manifest of an earlier
// answer, renames the new files, and writes their manifest, which contains the hashes of all others, last.
type Folder struct {
	disk     FileSystem
	path     string
	lock     File
	made     bool // created by the program
	reopened bool // opened with its contents kept

	mutex   sync.Mutex
	files   map[string]string   // SHA-256, in hexadecimal, by name
	written map[string]*pending // complete files under temporary names
	order   []string            // their names, in the order of writing
	stale   []string            // names of files to remove before the new ones are renamed, see Supersede
	former  []string            // temporary names of manifests that a killed writer left
	journal *Journal            // of the work in the folder; nil if none was opened

	// Page requests a page of the files.
	Page bool

	// Remedy is advice for the error of a file that cannot be written; it may be empty.
	Remedy string
}

// reserved is the prefix of the files that a writer uses while it writes.
const reserved = ".veilpath-"

// ErrBusy is the error for a folder that another process writes to.
var ErrBusy = errors.New("another process is working in it")

// OpenFolder creates the folder for a verb, or opens an existing one if it is empty or force is set. A folder that
// another process writes to is an error with ErrBusy. Call it before the work, so that errors come early.
func OpenFolder(disk FileSystem, path, verb string, force bool) (*Folder, error) {
	if err := checkFree(disk, path, force); err != nil { // before creating anything there
		return nil, err
	}
	f, err := ReopenFolder(disk, path, verb)
	if err != nil {
		return nil, err
	}
	if err := checkFree(disk, path, force); err != nil { // another process may have been faster
		f.Close()
		return nil, err
	}
	f.reopened = false
	return f, nil
}

// unfinishedFiles returns the names of the files of unfinished work.
func unfinishedFiles() []string { return []string{PlanName, JournalName} }

// checkFree returns an error for a folder that is not empty, unless force is set.
func checkFree(disk FileSystem, path string, force bool) error {
	entries, err := disk.ReadDir(path)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), reserved) })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return unusable(path, "cannot be used", err)
	case !force && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return slices.Contains(unfinishedFiles(), e.Name())
	}):
		return option.Errorf("output folder %s holds unfinished work; continue it with {resume}, name another folder "+
			"with {out}, or add {force} to discard it and start over", path)
	case len(entries) > 0 && !force:
		return option.Errorf("output folder %s is not empty: it holds %s; name another folder with {out}, or add {force} "+
			"to overwrite", path, entries[0].Name())
	}
	return nil
}

// ReopenFolder opens the folder for a verb with all its contents, or creates it. If another process writes to it,
// the error is ErrBusy.
func ReopenFolder(disk FileSystem, path, verb string) (*Folder, error) {
	_, err := disk.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := makeAll(disk, path); err != nil {
		return nil, unusable(path, "cannot be created", err)
	}
	f, err := lockFolder(disk, path, verb, made)
	if err == nil {
		f.reopened = true
	}
	return f, err
}

// maxNumbered bounds the search for a free folder name.
const maxNumbered = 999_999

// NextFolder creates the first of parent/verb-001, parent/verb-002 and so on that does not exist.
func NextFolder(disk FileSystem, parent, verb string) (*Folder, error) {
	if err := makeAll(disk, parent); err != nil {
		return nil, unusable(parent, "cannot be created", err)
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
			return nil, unusable(path, "cannot be created", err)
		}
		return lockFolder(disk, path, verb, true)
	}
	return nil, option.Errorf("all of %s-001 to %s-%d exist; name a folder with {out}", verb, verb, maxNumbered)
}

// unusable returns the error for a folder that cannot be used.
func unusable(path, problem string, err error) error {
	return option.Errorf("output folder %s %s: %w; name another with {out}", path, problem, cause(err))
}

// makeAll creates a directory and its missing parents, and syncs them.
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

// lockFolder locks an existing folder and removes the temporary files of killed writers.
func lockFolder(disk FileSystem, path, verb string, made bool) (*Folder, error) {
	lock, err := acquireLock(disk, path, verb)
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

// sweep removes incomplete files of killed writers. If a writer was killed after it removed the old manifest and
// before it wrote the new one, both stay under temporary names until the files that they list are superseded.
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

// Close removes files that are still under temporary names and unlocks the folder. It removes the folder if the
// program created it and it is still empty. A nil folder does nothing.
func (f *Folder) Close() error {
	if f == nil || f.lock == nil {
		return nil
	}
	f.drop()
	err := releaseLock(f.disk, f.path, f.lock)
	f.lock = nil
	if f.made {
		f.disk.Remove(f.path) // fails unless the folder is empty
	}
	return err
}

// Unfinished reports whether a folder holds files that exist only during writing: a writer is working there, or
// was killed.
func Unfinished(disk FileSystem, folder string) bool {
	entries, err := disk.ReadDir(folder)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return slices.Contains(unfinishedFiles(), e.Name()) || strings.HasPrefix(e.Name(), reserved)
	})
}

// Path returns the path of the folder.
func (f *Folder) Path() string { return f.path }

// Supersede marks existing files for removal by Finish, which removes them only when all new files are written,
// after the manifest and in this order: the given names, files of unfinished work, and files that the manifests
// list, including manifests that a killed writer left. A journal that was opened stays with its plan. Errors before
// that lose nothing. If the path stays is not empty, the file there is kept.
func (f *Folder) Supersede(stays string, names ...string) error {
	f.stale = append(append(f.stale, names...), unfinishedFiles()...)
	for _, manifest := range append([]string{ManifestName}, f.former...) {
		text, err := readWhole(f.disk, filepath.Join(f.path, manifest), maxManifest)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading %s: %w", filepath.Join(f.path, manifest), cause(err))
		}
		m, _ := ParseManifest(text) // only files that a manifest lists are removed; others may belong to the user
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

// sameFile reports whether two paths name the same existing file. The second may be empty.
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

// Restart removes the plan and the journal of unfinished work, so that other work can begin, and those that a process
// left which was killed at the end of its work. Finished files stay.
func (f *Folder) Restart() error {
	if err := f.remove(PlanName); err != nil {
		return err
	}
	return f.RemoveJournal()
}

// remove removes a file, if it exists, and syncs the folder.
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

// Manifest returns what a study in a reopened folder continues from, see [ReadStudy]. For a folder that was opened
// to be overwritten the error is ErrNoManifest.
func (f *Folder) Manifest() (Manifest, error) {
	if !f.reopened {
		return Manifest{}, fmt.Errorf("%s: %w", f.path, ErrNoManifest)
	}
	return ReadStudy(f.disk, f.path)
}

// failed returns the error for a file that cannot be written; nil if err is nil.
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

// WriteError is the error of a file that cannot be written, such as on a full disk.
type WriteError struct {
	Path string
	Err  error
}

// Error names the file and the cause.
func (e *WriteError) Error() string { return fmt.Sprintf("writing %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// cause removes the path that errors of package os contain.
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

// firstError returns the first error of several; later ones usually follow from it.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
