package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Folder is a directory that results are written to.
type Folder struct {
	disk   FileSystem
	path   string
	mended bool // only what is missing is written
	made   bool // by the program, not found

	// Remedy says what to do about a file that cannot be written, for the error; it may be empty.
	Remedy string
}

// partial is the suffix of a file that is not whole yet.
const partial = ".partial"

// probeName is the file that finds out whether a folder can be written to; a process that is killed may
// leave it.
const probeName = ".writable" + partial

// OpenFolder makes the folder, or takes an existing one that is empty, or any with force. It refuses,
// before any work is done for it, a folder that holds something and one that cannot be written to.
func OpenFolder(disk FileSystem, path string, force bool) (*Folder, error) {
	entries, err := disk.ReadDir(path)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == probeName })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("output folder %s cannot be used: %w; name another with --out", path, cause(err))
	case len(entries) > 0 && !force:
		return nil, fmt.Errorf("output folder %s is not empty: it holds %s; name another with --out, or add --force to overwrite", path, entries[0].Name())
	}
	return ReopenFolder(disk, path)
}

// ReopenFolder takes the folder with whatever it holds, or makes it. It refuses one that cannot be
// written to.
func ReopenFolder(disk FileSystem, path string) (*Folder, error) {
	_, err := disk.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := makeAll(disk, path); err != nil {
		return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
	}
	probe := filepath.Join(path, probeName)
	file, err := disk.OpenFile(probe, os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		err = firstError(file.Close(), disk.Remove(probe))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("output folder %s is not writable: %w; name another with --out", path, cause(err))
	}
	return &Folder{disk: disk, path: path, made: made}, nil
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

// MendFolder takes a folder of results of which only those files are to be written that are missing.
func MendFolder(disk FileSystem, path string) *Folder {
	return &Folder{disk: disk, path: path, mended: true}
}

// Discard removes the folder again when it was made and is still empty.
func (f *Folder) Discard() {
	if f.made {
		f.disk.Remove(f.path) // which fails when it holds something
	}
}

// Clear removes files of the folder, those that exist.
func (f *Folder) Clear(names ...string) error {
	for _, name := range names {
		if err := f.disk.Remove(filepath.Join(f.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", filepath.Join(f.path, name), cause(err))
		}
	}
	return nil
}

// maxNumbered bounds the search for a free folder name.
const maxNumbered = 999_999

// NextFolder makes the first free one of parent/name-001, parent/name-002 and so on.
func NextFolder(disk FileSystem, parent, name string) (*Folder, error) {
	if err := makeAll(disk, parent); err != nil {
		return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", parent, cause(err))
	}
	for i := 1; i <= maxNumbered; i++ {
		path := filepath.Join(parent, fmt.Sprintf("%s-%03d", name, i))
		err := disk.Mkdir(path, 0o777)
		if err == nil {
			if err := disk.SyncDir(parent); err != nil {
				return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
			}
			return &Folder{disk: disk, path: path, made: true}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
		}
	}
	return nil, fmt.Errorf("all of %s-001 to %s-%d exist; name a folder with --out", name, name, maxNumbered)
}

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

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Write makes a file of that name from what the function writes. An error of the function that is not of
// the file comes back as it is.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	if f.mended && f.has(name) {
		return nil
	}
	file, err := f.create(name)
	if err != nil {
		return f.failed(name, err)
	}
	disk := &diskWriter{file: file}
	buffered := bufio.NewWriter(disk)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		file.abandon()
		if disk.err == nil {
			return err
		}
		return f.failed(name, disk.err)
	}
	if err := file.commit(); err != nil {
		return f.failed(name, err)
	}
	return nil
}

func (f *Folder) has(name string) bool {
	_, err := f.disk.Stat(filepath.Join(f.path, name))
	return err == nil
}

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

// diskWriter keeps the error of a file, to tell it from one of what is written.
type diskWriter struct {
	file io.Writer
	err  error
}

// Write writes to the file.
func (w *diskWriter) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// pending is a file that is not whole yet.
type pending struct {
	File
	disk FileSystem
	path string
}

func (f *Folder) create(name string) (*pending, error) {
	path := filepath.Join(f.path, name)
	file, err := f.disk.OpenFile(path+partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	return &pending{File: file, disk: f.disk, path: path}, err
}

// commit gives the file its name once its bytes are on disk.
func (p *pending) commit() error {
	err := firstError(p.Sync(), p.Close())
	if err == nil {
		err = p.disk.Rename(p.path+partial, p.path)
	}
	if err == nil {
		return p.disk.SyncDir(filepath.Dir(p.path))
	}
	p.disk.Remove(p.path + partial)
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

// abandon removes what was written.
func (p *pending) abandon() {
	p.Close()
	p.disk.Remove(p.path + partial)
}
