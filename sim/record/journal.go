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

	"veilpath/sim/study"
)

// JournalName is the file that a study under way keeps its flights in.
const JournalName = "runs.journal"

// Journal is the flights of a study under way, safe from the moment they are appended: an append-only
// file of blocks of fixed-width records, each with a checksum. From it, and only from it, the files of a
// study are made at the end, so it does not matter to them in how many sittings the flights were flown.
//
// The file is a header of 64 bytes and blocks. All numbers are little-endian.
//
//	header  magic "veilpath-journal", version uint32, record length uint32, identity [32]byte,
//	        CRC-32C of those uint32, 0 uint32
//	block   records uint32, block number uint32, CRC-32C of those two and the records uint32, records
//	record  see layout
//
// Reading ends at the first block that is short or fails its checksum; what follows is cut off and flown
// again. The records of a block belong together and are whole batches.
type Journal struct {
	file File
	disk FileSystem
	path string
	now  func() time.Time

	size    int64 // of the valid part
	blocks  uint32
	records int
	synced  time.Time
	buffer  []byte
}

const (
	journalMagic   = "veilpath-journal"
	journalVersion = 2
	headerLength   = 64
	blockHeader    = 12

	// syncInterval is how much work a power failure may cost; a killed process costs at most a batch.
	syncInterval = 5 * time.Second

	// maxBlockRecords bounds what a damaged count can make a reader allocate. A batch is a few hundred flights, or
	// one of every epsilon where there are more of those.
	maxBlockRecords = 1 << 18
)

// recordLength is how many bytes a record has.
var recordLength = recordLayout.length()

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrOtherStudy is the error for a journal that belongs to a study of another identity.
var ErrOtherStudy = errors.New("belongs to a study with other settings, or to another version of the program")

// OpenJournal opens the journal of the folder, or begins one, for the study of an identity, and passes
// the records it holds to replay, block by block, which reports whether it takes them. A tail that is torn, or from the
// first block on that replay does not take, is cut off and its length returned. A nil replay takes all.
func (f *Folder) OpenJournal(identity [32]byte, now func() time.Time, replay func(point int, records []study.Run) (bool, error)) (j *Journal, torn int64, err error) {
	path := filepath.Join(f.path, JournalName)
	file, err := f.disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, 0, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err == nil {
		j = &Journal{file: file, disk: f.disk, path: path, now: now, synced: now()}
		torn, err = j.open(identity, info.Size(), replay)
	}
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("journal %s: %w", path, cause(err))
	}
	f.flying = true
	return j, torn, nil
}

// RemoveJournal removes the journal of the folder, if there is one.
func (f *Folder) RemoveJournal() error { return f.remove(JournalName) }

// open reads what is there and makes the journal ready to append.
func (j *Journal) open(identity [32]byte, length int64, replay func(int, []study.Run) (bool, error)) (torn int64, err error) {
	header := make([]byte, headerLength)
	if length < headerLength {
		return 0, j.begin(identity)
	}
	if _, err := j.file.ReadAt(header, 0); err != nil {
		return 0, err
	}
	wanted := encodeHeader(identity)
	switch {
	case [headerLength]byte(header) == wanted:
	case string(header[:len(journalMagic)]) == journalMagic && checksum(header[:56]) == binary.LittleEndian.Uint32(header[56:]):
		return 0, ErrOtherStudy
	default:
		return 0, errors.New("its header is damaged; remove the file and the study starts over")
	}
	j.size = headerLength
	if err := j.read(length, replay); err != nil {
		return 0, err
	}
	torn = length - j.size
	if torn > 0 {
		err = j.file.Truncate(j.size)
	}
	return torn, err
}

// begin writes the header of a new journal.
func (j *Journal) begin(identity [32]byte) error {
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	header := encodeHeader(identity)
	if _, err := j.file.WriteAt(header[:], 0); err != nil {
		return err
	}
	j.size = headerLength
	if err := j.file.Sync(); err != nil {
		return err
	}
	return j.disk.SyncDir(filepath.Dir(j.path))
}

