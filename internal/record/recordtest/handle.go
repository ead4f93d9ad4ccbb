package recordtest

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"veilpath/internal/record"
)

// handle is an open file.
type handle struct {
	disk   *Disk
	node   *node
	path   string
	offset int64
	closed bool
}

// do runs an operation on the file.
func (h *handle) do(operation string, do func() error) error {
	if err := h.disk.before(operation, h.path); err != nil {
		return wrong(operation, h.path, err)
	}
	h.disk.mutex.Lock()
	defer h.disk.mutex.Unlock()
	if h.closed {
		return wrong(operation, h.path, errClosed)
	}
	return do()
}

// Read implements record.File.
func (h *handle) Read(b []byte) (n int, err error) {
	err = h.do("Read", func() error {
		n = copy(b, h.node.data.from(h.offset))
		h.offset += int64(n)
		if n < len(b) && n == 0 {
			return io.EOF
		}
		return nil
	})
	return n, err
}

// ReadAt implements record.File.
func (h *handle) ReadAt(b []byte, at int64) (n int, err error) {
	err = h.do("ReadAt", func() error {
		n = copy(b, h.node.data.from(at))
		if n < len(b) {
			return io.EOF
		}
		return nil
	})
	return n, err
}

// Write implements record.File.
func (h *handle) Write(b []byte) (int, error) {
	n, err := h.write("Write", b, h.offset)
	h.offset += int64(n)
	return n, err
}

// WriteAt implements record.File.
func (h *handle) WriteAt(b []byte, at int64) (int, error) { return h.write("WriteAt", b, at) }

// write writes b, or its first half if the operation fails or is the last one.
func (h *handle) write(operation string, b []byte, at int64) (int, error) {
	failed := h.disk.before(operation, h.path)
	switch {
	case errors.Is(failed, errGone):
		return 0, wrong(operation, h.path, failed)
	case failed != nil:
		n, err := h.put(b[:len(b)/2], at)
		return n, wrong(operation, h.path, cmp.Or(err, failed))
	case h.disk.halfway != nil:
		if _, err := h.put(b[:len(b)/2], at); err == nil {
			h.disk.halfway(Operation{operation, h.path})
		}
	}
	n, err := h.put(b, at)
	return n, wrong(operation, h.path, err)
}

// put writes b into the file.
func (h *handle) put(b []byte, at int64) (int, error) {
	h.disk.mutex.Lock()
	defer h.disk.mutex.Unlock()
	if h.closed {
		return 0, errClosed
	}
	h.node.data = h.node.data.with(b, at)
	return len(b), nil
}

// Close implements record.File.
func (h *handle) Close() error {
	return h.do("Close", func() error {
		h.closed = true
		if h.node.holder == h {
			h.node.holder = nil
		}
		return nil
	})
}

// Stat implements record.File.
func (h *handle) Stat() (found fs.FileInfo, err error) {
	err = h.do("Stat", func() error {
		found = h.node.info(filepath.Base(h.path))
		return nil
	})
	return found, err
}

// Truncate implements record.File.
func (h *handle) Truncate(size int64) error {
	return h.do("Truncate", func() error {
		data := make([]byte, size)
		copy(data, h.node.data.bytes)
		h.node.data = newContents(data)
		return nil
	})
}

// Sync implements record.File.
func (h *handle) Sync() error {
	return h.do("Sync", func() error {
		h.node.lasting = h.node.data
		return nil
	})
}

// Lock implements record.File.
func (h *handle) Lock() error {
	return h.do("Lock", func() error {
		if h.node.holder != nil && h.node.holder != h {
			return record.ErrBusy
		}
		h.node.holder = h
		return nil
	})
}
