package recordtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"veilpath/internal/record"
)

// Disk is a record.FileSystem in memory. Paths are relative to its root, with or without a leading separator.
// The zero Disk is empty.
type Disk struct {
	// Before is called before every operation, without a lock. If it returns an error, the operation fails with it;
	// a Write or WriteAt that fails writes the first half of its bytes. Nil does nothing.
	Before func(Operation) error

	halfway func(Operation) // called when half of the bytes of a Write or WriteAt are written
	mutex   sync.Mutex
	root    node
}

// Operation is an operation on a disk.
type Operation struct {
	Name string // method of record.FileSystem or record.File
	Path string
}

// String describes the operation in a message.
func (o Operation) String() string { return o.Name + " " + o.Path }

// node is a file or a directory.
type node struct {
	entries, synced map[string]*node // of a directory: current and synced entries; nil for a file
	data, lasting   *contents        // of a file: current and synced contents
	holder          *handle          // handle that has locked it
}

// contents are the contents of a file. They never change, and copies of a disk share them.
type contents struct {
	bytes    []byte
	extended atomic.Bool // the capacity behind bytes is used by other contents
	sum      func() [sha256.Size]byte
	text     func() string
}

func newContents(b []byte) *contents {
	return &contents{
		bytes: b,
		sum:   sync.OnceValue(func() [sha256.Size]byte { return sha256.Sum256(b) }),
		text:  sync.OnceValue(func() string { return string(b) }),
	}
}

// from returns the bytes from an offset on.
func (c *contents) from(at int64) []byte { return c.bytes[min(at, int64(len(c.bytes))):] }

// with returns contents in which b is written at an offset.
func (c *contents) with(b []byte, at int64) *contents {
	switch {
	case len(b) == 0:
		return c
	case at == int64(len(c.bytes)) && c.extended.CompareAndSwap(false, true):
		return newContents(append(slices.Grow(c.bytes, max(len(b), len(c.bytes))), b...))
	}
	data := make([]byte, max(len(c.bytes), int(at)+len(b)))
	copy(data, c.bytes)
	copy(data[at:], b)
	return newContents(data)
}

func newFile() *node { return &node{data: newContents(nil), lasting: newContents(nil)} }

func newDirectory() *node { return &node{entries: map[string]*node{}, synced: map[string]*node{}} }

// before calls Before.
func (d *Disk) before(name, path string) error {
	if d.Before == nil {
		return nil
	}
	return d.Before(Operation{name, path})
}

// split returns the names in a path.
func split(path string) []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Clean(path)), func(r rune) bool { return r == '/' })
}

// find returns the node at a path.
func (d *Disk) find(path string) (*node, error) {
	at := d.base()
	for _, name := range split(path) {
		if name == "." {
			continue
		}
		if at.entries == nil {
			return nil, syscall.ENOTDIR
		}
		next, ok := at.entries[name]
		if !ok {
			return nil, syscall.ENOENT
		}
		at = next
	}
	return at, nil
}

func (d *Disk) base() *node {
	if d.root.entries == nil {
		d.root = *newDirectory()
	}
	return &d.root
}

// parent returns the directory that a path is in, and its name there.
func (d *Disk) parent(path string) (*node, string, error) {
	dir, err := d.find(filepath.Dir(filepath.Clean(path)))
	if err == nil && dir.entries == nil {
		err = syscall.ENOTDIR
	}
	return dir, filepath.Base(path), err
}

// wrong wraps an error as package os does.
func wrong(operation, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: operation, Path: path, Err: err}
}

