package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrIrregular is the error for a folder, a pipe or a device instead of a file. Reading some of them would never
// end.
var ErrIrregular = errors.New("it is not a regular file")

// openRegular opens a regular file for reading and returns its length. Otherwise the error is ErrIrregular.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path) // before opening, which would wait for the other end of a pipe
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err != nil {
		return nil, 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// ReadFile reads a regular file of a folder. A file longer than most bytes is an error; for one that does not
// exist the error is fs.ErrNotExist.
func ReadFile(folder, name string, most int64) ([]byte, error) {
	path := filepath.Join(folder, name)
	text, err := readWhole(path, most)
	if err != nil {
		err = fmt.Errorf("reading %s: %w", path, Cause(err))
	}
	return text, err
}

// readWhole reads a file of at most most bytes.
func readWhole(path string, most int64) ([]byte, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size <= most {
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(file, most+1)); err != nil {
			return nil, err
		}
		size = int64(len(text))
		if size <= most {
			return text, nil
		}
	}
	return nil, fmt.Errorf("it is longer than %d bytes, so veilpath did not write it", most)
}

// hashOf returns the SHA-256 of a reader's contents in hexadecimal, and their length.
func hashOf(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, &interruptible{ctx, r})
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// interruptible is a reader that stops when its context ends.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// RunsName is the name of the file with a study's runs.
const RunsName = "runs.parquet"

// AxisName is the name of the file with the pieces of a study over a range of epsilon.
const AxisName = "axis.parquet"

// ErrDamaged is the error for a file whose contents are invalid, or whose hash is not the one in the manifest.
var ErrDamaged = errors.New("damaged")

// VerifiedFile is an open file whose hash is the one in the manifest.
type VerifiedFile struct {
	*os.File
	size int64
}

// OpenVerified opens a file of a folder and checks that it has the hash in the manifest.
func OpenVerified(ctx context.Context, folder, name string, m Manifest) (*VerifiedFile, error) {
	path := filepath.Join(folder, name)
	file, size, err := openRegular(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, Cause(err))
	}
	sum, size, err := hashOf(ctx, io.NewSectionReader(file, 0, size))
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil:
		err = fmt.Errorf("reading %s: %w", path, Cause(err))
	case sum != m.Files[name]:
		err = fmt.Errorf("%s is %w, or belongs to another study: its SHA-256 is not the one in %s", path, ErrDamaged,
			ManifestName)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &VerifiedFile{file, size}, nil
}

// Size returns the length in bytes.
func (f *VerifiedFile) Size() int64 { return f.size }

// Damaged returns the ErrDamaged for invalid contents.
func (f *VerifiedFile) Damaged(reason error) error {
	return fmt.Errorf("%s is %w: %w", f.Name(), ErrDamaged, Cause(reason))
}

// DifferenceError is the error for a folder whose files differ from its manifest.
type DifferenceError struct {
	Folder           string
	Missing, Changed []string // names
}

// Error names the files.
func (e *DifferenceError) Error() string {
	var problems []string
	if len(e.Changed) > 0 {
		problems = append(problems, "changed: "+strings.Join(e.Changed, ", "))
	}
	if len(e.Missing) > 0 {
		problems = append(problems, "missing: "+strings.Join(e.Missing, ", "))
	}
	return fmt.Sprintf("%s: its files differ from its %s; %s", e.Folder, ManifestName,
		strings.Join(problems, "; "))
}

// Is reports that the error is an ErrDamaged.
func (e *DifferenceError) Is(target error) bool { return target == ErrDamaged }

// Names returns the names of all files that differ.
func (e *DifferenceError) Names() []string { return slices.Concat(e.Changed, e.Missing) }

// CheckFiles compares the hashes of a folder's files with its manifest. If a file differs or is missing the error
// is a DifferenceError. Files that the manifest does not list are ignored.
func CheckFiles(ctx context.Context, folder string, m Manifest) error {
	return CheckFilesWith(ctx, folder, m, func(name string) (io.ReadCloser, error) {
		file, _, err := openRegular(filepath.Join(folder, name))
		return file, err
	})
}

// CheckFilesWith is CheckFiles with a function that opens files by name. It returns ErrIrregular for anything but
// a regular file.
func CheckFilesWith(ctx context.Context, folder string, m Manifest,
	open func(name string) (io.ReadCloser, error)) error {
	difference := &DifferenceError{Folder: folder}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		sum, err := hashFile(ctx, name, open)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			difference.Missing = append(difference.Missing, name)
		case errors.Is(err, ErrIrregular) || err == nil && sum != m.Files[name]:
			difference.Changed = append(difference.Changed, name)
		case err != nil:
			return fmt.Errorf("reading %s: %w", filepath.Join(folder, name), Cause(err))
		}
	}
	if len(difference.Names()) == 0 {
		return nil
	}
	return difference
}

func hashFile(ctx context.Context, name string, open func(name string) (io.ReadCloser, error)) (string, error) {
	file, err := open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum, _, err := hashOf(ctx, file)
	return sum, err
}

// SameFile reports whether two paths name the same existing file or folder.
func SameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// Cause removes the path that errors of package os contain.
func Cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}
