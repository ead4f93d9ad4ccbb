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

// lockName is the file that the process that writes to a folder has locked. It says which process that is.
const lockName = reserved + "lock"

// maxHolder bounds how much of that is read.
const maxHolder = 200

// takeLock locks a folder for a verb of this process. It fails with ErrBusy where another process has it.
func takeLock(disk FileSystem, folder, verb string) (File, error) {
	file, err := takeFile(disk, filepath.Join(folder, lockName), verb)
	if errors.Is(err, ErrBusy) {
		err = option.Errorf("%w; wait for it, stop it, or name another with {out}", err)
	}
	return file, err
}

// takeFile makes and locks a file for a verb of this process. It fails with ErrBusy where another process has it.
func takeFile(disk FileSystem, path, verb string) (File, error) {
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
		// The process that had it before removed the file between the opening and the locking.
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

// sign says in the file who has locked it.
func sign(file File, verb string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "veilpath %s, process %d\n", verb, os.Getpid()), 0)
	return err
}

// holder reads who has locked the file.
func holder(file File) string {
	text, _ := io.ReadAll(io.NewSectionReader(file, 0, maxHolder))
	name, whole := strings.CutSuffix(string(text), "\n")
	if !whole || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return ": " + name
}

// releaseLock removes the file and unlocks it. That it and what a study needed on its way are gone lasts from then on.
func releaseLock(disk FileSystem, folder string, file File) error {
	return releaseFile(disk, filepath.Join(folder, lockName), file)
}

// releaseFile removes a file that takeFile made, and unlocks it.
func releaseFile(disk FileSystem, path string, file File) error {
	folder := filepath.Dir(path)
	err := disk.Remove(path) // before the next process can lock it
	if closing := file.Close(); err == nil {
		return firstError(closing, disk.SyncDir(folder))
	}
	return firstError(disk.Remove(path), disk.SyncDir(folder)) // of a system where an open file keeps its name
}
