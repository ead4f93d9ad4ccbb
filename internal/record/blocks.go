package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"
)

// format describes the records in the blocks of a file.
type format struct {
	magic   string // 16 bytes
	version uint32
	record  int // length of a record in bytes
	most    int // largest number of records in a block, which bounds what a damaged count can make a reader allocate
}

// blocks is an append-only file of blocks of records, each with a checksum.
//
// The file is a header of 64 bytes and blocks. All numbers are little-endian.
//
//	header  magic of 16 bytes, version uint32, record length uint32, identity [32]byte,
//	        CRC-32C of those uint32, 0 uint32
//	block   records uint32, block number uint32, CRC-32C of those two and the records uint32, records
//
// Reading ends at the first block that is short or has a wrong checksum. That block and all after it are cut off.
type blocks struct {
	format format
	file   File
	disk   FileSystem
	path   string
	now    func() time.Time

	size   int64 // length of the valid part
	blocks uint32
	synced time.Time
	buffer []byte
}

const (
	headerLength = 64
	blockHeader  = 12

	// syncInterval bounds the work that a power failure loses. A killed process loses at most a batch.
	syncInterval = 5 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrOtherStudy is the error for a journal of a study with another identity, or of other work.
var ErrOtherStudy = errors.New("belongs to a study with other settings, or to another version of the program")

// openBlocks opens a file of blocks for work with an identity, or creates it. It passes the payload of every block
// to accept. Everything from the first block that is torn or not accepted is cut off; torn is its length.
func (f *Folder) openBlocks(name string, of format, identity [32]byte, now func() time.Time,
	accept func(payload []byte) (bool, error)) (b *blocks, torn int64, err error) {
	path := filepath.Join(f.path, name)
	file, err := f.disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, 0, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err == nil {
		b = &blocks{format: of, file: file, disk: f.disk, path: path, now: now, synced: now()}
		torn, err = b.open(identity, info.Size(), accept)
	}
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	f.Need(PlanName, name)
	return b, torn, nil
}

// open reads the existing blocks and prepares the file for appending.
func (b *blocks) open(identity [32]byte, length int64, accept func([]byte) (bool, error)) (torn int64, err error) {
	header := make([]byte, headerLength)
	if length < headerLength {
		return 0, b.begin(identity)
	}
	if _, err := b.file.ReadAt(header, 0); err != nil {
		return 0, err
	}
	wanted := b.format.header(identity)
	switch {
	case [headerLength]byte(header) == wanted:
	case string(header[:len(b.format.magic)]) == b.format.magic &&
		checksum(header[:56]) == binary.LittleEndian.Uint32(header[56:]):
		return 0, ErrOtherStudy
	default:
		return 0, errors.New("its header is damaged; remove the file to start the study over")
	}
	b.size = headerLength
	if err := b.read(length, accept); err != nil {
		return 0, err
	}
	torn = length - b.size
	if torn > 0 {
		err = b.file.Truncate(b.size)
	}
	return torn, err
}

// begin writes the header of a new file.
func (b *blocks) begin(identity [32]byte) error {
	if err := b.file.Truncate(0); err != nil {
		return err
	}
	header := b.format.header(identity)
	if _, err := b.file.WriteAt(header[:], 0); err != nil {
		return err
	}
	b.size = headerLength
	if err := b.file.Sync(); err != nil {
		return err
	}
	return b.disk.SyncDir(filepath.Dir(b.path))
}

func (f *format) header(identity [32]byte) (header [headerLength]byte) {
	copy(header[:], f.magic)
	binary.LittleEndian.PutUint32(header[16:], f.version)
	binary.LittleEndian.PutUint32(header[20:], uint32(f.record))
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

// read passes the payload of every valid block to accept until one is not accepted, and counts the accepted blocks
// as valid. The payload is reused.
func (b *blocks) read(length int64, accept func(payload []byte) (bool, error)) error {
	r := bufio.NewReaderSize(io.NewSectionReader(b.file, headerLength, length-headerLength), 1<<18)
	var payload []byte
	left := length - headerLength
	for {
		var head [blockHeader]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return torn(err)
		}
		count := binary.LittleEndian.Uint32(head[0:])
		if binary.LittleEndian.Uint32(head[4:]) != b.blocks || count == 0 || int64(count) > int64(b.format.most) {
			return nil
		}
		if left -= blockHeader + int64(count)*int64(b.format.record); left < 0 {
			return nil
		}
		payload = append(payload[:0], make([]byte, int(count)*b.format.record)...)
		if _, err := io.ReadFull(r, payload); err != nil {
			return torn(err)
		}
		if checksum(head[:8], payload) != binary.LittleEndian.Uint32(head[8:]) {
			return nil
		}
		if accepted, err := accept(payload); err != nil || !accepted {
			return err
		}
		b.count(len(payload))
	}
}

// torn returns nil at the end of the file, which may be within a block, and otherwise the error of reading it.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (b *blocks) count(payload int) {
	b.size += int64(blockHeader + payload)
	b.blocks++
}

// block begins a block in the file's buffer. The caller adds records and passes it to append.
func (b *blocks) block() []byte { return append(b.buffer[:0], make([]byte, blockHeader)...) }

// append adds a block from block to the file. After an error the earlier blocks are intact.
func (b *blocks) append(block []byte) error {
	b.buffer = block
	binary.LittleEndian.PutUint32(block[0:], uint32((len(block)-blockHeader)/b.format.record))
	binary.LittleEndian.PutUint32(block[4:], b.blocks)
	binary.LittleEndian.PutUint32(block[8:], checksum(block[:8], block[blockHeader:]))
	if _, err := b.file.WriteAt(block, b.size); err != nil {
		err = &WriteError{Path: b.path, Err: cause(err)}
		if cut := b.file.Truncate(b.size); cut != nil {
			err = fmt.Errorf("%w; cutting off the incomplete block: %w", err, cause(cut))
		}
		return err
	}
	b.count(len(block) - blockHeader)
	if now := b.now(); now.Sub(b.synced) >= syncInterval {
		return b.Sync()
	}
	return nil
}

// Sync flushes all records to disk.
func (b *blocks) Sync() error {
	if err := b.file.Sync(); err != nil {
		return &WriteError{Path: b.path, Err: cause(err)}
	}
	b.synced = b.now()
	return nil
}

// Close syncs and closes the file.
func (b *blocks) Close() error {
	if err := firstError(b.file.Sync(), b.file.Close()); err != nil {
		return &WriteError{Path: b.path, Err: cause(err)}
	}
	return nil
}

// Remove closes and removes the file. It is called once the answer's files exist.
func (b *blocks) Remove() error {
	return firstError(b.disk.Remove(b.path), b.file.Close())
}
