package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Single is one file that this process alone reads and replaces until Close.
type Single struct {
	disk FileSystem
	path string
	lock File
}

// OpenSingle takes a file, which need not exist, for a verb. The folder that it lies in must. It fails with ErrBusy
// where another process has taken it.
func OpenSingle(disk FileSystem, path, verb string) (*Single, error) {
	s := &Single{disk: disk, path: path}
	lock, err := takeFile(disk, s.beside(".lock"), verb)
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("%s: %w; wait for it", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be kept there: %w", path, cause(err))
	}
	s.lock = lock
	return s, nil
}

// beside is the path of a file that a writer needs while it writes.
func (s *Single) beside(ending string) string {
	return filepath.Join(filepath.Dir(s.path), reserved+filepath.Base(s.path)+ending)
}

// Read reads the file, which is at most that long. The error for one that does not exist is fs.ErrNotExist.
func (s *Single) Read(most int64) ([]byte, error) {
	text, err := readWhole(s.disk, s.path, most)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("reading %s: %w", s.path, cause(err))
	}
	return text, err
}

// Replace puts what a function writes in the place of the file's contents. When it returns that lasts; when it fails
// the file holds what it held or, whole, what was written. An error of the function comes back as it is.
func (s *Single) Replace(write func(io.Writer) error) error {
	temporary := s.beside(".new")
	file, err := s.disk.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return s.failed(err)
	}
	p := newPending(file, s.disk, temporary, s.path)
	if err := p.fill(write); err != nil {
		return cmp.Or(s.failed(p.err), err)
	}
	if err := p.rename(); err != nil {
		p.remove()
		return s.failed(err)
	}
	return s.failed(s.disk.SyncDir(filepath.Dir(s.path)))
}

// failed is the error for a file that cannot be written; nil for none.
func (s *Single) failed(err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{Path: s.path, Err: cause(err)}
}

// Close lets other processes take the file.
func (s *Single) Close() error { return releaseFile(s.disk, s.beside(".lock"), s.lock) }