func encodeHeader(identity [32]byte) (header [headerLength]byte) {
	copy(header[:], journalMagic)
	binary.LittleEndian.PutUint32(header[16:], journalVersion)
	binary.LittleEndian.PutUint32(header[20:], uint32(recordLength))
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

// read passes every valid block after the header to replay and counts it as the journal's.
func (j *Journal) read(length int64, replay func(int, []study.Run) (bool, error)) error {
	r := bufio.NewReaderSize(io.NewSectionReader(j.file, headerLength, length-headerLength), 1<<18)
	var payload []byte
	var records []study.Run
	left := length - headerLength
	for {
		var head [blockHeader]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return torn(err)
		}
		count := binary.LittleEndian.Uint32(head[0:])
		if binary.LittleEndian.Uint32(head[4:]) != j.blocks || count == 0 || count > maxBlockRecords {
			return nil
		}
		if left -= blockHeader + int64(count)*int64(recordLength); left < 0 {
			return nil
		}
		payload = append(payload[:0], make([]byte, int(count)*recordLength)...)
		if _, err := io.ReadFull(r, payload); err != nil {
			return torn(err)
		}
		if checksum(head[:8], payload) != binary.LittleEndian.Uint32(head[8:]) {
			return nil
		}
		records = records[:0]
		point := 0
		for i := 0; i < len(payload); i += recordLength {
			var run study.Run
			point, run = recordLayout.decode(payload[i:])
			records = append(records, run)
		}
		if replay != nil {
			if taken, err := replay(point, records); err != nil || !taken {
				return err
			}
		}
		j.count(len(records))
	}
}

// torn tells the end of the file, whole or within a block, from a failure to read it.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (j *Journal) count(records int) {
	j.size += int64(blockHeader + records*recordLength)
	j.blocks++
	j.records += records
}

// Append adds the records of a batch, all of one point, as a block. When it fails, what was appended before is intact.
func (j *Journal) Append(point int, records []study.Run) error {
	if len(records) > maxBlockRecords {
		return fmt.Errorf("journal %s: %d records in a batch, more than the %d that a block holds; ask for fewer epsilons", j.path, len(records), maxBlockRecords)
	}
	b := append(j.buffer[:0], make([]byte, blockHeader)...)
	for i := range records {
		b = recordLayout.encode(b, point, &records[i])
	}
	j.buffer = b
	binary.LittleEndian.PutUint32(b[0:], uint32(len(records)))
	binary.LittleEndian.PutUint32(b[4:], j.blocks)
	binary.LittleEndian.PutUint32(b[8:], checksum(b[:8], b[blockHeader:]))
	if _, err := j.file.WriteAt(b, j.size); err != nil {
		err = &WriteError{Path: j.path, Err: cause(err)}
		if cut := j.file.Truncate(j.size); cut != nil {
			err = fmt.Errorf("%w; cutting off what was written of the block: %w", err, cause(cut))
		}
		return err
	}
	j.count(len(records))
	if now := j.now(); now.Sub(j.synced) >= syncInterval {
		return j.Sync()
	}
	return nil
}

// Sync makes all records last.
func (j *Journal) Sync() error {
	if err := j.file.Sync(); err != nil {
		return &WriteError{Path: j.path, Err: cause(err)}
	}
	j.synced = j.now()
	return nil
}

// Records returns how many records the journal holds.
func (j *Journal) Records() int { return j.records }

// Replay passes all records to a function, block by block; the slice is reused.
func (j *Journal) Replay(replay func(point int, records []study.Run) error) error {
	reader := Journal{file: j.file}
	all := func(point int, records []study.Run) (bool, error) { return true, replay(point, records) }
	if err := reader.read(j.size, all); err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	if reader.records != j.records {
		return fmt.Errorf("reading %s: %d of %d records are intact; resume the study and the rest is flown again", j.path, reader.records, j.records)
	}
	return nil
}

// Close syncs and closes the journal, which stays.
func (j *Journal) Close() error {
	if err := firstError(j.file.Sync(), j.file.Close()); err != nil {
		return &WriteError{Path: j.path, Err: cause(err)}
	}
	return nil
}

// Remove closes the journal and removes its file, once the study's files are made.
func (j *Journal) Remove() error {
	return firstError(j.disk.Remove(j.path), j.file.Close())
}
