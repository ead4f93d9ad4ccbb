package pieces

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"veilpath/internal/option"
	"veilpath/internal/record"
)

// Folder is a directory for results, finished or not. All names are resolved below it by [os.Root]. Its methods may be
// called from several goroutines.
type Folder struct {
	path string
	root *os.Root
	made bool // by this process, which removes it if it stays empty

	mutex   sync.Mutex
	written map[string]written // complete files of the answer, by name, that are not yet renamed
	files   map[string]string  // SHA-256 of all files of the answer, by name
	stale   []string           // files of earlier answers, see Supersede
	kept    bool               // the pieces stay after the end

	manifest record.Manifest // of the answer; empty if that has none

	// Remedy is advice for the error of a file that cannot be written; it may be empty.
	Remedy string
}

// written is a file under its temporary name.
type written struct{ temporary, sha256 string }

// The names in the directory of pieces. All other files there have a temporary name, which begins with a dot.
const (
	dir       = record.PiecesName
	formerOne = dir + "/former.json" // the manifest of the answer that is being replaced
	nextOne   = dir + "/next.json"   // the manifest of the answer that replaces it
	ending    = ".piece"
)

// Create creates a folder for new results, or opens an existing one if it is empty or force is set, which discards
// unfinished work there. Call it before the work, so that errors come early.
func Create(path string, force bool) (*Folder, error) {
	entries, err := os.ReadDir(path)
	_, unfinished := os.Lstat(filepath.Join(path, record.WorkName))
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == dir })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, unusable(path, "cannot be used", err)
	case unfinished == nil && !force:
		return nil, option.Errorf("output folder %s holds unfinished work; repeat its command to go on, name another folder "+
			"with {out}, or add {force} to discard it and start over", path)
	case len(entries) > 0 && !force:
		return nil, option.Errorf("output folder %s is not empty: it holds %s; name another folder with {out}, or add "+
			"{force} to overwrite", path, entries[0].Name())
	}
	f, err := Open(path)
	if err == nil && force {
		if err = f.tidy(formerOne, nextOne); err != nil {
			f.Close()
			return nil, unusable(path, "cannot be used", err)
		}
	}
	return f, err
}

// Open opens a folder with all its contents, or creates it.
func Open(path string) (*Folder, error) {
	_, err := os.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, unusable(path, "cannot be created", err)
	}
	return open(path, made)
}

// largestNumber bounds the search for a free folder name.
const largestNumber = 999_999

// Next creates the first of parent/verb-001, parent/verb-002 and so on that does not exist.
func Next(parent, verb string) (*Folder, error) {
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, unusable(parent, "cannot be created", err)
	}
	for i := 1; i <= largestNumber; i++ {
		path := filepath.Join(parent, fmt.Sprintf("%s-%03d", verb, i))
		err := os.Mkdir(path, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, unusable(path, "cannot be created", err)
		}
		return open(path, true)
	}
	return nil, option.Errorf("all of %s-001 to %s-%d exist; name a folder with {out}", verb, verb, largestNumber)
}

// open opens an existing folder, and checks that it can be written.
func open(path string, made bool) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, unusable(path, "cannot be used", err)
	}
	f := &Folder{path: path, root: root, made: made, written: map[string]written{}, files: map[string]string{}}
	if err := f.makeDir(); err != nil {
		f.Close()
		return nil, unusable(path, "is not writable", err)
	}
	return f, nil
}

// unusable returns the error for a folder that cannot be used.
func unusable(path, problem string, err error) error {
	return option.Errorf("output folder %s %s: %w; name another with {out}", path, problem, record.Cause(err))
}

// makeDir makes the directory of pieces. A link in its place is an error.
func (f *Folder) makeDir() error {
	if err := f.root.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := f.root.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	return err
}

// Path returns the path of the folder, empty for nil.
func (f *Folder) Path() string {
	if f == nil {
		return ""
	}
	return f.path
}

// Close removes the files that are still under temporary names. It removes the folder if this process created it and
// it is empty. A nil folder does nothing.
func (f *Folder) Close() error {
	if f == nil || f.root == nil {
		return nil
	}
	for _, file := range f.written {
		f.root.Remove(file.temporary)
	}
	f.root.Remove(dir) // fails unless it is empty
	err := f.root.Close()
	f.root = nil
	if f.made {
		os.Remove(f.path) // fails unless it is empty
	}
	return err
}

