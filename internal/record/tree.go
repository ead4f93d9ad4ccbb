package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

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
