package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrBusy is the error for a file that another process has locked.
var ErrBusy = errors.New("another process is working in it")

// LockedFile is a file that this process locks until Close. Only this process reads and replaces it.
type LockedFile struct {
	path string
	mode fs.FileMode
	lock *os.File // beside the file, with the name of the process
}

// OpenLocked locks a file for a verb. The file need not exist, but its folder must. Replace gives it the mode, before
// the umask. If another process has locked the file, the error is ErrBusy.
func OpenLocked(path, verb string, mode fs.FileMode) (*LockedFile, error) {
	s := &LockedFile{path: path, mode: mode}
	for {
		file, err := os.OpenFile(s.beside(".lock"), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written there: %w", path, cause(err))
		}
		err = lock(file)
		switch {
		case errors.Is(err, ErrBusy):
			err = fmt.Errorf("%s: %w%s; wait for it", path, err, holder(file))
		case err == nil && isNamed(file, s.beside(".lock")):
			if err = sign(file, verb); err == nil {
				s.lock = file
				return s, nil
			}
		}
		file.Close()
		if err != nil {
			return nil, err
		}
		// The previous owner removed the lock after it was opened here and before it was locked.
	}
}

// isNamed reports whether an open file still has its name.
func isNamed(file *os.File, path string) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(info, named)
}

// sign writes into the lock which process has it.
func sign(file *os.File, verb string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "veilpath %s, process %d\n", verb, os.Getpid()), 0)
	return err
}

// holder reads which process has the lock.
func holder(file *os.File) string {
	const longest = 200
	text, _ := io.ReadAll(io.NewSectionReader(file, 0, longest))
	name, whole := strings.CutSuffix(string(text), "\n")
	if !whole || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return ": " + name
}

// beside returns the path of a temporary file in the same folder.
func (s *LockedFile) beside(ending string) string {
	return filepath.Join(filepath.Dir(s.path), ".veilpath-"+filepath.Base(s.path)+ending)
}

// Read returns the contents. A file longer than most bytes is an error; for one that does not exist the error is
// fs.ErrNotExist.
func (s *LockedFile) Read(most int64) ([]byte, error) {
	text, err := readWhole(s.path, most)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("reading %s: %w", s.path, cause(err))
	}
	return text, err
}

// Replace replaces the contents by what a function writes, and syncs them before they get the name. After an error the
// file has either its old contents or all of the new ones.
func (s *LockedFile) Replace(write func(io.Writer) error) error {
	temporary := s.beside(".new")
	os.Remove(temporary) // what a killed process left would keep its mode
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
	if err != nil {
		return fmt.Errorf("writing %s: %w", s.path, cause(err))
	}
	buffered := bufio.NewWriter(file)
	err = firstError(write(buffered), buffered.Flush(), file.Sync())
	if err = firstError(err, file.Close()); err == nil {
		err = os.Rename(temporary, s.path)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("writing %s: %w", s.path, cause(err))
	}
	return SyncDir(filepath.Dir(s.path))
}

// Close unlocks the file.
func (s *LockedFile) Close() error {
	path := s.beside(".lock")
	err := os.Remove(path) // before the next process can lock it
	if closing := s.lock.Close(); err == nil {
		return closing
	}
	return os.Remove(path) // on systems that cannot remove an open file
}

// SyncDir flushes the names of a directory to disk, on systems that can.
func SyncDir(path string) error {
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

// firstError returns the first error of several; later ones usually follow from it.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