// Supersede marks existing files for removal by Finish, which removes them when all new files are written: the given
// names, and files that manifests of earlier answers list. If the path stays is not empty, the file there is kept.
func (f *Folder) Supersede(stays string, names ...string) error {
	f.stale = append(f.stale, names...)
	for _, name := range []string{record.ManifestName, formerOne, nextOne} {
		text, err := f.readAll(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", filepath.Join(f.path, name), record.Cause(err))
		}
		m, _ := record.ParseManifest(text) // only files that a manifest lists are removed; others may belong to the user
		for _, name := range slices.Sorted(maps.Keys(m.Files)) {
			if !record.SameFile(filepath.Join(f.path, name), stays) {
				f.stale = append(f.stale, name)
			}
		}
	}
	return nil
}

// Write writes a file of the answer under a temporary name. Finish renames it together with all others. Writing a name
// again replaces the file. After an error there is no file. An error of the function is returned unchanged.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	file, err := f.temporary(name, true, write)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if before, again := f.written[name]; again {
		f.root.Remove(before.temporary)
	}
	f.written[name], f.files[name] = file, file.sha256
	return nil
}

// SHA256 returns the hash, in hexadecimal, of a file from Write.
func (f *Folder) SHA256(name string) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.files[name]
}

// Finish gives the written files their names and removes the superseded ones. The manifest with the hashes of all files
// comes last, and then the pieces go, unless this is a part of the work.
func (f *Folder) Finish(m record.Manifest) error {
	m.Files, m.Build = f.files, ""
	if f.kept = m.Shard != nil; f.kept {
		m.Kept = countPieces(f.root)
	}
	f.manifest = m
	write := func(w io.Writer) error { return record.WriteManifest(w, m) }
	if err := f.replace(nextOne, true, write); err != nil {
		return err
	}
	return f.publish(nextOne, record.ManifestName)
}

// FinishWith is Finish with another last file than the manifest.
func (f *Folder) FinishWith(name string, write func(io.Writer) error) error {
	file, err := f.temporary(name, true, write)
	if err != nil {
		return err
	}
	f.files[name] = file.sha256
	return f.publish(file.temporary, name)
}

// publish gives all written files their names, and then the last one. The manifest of an earlier answer is renamed
// first, so that a process that is killed meanwhile leaves a folder without a manifest. If another process has finished
// the same work in the meantime, and removed what this one had written, its files stay.
func (f *Folder) publish(temporary, last string) error {
	names := slices.Sorted(maps.Keys(f.written))
	for _, name := range append(names, last) {
		if info, err := f.root.Lstat(name); err == nil && info.IsDir() {
			return f.failed(name, syscall.EISDIR)
		}
	}
	if f.isFinished() {
		return f.tidy()
	}
	err := gone(f.root.Rename(record.ManifestName, formerOne))
	if err == nil {
		err = f.failed(".", record.SyncDir(f.path))
	}
	for _, name := range names {
		if err == nil {
			err = f.failed(name, f.root.Rename(f.written[name].temporary, name))
		}
	}
	for _, name := range f.stale {
		if _, stays := f.files[name]; !stays && err == nil {
			err = f.failed(name, gone(f.root.Remove(name)))
		}
	}
	if err == nil {
		err = f.failed(".", record.SyncDir(f.path))
	}
	if err == nil {
		err = f.failed(last, f.root.Rename(temporary, last))
	}
	if errors.Is(err, fs.ErrNotExist) {
		f.root.Rename(formerOne, record.ManifestName) // perhaps that of the other process
		if f.isFinished() {
			err = nil
		}
	}
	if err == nil {
		err = f.failed(".", record.SyncDir(f.path))
	}
	if err != nil {
		return err
	}
	clear(f.written)
	if f.kept {
		return nil
	}
	return f.tidy()
}

// isFinished reports whether the folder has the finished answer of this process already, whole.
func (f *Folder) isFinished() bool {
	m, err := record.ReadManifest(f.path)
	return err == nil && m.Complete && maps.Equal(m.Files, f.files) && m.ConfigSHA256 == f.manifest.ConfigSHA256 &&
		m.Identity() == f.manifest.Identity() && !f.kept &&
		record.CheckFiles(context.Background(), f.path, m) == nil
}

