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
)

// Folder is a directory that results are written to.
type Folder struct{ path string }

// partial is the suffix of a file that is not whole yet.
const partial = ".partial"

// probeName is the file that finds out whether a folder can be written to; a process that is killed may
// leave it.
const probeName = ".writable" + partial

// OpenFolder makes the folder, or takes an existing one that is empty, or any with force. It refuses,
// before any work is done for it, a folder that holds something and one that cannot be written to.
func OpenFolder(path string, force bool) (*Folder, error) {
	entries, err := os.ReadDir(path)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == probeName })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("output folder %s cannot be used: %w; name another with --out", path, cause(err))
	case len(entries) > 0 && !force:
		return nil, fmt.Errorf("output folder %s is not empty: it holds %s; name another with --out, or add --force to overwrite", path, entries[0].Name())
	}
	return ReopenFolder(path)
}

// ReopenFolder takes the folder with whatever it holds, or makes it. It refuses one that cannot be
// written to.
func ReopenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", path, cause(err))
	}
	probe := filepath.Join(path, probeName)
	if err := os.WriteFile(probe, nil, 0o666); err != nil {
		return nil, fmt.Errorf("output folder %s is not writable: %w; name another with --out", path, cause(err))
	}
	if err := os.Remove(probe); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("output folder %s is not writable: %w; name another with --out", path, cause(err))
	}
	return &Folder{path: path}, nil
}

// Clear removes files of the folder, those that exist.
func (f *Folder) Clear(names ...string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(f.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", filepath.Join(f.path, name), cause(err))
		}
	}
	return nil
}

// maxNumbered bounds the search for a free folder name.
const maxNumbered = 999_999

// NextFolder makes the first free one of parent/name-001, parent/name-002 and so on.
func NextFolder(parent, name string) (*Folder, error) {
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, fmt.Errorf("output folder %s cannot be made: %w; name another with --out", parent, cause(err))
	}
	for i := 1; i <= maxNumbered; i++ {
		path := filepath.Join(parent, fmt.Sprintf("%s-%03d", name, i))
		err := os.Mkdir(path, 0o777)
		if err == nil {
			return &Folder{path: path}, nil
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
	return err
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Write makes a file of that name from what the function writes.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	if err := errors.Join(write(buffered), buffered.Flush()); err != nil {
		file.abandon()
		return fmt.Errorf("writing %s: %w", filepath.Join(f.path, name), err)
	}
	return file.commit()
}

// pending is a file that is not whole yet.
type pending struct {
	*os.File
	path string
}

func (f *Folder) create(name string) (*pending, error) {
	path := filepath.Join(f.path, name)
	file, err := os.Create(path + partial)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, cause(err))
	}
	return &pending{File: file, path: path}, nil
}

// commit gives the file its name once its bytes are on disk.
func (p *pending) commit() error {
	err := errors.Join(p.Sync(), p.Close())
	if err == nil {
		err = os.Rename(p.Name(), p.path)
	}
	if err == nil {
		err = syncDirectory(filepath.Dir(p.path))
	}
	if err != nil {
		os.Remove(p.Name())
		return fmt.Errorf("writing %s: %w", p.path, err)
	}
	return nil
}

// abandon removes what was written.
func (p *pending) abandon() {
	p.Close()
	os.Remove(p.Name())
}

// syncDirectory makes a rename last. Systems that cannot sync a directory need not.
func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
