package record

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// WriteTree writes a directory of files, whose names may contain slashes. The directory appears complete or not at
// all, and is synced. If it already exists and is not empty, the error is fs.ErrExist.
func WriteTree(disk FileSystem, path string, files map[string][]byte) error {
	path = filepath.Clean(path)
	parent := filepath.Dir(path)
	if err := makeAll(disk, parent); err != nil {
		return err
	}
	work, err := makeTemporary(disk, filepath.Join(parent, "."+filepath.Base(path)))
	if err != nil {
		return err
	}
	if err := writeAll(disk, work, files); err != nil {
		return errors.Join(err, removeAll(disk, work))
	}
	if err := disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, removeAll(disk, work))
	}
	if err := disk.Rename(work, path); err != nil {
		return errors.Join(err, removeAll(disk, work))
	}
	return disk.SyncDir(parent)
}

// CheckTree returns an error if WriteTree could not create the directory. It leaves nothing behind.
func CheckTree(disk FileSystem, path string) error {
	path = filepath.Clean(path)
	parent := filepath.Dir(path)
	for parent != filepath.Dir(parent) {
		if _, err := disk.Stat(parent); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		parent = filepath.Dir(parent)
	}
	work, err := makeTemporary(disk, filepath.Join(parent, "."+filepath.Base(path)))
	if err != nil {
		return err
	}
	return disk.Remove(work)
}

// makeTemporary creates a directory under the first free name with a number.
func makeTemporary(disk FileSystem, name string) (string, error) {
	for i := 1; ; i++ {
		path := fmt.Sprintf("%s-%d%s", name, i, partial)
		if err := disk.Mkdir(path, 0o755); !errors.Is(err, fs.ErrExist) || i == maxPending {
			return path, err
		}
	}
}

// writeAll writes and syncs files in a directory and its subdirectories.
func writeAll(disk FileSystem, root string, files map[string][]byte) error {
	folders := map[string]bool{root: true}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := makeAll(disk, filepath.Dir(path)); err != nil {
			return err
		}
		folders[filepath.Dir(path)] = true
		file, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = file.Write(files[name])
		if err := firstError(err, file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	for folder := range folders {
		if err := disk.SyncDir(folder); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes a directory with its contents.
func removeAll(disk FileSystem, path string) error {
	entries, err := disk.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		remove := disk.Remove
		if e.IsDir() {
			remove = func(name string) error { return removeAll(disk, name) }
		}
		if err := remove(filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	return disk.Remove(path)
}