// Tidy removes what a process left in a finished folder that was killed at its end.
func (f *Folder) Tidy() error { return f.failed(dir, f.tidy()) }

// tidy removes the pieces and temporary files, and nothing else, except those that stay.
func (f *Folder) tidy(stay ...string) error {
	entries, err := fs.ReadDir(f.root.FS(), dir)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		ours := name == record.WorkName || name == formerOne || name == nextOne
		if slices.Contains(stay, name) {
			continue
		}
		if err == nil && (ours || strings.HasPrefix(e.Name(), ".") || path.Ext(name) == ending) {
			err = gone(f.root.Remove(name))
		}
	}
	if gone(err) == nil {
		f.root.Remove(dir) // fails if another process or the user has files there
	}
	return gone(err)
}

// gone returns nil for the error of what does not exist.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// replace writes a file under a temporary name and renames it.
func (f *Folder) replace(name string, sync bool, write func(io.Writer) error) error {
	for try := 1; ; try++ {
		file, err := f.temporary(path.Base(name), sync, write)
		if err != nil {
			return err
		}
		err = f.root.Rename(file.temporary, name)
		if errors.Is(err, fs.ErrNotExist) && try < tries {
			continue // another process has finished the same work and removed the pieces
		}
		if err != nil {
			f.root.Remove(file.temporary)
		}
		return f.failed(name, err)
	}
}

// tries is how often a process makes a file again that another one removes at its end.
const tries = 10

// temporary writes a file under a temporary name. A file that is synced is hashed too. After an error there is no file.
func (f *Folder) temporary(name string, sync bool, write func(io.Writer) error) (w written, err error) {
	var file *os.File
	for try := 1; ; try++ {
		w.temporary = path.Join(dir, "."+name+"-"+rand.Text())
		if err = f.makeDir(); err == nil {
			file, err = f.root.OpenFile(w.temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		}
		if !errors.Is(err, fs.ErrNotExist) || try == tries {
			break
		}
	}
	if err != nil {
		return w, f.failed(name, err)
	}
	to := &hashed{file: file}
	if sync {
		to.sum = sha256.New()
	}
	buffered := bufio.NewWriterSize(to, 1<<15)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil && sync {
		to.err = file.Sync()
	}
	if closing := file.Close(); err == nil && to.err == nil {
		to.err = closing
	}
	if to.err != nil {
		err = f.failed(name, to.err)
	}
	if err != nil {
		f.root.Remove(w.temporary)
	}
	if sync {
		w.sha256 = fmt.Sprintf("%x", to.sum.Sum(nil))
	}
	return w, err
}

// hashed is a file whose contents are hashed as they are written.
type hashed struct {
	file *os.File
	sum  hash.Hash // nil for none
	err  error     // of the file, as opposed to one of what writes to it
}

// Write implements io.Writer.
func (h *hashed) Write(b []byte) (int, error) {
	n, err := h.file.Write(b)
	if h.sum != nil {
		h.sum.Write(b[:n])
	}
	if h.err == nil {
		h.err = err
	}
	return n, err
}

// readAll reads a regular file, which is no link.
func (f *Folder) readAll(name string) ([]byte, error) {
	var b []byte
	err := readInto(f.root, name, &b)
	return b, err
}

// mostBytes bounds what a damaged file can make a reader allocate.
const mostBytes = 1 << 30

// readInto reads a regular file, which is no link, into a buffer, which grows.
func readInto(root *os.Root, name string, buffer *[]byte) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return record.ErrIrregular
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	*buffer = slices.Grow((*buffer)[:0], int(info.Size()))[:info.Size()]
	_, err = io.ReadFull(file, *buffer)
	return err
}

// failed returns the error for a file that cannot be written; nil if err is nil.
func (f *Folder) failed(name string, err error) error {
	if err == nil || errors.As(err, new(*WriteError)) {
		return err
	}
	err = &WriteError{Path: filepath.Join(f.path, name), Err: record.Cause(err)}
	if f.Remedy != "" {
		err = fmt.Errorf("%w; %s", err, f.Remedy)
	}
	return err
}

// WriteError is the error of a file that cannot be written, such as on a full disk.
type WriteError struct {
	Path string
	Err  error
}

// Error names the file and the cause.
func (e *WriteError) Error() string { return fmt.Sprintf("writing %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }
