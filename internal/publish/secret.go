package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"veilpath/internal/option"
)

// realPath follows the symbolic links of a path. The file need not exist, but a link to a file that does not exist is
// an error: it could lead to different files later.
func realPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link to a file that does not exist; name the file", path)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path, nil // opening the file reports that its folder is missing
	}
	return filepath.Join(folder, filepath.Base(path)), nil
}

// CheckOutside returns an error if the folder of a release, or a folder in it, holds a secret file under any name: the
// release could replace the file, or be published with it. The secret file need not exist yet.
func CheckOutside(secret, folder string) error {
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil // a folder that does not exist holds nothing
	}
	path, err := realPath(secret)
	if err != nil {
		return err
	}
	home, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return nil // opening the secret file reports that its folder is missing
	}
	file, _ := os.Stat(path) // nil if it does not exist, which is the same file as no other
	held := false
	err = filepath.WalkDir(root, func(name string, _ fs.DirEntry, _ error) error {
		info, err := os.Stat(name)
		if err == nil && (os.SameFile(info, home) || os.SameFile(info, file)) {
			held = true
			return fs.SkipAll
		}
		return nil // files that cannot be read cannot be published
	})
	if held {
		err = option.Errorf("{out} %s holds %s, which must stay secret; name a folder for what is published", folder, secret)
	}
	return err
}