// OpenFile implements record.FileSystem.
func (d *Disk) OpenFile(path string, flag int, _ fs.FileMode) (record.File, error) {
	if err := d.before("OpenFile", path); err != nil {
		return nil, wrong("open", path, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	n, err := d.open(path, flag)
	if err != nil {
		return nil, wrong("open", path, err)
	}
	return &handle{disk: d, node: n, path: path}, nil
}

func (d *Disk) open(path string, flag int) (*node, error) {
	dir, name, err := d.parent(path)
	if err != nil {
		return nil, err
	}
	n, ok := dir.entries[name]
	switch {
	case ok && flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		return nil, syscall.EEXIST
	case !ok && flag&os.O_CREATE == 0:
		return nil, syscall.ENOENT
	case ok && n.entries != nil:
		return nil, syscall.EISDIR
	case !ok:
		n = newFile()
		dir.entries[name] = n
	}
	if flag&os.O_TRUNC != 0 {
		n.data = newContents(nil)
	}
	return n, nil
}

// Mkdir implements record.FileSystem.
func (d *Disk) Mkdir(path string, _ fs.FileMode) error {
	return d.change("Mkdir", path, func(dir *node, name string) error {
		if _, ok := dir.entries[name]; ok {
			return syscall.EEXIST
		}
		dir.entries[name] = newDirectory()
		return nil
	})
}

// Rename implements record.FileSystem, for files.
func (d *Disk) Rename(from, to string) error {
	return d.change("Rename", to, func(dir *node, name string) error {
		source, old, err := d.parent(from)
		if err != nil {
			return err
		}
		n, ok := source.entries[old]
		if !ok {
			return syscall.ENOENT
		}
		if was, ok := dir.entries[name]; ok && was.entries != nil {
			return syscall.EISDIR
		}
		delete(source.entries, old)
		dir.entries[name] = n
		return nil
	})
}

// Remove implements record.FileSystem.
func (d *Disk) Remove(path string) error {
	return d.change("Remove", path, func(dir *node, name string) error {
		n, ok := dir.entries[name]
		switch {
		case !ok:
			return syscall.ENOENT
		case len(n.entries) > 0:
			return syscall.ENOTEMPTY
		}
		delete(dir.entries, name)
		return nil
	})
}

// change applies do to the directory of a path.
func (d *Disk) change(operation, path string, do func(dir *node, name string) error) error {
	if err := d.before(operation, path); err != nil {
		return wrong(operation, path, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	dir, name, err := d.parent(path)
	if err == nil {
		err = do(dir, name)
	}
	return wrong(operation, path, err)
}

// Stat implements record.FileSystem.
func (d *Disk) Stat(path string) (fs.FileInfo, error) {
	if err := d.before("Stat", path); err != nil {
		return nil, wrong("stat", path, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	n, err := d.find(path)
	if err != nil {
		return nil, wrong("stat", path, err)
	}
	return n.info(filepath.Base(path)), nil
}

// SameFile implements record.FileSystem.
func (d *Disk) SameFile(a, b fs.FileInfo) bool { return a.(info).node == b.(info).node }

// ReadDir implements record.FileSystem.
func (d *Disk) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := d.before("ReadDir", path); err != nil {
		return nil, wrong("open", path, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	n, err := d.find(path)
	if err == nil && n.entries == nil {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, wrong("open", path, err)
	}
	var entries []fs.DirEntry
	for name, n := range n.entries {
		entries = append(entries, fs.FileInfoToDirEntry(n.info(name)))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// SyncDir implements record.FileSystem.
func (d *Disk) SyncDir(path string) error {
	if err := d.before("SyncDir", path); err != nil {
		return wrong("sync", path, err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	n, err := d.find(path)
	if err == nil && n.entries == nil {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return wrong("sync", path, err)
	}
	n.synced = maps.Clone(n.entries)
	return nil
}

// info is the fs.FileInfo of a node.
type info struct {
	*node
	name string
	size int64
}

func (n *node) info(name string) info {
	if n.entries != nil {
		return info{n, name, 0}
	}
	return info{n, name, int64(len(n.data.bytes))}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) IsDir() bool        { return i.entries != nil }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) Sys() any           { return i.node }
func (i info) Mode() fs.FileMode {
	if i.IsDir() {
		return fs.ModeDir | 0o777
	}
	return 0o666
}

// Files returns the contents of the files in a directory by name, and nil where there is no such directory.
func (d *Disk) Files(path string) map[string]string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	n, err := d.find(path)
	if err != nil || n.entries == nil {
		return nil
	}
	files := map[string]string{}
	for name, n := range n.entries {
		if n.entries == nil {
			files[name] = n.data.text()
		}
	}
	return files
}

// Put creates a synced file and its missing directories.
func (d *Disk) Put(path, text string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	at := d.base()
	names := split(path)
	for i, name := range names {
		next, ok := at.entries[name]
		if !ok {
			next = newDirectory()
			if i == len(names)-1 {
				next = newFile()
			}
			at.entries[name] = next
		}
		at.synced[name] = next
		at = next
	}
	if at.entries != nil {
		panic(fmt.Sprintf("recordtest: %s is a directory", path))
	}
	at.data = newContents([]byte(text))
	at.lasting = at.data
}

// errClosed is the error for a closed file.
var errClosed = errors.New("the file is closed")
