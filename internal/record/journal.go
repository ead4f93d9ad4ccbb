package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// JournalName is the name of the journal of unfinished work.
const JournalName = "work.journal"

// Journal holds the results of unfinished work, in the order of its pieces: an append-only file of blocks, one for
// each result, with a checksum. A result that is kept survives the process. A later session reads the results back
// in order and continues after them.
//
// The file is a header of 64 bytes and blocks. All numbers are little-endian.
//
//	header  magic of 16 bytes, version uint32, 1 uint32, identity [32]byte, CRC-32C of all those, 0 uint32
//	block   length uint32, block number uint32, CRC-32C of those two and the result uint32, result
//
// Opening ends at the first block that is short or has a wrong checksum. That block and all after it are cut off.
type Journal struct {
	JournalReader
	file File
	disk FileSystem
	now  func() time.Time

	size   int64  // length of the valid part
	blocks uint32 // in the valid part
	torn   int64  // length of what was cut off
	synced time.Time
	buffer []byte
}

// JournalReader reads results back in order.
type JournalReader struct {
	from      io.ReaderAt
	path      string
	next, end int64
	read      uint32 // blocks before next
	text      []byte // buffer for a result
}

const (
	headerLength = 64
	blockHeader  = 12

	// mostBytes bounds a result, and thereby what a damaged length can make a reader allocate.
	mostBytes = 1 << 26

	// syncInterval bounds the work that a power failure loses. A killed process loses at most a piece.
	syncInterval = 5 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrOtherWork is the error for a journal of work with another identity.
var ErrOtherWork = errors.New("belongs to other work, or to another version of the program")

// OpenJournal opens the journal of work with an identity, or creates it.
func (f *Folder) OpenJournal(identity [32]byte, now func() time.Time) (*Journal, error) {
	path := filepath.Join(f.path, JournalName)
	file, err := f.disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	j := &Journal{JournalReader: JournalReader{from: file, path: path, next: headerLength}, file: file, disk: f.disk,
		now: now, synced: now()}
	if err == nil {
		err = j.open(identity, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	j.end, f.journal = j.size, j
	return j, nil
}

// RemoveJournal removes the journal of the folder, if there is one.
func (f *Folder) RemoveJournal() error { return f.remove(JournalName) }

// open checks the existing blocks and prepares the file for appending.
func (j *Journal) open(identity [32]byte, length int64) error {
	if length < headerLength {
		return j.begin(identity)
	}
	header := make([]byte, headerLength)
	if _, err := j.file.ReadAt(header, 0); err != nil {
		return err
	}
	wanted := journalHeader(identity)
	switch {
	case [headerLength]byte(header) == wanted:
	case bytes.Equal(header[:16], wanted[:16]) && checksum(header[:56]) == binary.LittleEndian.Uint32(header[56:]):
		return ErrOtherWork
	default:
		return errors.New("its header is damaged; remove the file to start the work over")
	}
	j.size = headerLength
	if err := j.check(length); err != nil {
		return err
	}
	if j.torn = length - j.size; j.torn > 0 {
		return j.file.Truncate(j.size)
	}
	return nil
}

// begin writes the header of a new file.
func (j *Journal) begin(identity [32]byte) error {
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	header := journalHeader(identity)
	if _, err := j.file.WriteAt(header[:], 0); err != nil {
		return err
	}
	j.size = headerLength
	if err := j.file.Sync(); err != nil {
		return err
	}
	return j.disk.SyncDir(filepath.Dir(j.path))
}

func journalHeader(identity [32]byte) (header [headerLength]byte) {
	const version, unit = 1, 1
	copy(header[:], "veilpath-pieces")
	binary.LittleEndian.PutUint32(header[16:], version)
	binary.LittleEndian.PutUint32(header[20:], unit)
	copy(header[24:], identity[:])
	binary.LittleEndian.PutUint32(header[56:], checksum(header[:56]))
	return header
}

func checksum(parts ...[]byte) (sum uint32) {
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// check counts the valid blocks of a file of some length.
func (j *Journal) check(length int64) error {
	r := bufio.NewReaderSize(io.NewSectionReader(j.file, headerLength, length-headerLength), 1<<18)
	for {
		var head [blockHeader]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return torn(err)
		}
		n := int64(binary.LittleEndian.Uint32(head[0:]))
		next := binary.LittleEndian.Uint32(head[4:]) == j.blocks
		if !next || n == 0 || n > mostBytes || j.size+blockHeader+n > length {
			return nil
		}
		j.buffer = append(j.buffer[:0], make([]byte, n)...)
		if _, err := io.ReadFull(r, j.buffer); err != nil {
			return torn(err)
		}
		if checksum(head[:8], j.buffer) != binary.LittleEndian.Uint32(head[8:]) {
			return nil
		}
		j.count(len(j.buffer))
	}
}

// torn returns nil at the end of the file, which may be within a block, and otherwise the error of reading it.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (j *Journal) count(length int) {
	j.size += int64(blockHeader + length)
	j.blocks++
}

// Len returns the number of results.
func (j *Journal) Len() int { return int(j.blocks) }

// Torn returns the length of the damaged end that was cut off.
func (j *Journal) Torn() int64 { return j.torn }

// Rewind makes Kept read again what was read or kept, from the first result. It cuts off what was not read.
func (j *Journal) Rewind() error {
	err := j.cut()
	j.next, j.read, j.end = headerLength, 0, j.size
	return err
}

// cut cuts off the results that were not read.
func (j *Journal) cut() error {
	if j.next >= j.end {
		return nil
	}
	if err := j.file.Truncate(j.next); err != nil {
		return &WriteError{Path: j.path, Err: cause(err)}
	}
	j.size, j.end, j.blocks = j.next, j.next, j.read
	return nil
}

// Kept passes the next result of an earlier session to decode, which must not retain it, and reports whether there was
// one. After an error of decode, the result is still the next.
func (r *JournalReader) Kept(decode func(b []byte) error) (bool, error) {
	if r.next >= r.end {
		return false, nil
	}
	err := r.load()
	if err == nil {
		err = decode(r.text)
	}
	if err != nil {
		return false, fmt.Errorf("journal %s: %w; remove the file to start the work over", r.path, cause(err))
	}
	r.next += int64(blockHeader + len(r.text))
	r.read++
	return true, nil
}

// load reads the next result into the buffer.
func (r *JournalReader) load() error {
	var head [blockHeader]byte
	if _, err := r.from.ReadAt(head[:], r.next); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(head[0:])
	if n > mostBytes {
		return ErrDamaged
	}
	r.text = slices.Grow(r.text[:0], int(n))[:n]
	if _, err := r.from.ReadAt(r.text, r.next+blockHeader); err != nil {
		return err
	}
	if checksum(head[:8], r.text) != binary.LittleEndian.Uint32(head[8:]) {
		return ErrDamaged
	}
	return nil
}

// Keep appends a result, which encode appends to a slice, after the results that were read. It cuts off those that
// were not. After an error the earlier results are intact.
func (j *Journal) Keep(encode func(b []byte) ([]byte, error)) error {
	if err := j.cut(); err != nil {
		return err
	}
	block, err := encode(append(j.buffer[:0], make([]byte, blockHeader)...))
	if err != nil {
		return fmt.Errorf("journal %s: %w", j.path, err)
	}
	j.buffer = block
	if n := len(block) - blockHeader; n > mostBytes {
		return fmt.Errorf("journal %s: a result has %d bytes, and a block holds at most %d", j.path, n, mostBytes)
	}
	return j.append(block)
}

// append adds a block with space for its header to the file.
func (j *Journal) append(block []byte) error {
	binary.LittleEndian.PutUint32(block[0:], uint32(len(block)-blockHeader))
	binary.LittleEndian.PutUint32(block[4:], j.blocks)
	binary.LittleEndian.PutUint32(block[8:], checksum(block[:8], block[blockHeader:]))
	if _, err := j.file.WriteAt(block, j.size); err != nil {
		err = &WriteError{Path: j.path, Err: cause(err)}
		if cut := j.file.Truncate(j.size); cut != nil {
			err = fmt.Errorf("%w; cutting off the incomplete block: %w", err, cause(cut))
		}
		return err
	}
	j.count(len(block) - blockHeader)
	if now := j.now(); now.Sub(j.synced) >= syncInterval {
		return j.Sync()
	}
	return nil
}

// Write writes the file of a part, which contains all results.
func (j *Journal) Write(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(j.file, 0, j.size))
	return err
}

// Sync flushes all results to disk.
func (j *Journal) Sync() error {
	if err := j.file.Sync(); err != nil {
		return &WriteError{Path: j.path, Err: cause(err)}
	}
	j.synced = j.now()
	return nil
}

// Close syncs and closes the file.
func (j *Journal) Close() error {
	if err := firstError(j.file.Sync(), j.file.Close()); err != nil {
		return &WriteError{Path: j.path, Err: cause(err)}
	}
	return nil
}

// Remove closes and removes the file. It is called once the answer's files exist.
func (j *Journal) Remove() error {
	return firstError(j.disk.Remove(j.path), j.file.Close())
}
