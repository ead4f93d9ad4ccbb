package record

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// partial is the suffix of an incomplete file.
const partial = ".partial"

// maxPending bounds the search for a free temporary name.
const maxPending = 1000

// pending is a file under a temporary name that no other writer uses.
type pending struct {
	File
	disk      FileSystem
	temporary string
	path      string
	named     bool // the file is renamed to path
	sum       hash.Hash
	err       error // error of the file, as opposed to one of the function that writes
}

func newPending(file File, disk FileSystem, temporary, path string) *pending {
	return &pending{File: file, disk: disk, temporary: temporary, path: path, sum: sha256.New()}
}

// write writes and syncs a complete file under a temporary name.
func (f *Folder) write(name string, write func(io.Writer) error) (*pending, error) {
	p, err := f.create(name)
	if err != nil {
		return nil, f.failed(name, err)
	}
	err = p.fill(write)
	if p.err != nil {
		err = f.failed(name, p.err)
	}
	return p, err
}

// fill writes and syncs the file, or removes it after an error. p.err is set if the file failed, not if write
// failed.
func (p *pending) fill(write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(p, 1<<15)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		p.Close()
	} else {
		err = firstError(p.Sync(), p.Close())
		p.err = err
	}
	if err != nil {
		p.remove()
	}
	return err
}

// create creates a file under a free temporary name.
func (f *Folder) create(name string) (*pending, error) {
	for i := 1; ; i++ {
		temporary := filepath.Join(f.path, fmt.Sprintf("%s%d-%s%s", reserved, i, name, partial))
		file, err := f.disk.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return newPending(file, f.disk, temporary, filepath.Join(f.path, name)), nil
		}
		if !errors.Is(err, fs.ErrExist) || i == maxPending {
			return nil, err
		}
	}
}

// Write writes to the file.
func (p *pending) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	p.sum.Write(b[:n])
	if p.err == nil {
		p.err = err
	}
	return n, err
}

// sha256 returns the hash of the contents in hexadecimal.
func (p *pending) sha256() string { return hex.EncodeToString(p.sum.Sum(nil)) }

// rename gives the file its final name.
func (p *pending) rename() error {
	err := p.disk.Rename(p.temporary, p.path)
	p.named = err == nil
	return err
}

// remove removes the file under its temporary name.
func (p *pending) remove() { p.disk.Remove(p.temporary) }

// withdraw removes the file under its current name.
func (p *pending) withdraw() {
	if p.named {
		p.disk.Remove(p.path)
		return
	}
	p.remove()
}
