package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile replaces a file by what a function writes, and syncs it before it gets its name. A new file has the mode,
// before the umask. After an error the file has either its old contents or all of the new ones.
func WriteFile(path string, mode fs.FileMode, write func(io.Writer) error) error {
	temporary := filepath.Join(filepath.Dir(path), ".veilpath-"+filepath.Base(path)+".new")
	os.Remove(temporary) // what a killed process left would keep its mode
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, Cause(err))
	}
	buffered := bufio.NewWriter(file)
	err = firstError(write(buffered), buffered.Flush(), file.Sync())
	if err = firstError(err, file.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("writing %s: %w", path, Cause(err))
	}
	return SyncDir(filepath.Dir(path))
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
