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

// LockedFile is a file that this process locks until Close. Only this process reads and replaces it.
type LockedFile struct {
	disk FileSystem
	path string
	mode fs.FileMode
	lock File
}

// OpenLocked locks a file for a verb. The file need not exist, but its folder must. Replace gives it the mode, before
// the umask. If another process has locked the file, the error is ErrBusy.
func OpenLocked(disk FileSystem, path, verb string, mode fs.FileMode) (*LockedFile, error) {
	s := &LockedFile{disk: disk, path: path, mode: mode}
	lock, err := acquireFile(disk, s.beside(".lock"), verb)
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("%s: %w; wait for it", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written there: %w", path, cause(err))
	}
	s.lock = lock
	return s, nil
}

// beside returns the path of a temporary file in the same folder.
func (s *LockedFile) beside(ending string) string {
	return filepath.Join(filepath.Dir(s.path), reserved+filepath.Base(s.path)+ending)
}

// Read returns the contents. A file longer than most bytes is an error; for one that does not exist the error is
// fs.ErrNotExist.
func (s *LockedFile) Read(most int64) ([]byte, error) {
	text, err := readWhole(s.disk, s.path, most)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("reading %s: %w", s.path, cause(err))
	}
	return text, err
}

// Replace replaces the contents by what a function writes, and syncs them. After an error the file has either its
// old contents or all of the new ones. An error of the function is returned unchanged.
func (s *LockedFile) Replace(write func(io.Writer) error) error {
	temporary := s.beside(".new")
	// A file that a killed process left would keep its mode.
	if err := s.disk.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.failed(err)
	}
	file, err := s.disk.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
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

// failed returns the error for a file that cannot be written; nil if err is nil.
func (s *LockedFile) failed(err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{Path: s.path, Err: cause(err)}
}

// Close unlocks the file.
func (s *LockedFile) Close() error { return releaseFile(s.disk, s.beside(".lock"), s.lock) }
