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

// WriteTree writes a directory of files, whose names may contain slashes. The directory appears complete or not at
// all, and is synced. If it already exists and is not empty, the error is fs.ErrExist.
func WriteTree(path string, files map[string][]byte) (err error) {
	path = filepath.Clean(path)
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, "."+filepath.Base(path)+"-*.partial")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(work))
		}
	}()
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	folders := map[string]bool{}
	for name, text := range files {
		file := filepath.Join(work, filepath.FromSlash(name))
		folders[filepath.Dir(file)] = true
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := writeSynced(file, text); err != nil {
			return err
		}
	}
	for folder := range folders {
		if err := SyncDir(folder); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(work, path); err != nil {
		return err
	}
	return SyncDir(parent)
}

func writeSynced(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return firstError(err, file.Sync(), file.Close())
}

// CheckTree returns an error if WriteTree could not create the directory. It leaves nothing behind.
func CheckTree(path string) error {
	path = filepath.Clean(path)
	parent := filepath.Dir(path)
	for parent != filepath.Dir(parent) {
		if _, err := os.Stat(parent); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		parent = filepath.Dir(parent)
	}
	work, err := os.MkdirTemp(parent, "."+filepath.Base(path)+"-*.partial")
	if err != nil {
		return err
	}
	return os.Remove(work)
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
