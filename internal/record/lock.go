package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"veilpath/internal/option"
)

// lockName is the file that the writer of a folder locks. It contains the writer's name.
const lockName = reserved + "lock"

// maxHolder bounds the length of the name that is read.
const maxHolder = 200

// acquireLock locks a folder for a verb of this process. If another process has locked it, the error is ErrBusy.
func acquireLock(disk FileSystem, folder, verb string) (File, error) {
	file, err := acquireFile(disk, filepath.Join(folder, lockName), verb)
	if errors.Is(err, ErrBusy) {
		err = option.Errorf("%w; wait for it, stop it, or name another folder with {out}", err)
	}
	return file, err
}

// acquireFile creates and locks a file for a verb of this process. If another process has locked it, the error is
// ErrBusy.
func acquireFile(disk FileSystem, path, verb string) (File, error) {
	for {
		file, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := file.Lock(); errors.Is(err, ErrBusy) {
			err = fmt.Errorf("%w%s", err, holder(file))
			file.Close()
			return nil, err
		} else if err != nil {
			file.Close()
			return nil, err
		}
		named, err := isNamed(disk, file, path)
		if err == nil && named {
			err = sign(file, verb)
		}
		if err == nil && named {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
		// The previous owner removed the file after it was opened here and before it was locked.
	}
}

// isNamed reports whether an open file still has its name.
func isNamed(disk FileSystem, file File, path string) (bool, error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	named, err := disk.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && disk.SameFile(info, named), err
}

// sign writes into the file which process has locked it.
func sign(file File, verb string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "veilpath %s, process %d\n", verb, os.Getpid()), 0)
	return err
}

// holder reads which process has locked the file.
func holder(file File) string {
	text, _ := io.ReadAll(io.NewSectionReader(file, 0, maxHolder))
	name, whole := strings.CutSuffix(string(text), "\n")
	if !whole || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return ": " + name
}

// releaseLock removes and unlocks the lock file of a folder, and syncs the folder with all earlier removals.
func releaseLock(disk FileSystem, folder string, file File) error {
	return releaseFile(disk, filepath.Join(folder, lockName), file)
}

// releaseFile removes a file that acquireFile made, and unlocks it.
func releaseFile(disk FileSystem, path string, file File) error {
	folder := filepath.Dir(path)
	err := disk.Remove(path) // before the next process can lock it
	if closing := file.Close(); err == nil {
		return firstError(closing, disk.SyncDir(folder))
	}
	return firstError(disk.Remove(path), disk.SyncDir(folder)) // on systems that cannot remove an open file
}
