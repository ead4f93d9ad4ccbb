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

// partial is the suffix of a file that is not whole yet.
const partial = ".partial"

// maxPending bounds the search for a temporary name that is free.
const maxPending = 1000

// pending is a file that is not whole yet. It has a name of its own, which no other writer has.
type pending struct {
	File
	disk      FileSystem
	temporary string
	path      string
	sum       hash.Hash
	err       error // of the file, to tell it from one of what is written
}

// replace puts a file that a function writes in the place of one of that name, whole or not at all, and returns
// its SHA-256. Once it is written, and before it takes its name, it calls makeWay, unless that is nil.
func (f *Folder) replace(name string, write func(io.Writer) error, makeWay func() error) (sum string, err error) {
	p, err := f.create(name)
	if err != nil {
		return "", f.failed(name, err)
	}
	buffered := bufio.NewWriter(p)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		p.abandon()
		if p.err == nil {
			return "", err
		}
		return "", f.failed(name, p.err)
	}
	if err := p.settle(); err != nil {
		return "", f.failed(name, err)
	}
	if makeWay != nil {
		if err := makeWay(); err != nil {
			p.disk.Remove(p.temporary)
			return "", err
		}
	}
	if err := p.commit(); err != nil {
		return "", f.failed(name, err)
	}
	return hex.EncodeToString(p.sum.Sum(nil)), nil
}

// create begins a file.
func (f *Folder) create(name string) (*pending, error) {
	for i := 1; ; i++ {
		temporary := filepath.Join(f.path, fmt.Sprintf("%s%d-%s%s", reserved, i, name, partial))
		file, err := f.disk.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &pending{File: file, disk: f.disk, temporary: temporary, path: filepath.Join(f.path, name), sum: sha256.New()}, nil
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

// settle makes the bytes of the file last, and closes it.
func (p *pending) settle() error {
	err := firstError(p.Sync(), p.Close())
	if err != nil {
		p.disk.Remove(p.temporary)
	}
	return err
}

// commit gives the file, which is settled, its name and makes that last. A file that may not last is removed.
func (p *pending) commit() error {
	if err := p.disk.Rename(p.temporary, p.path); err != nil {
		p.disk.Remove(p.temporary)
		return err
	}
	if err := p.disk.SyncDir(filepath.Dir(p.path)); err != nil {
		p.disk.Remove(p.path)
		return err
	}
	return nil
}

// abandon removes what was written.
func (p *pending) abandon() {
	p.Close()
	p.disk.Remove(p.temporary)
}
