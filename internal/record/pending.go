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
	named     bool // path is its name
	sum       hash.Hash
	err       error // of the file, to tell it from one of what is written
}

// write makes a file that is whole and lasts, under its temporary name.
func (f *Folder) write(name string, write func(io.Writer) error) (*pending, error) {
	p, err := f.create(name)
	if err != nil {
		return nil, f.failed(name, err)
	}
	buffered := bufio.NewWriterSize(p, 1<<15)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		p.Close()
		p.remove()
		if p.err == nil {
			return nil, err
		}
		return nil, f.failed(name, p.err)
	}
	if err := firstError(p.Sync(), p.Close()); err != nil {
		p.remove()
		return nil, f.failed(name, err)
	}
	return p, nil
}

// create begins a file.
func (f *Folder) create(name string) (*pending, error) {
	for i := 1; ; i++ {
		temporary := filepath.Join(f.path, fmt.Sprintf("%s%d-%s%s", reserved, i, name, partial))
		file, err := f.disk.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &pending{File: file, disk: f.disk, temporary: temporary, path: filepath.Join(f.path, name),
				sum: sha256.New()}, nil
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

// sha256 returns the hash, in hexadecimal, of what was written.
func (p *pending) sha256() string { return hex.EncodeToString(p.sum.Sum(nil)) }

// rename gives the file its name.
func (p *pending) rename() error {
	err := p.disk.Rename(p.temporary, p.path)
	p.named = err == nil
	return err
}

// remove removes the file, which has no name yet.
func (p *pending) remove() { p.disk.Remove(p.temporary) }

// withdraw removes the file, whichever name it has.
func (p *pending) withdraw() {
	if p.named {
		p.disk.Remove(p.path)
		return
	}
	p.remove()
}
