package record

import (
	"fmt"
	"slices"
	"time"
)

// JournalName is the name of the journal of an unfinished study's flights.
const JournalName = "runs.journal"

// Codec stores records with their places. All records have the same length.
type Codec[R any] struct {
	Length int // length of a record in bytes
	Append func(b []byte, place int, r *R) []byte
	Decode func(b []byte) (place int, r R)
}

// Journal holds the flights of an unfinished study: an append-only file of blocks of records, each block with a
// checksum. An appended record survives the process. The files of a study are made only from the journal, so they
// do not depend on how often the study was stopped and resumed.
//
// A block holds a whole batch. The records of blocks that are cut off are flown again.
type Journal[R any] struct {
	blocks
	codec   Codec[R]
	records int
}

// mostRecords bounds a block. A batch is a few hundred flights, or one for each epsilon if there are more
// epsilons.
const mostRecords = 1 << 18

// journalFormat is the format for records of a length in bytes.
func journalFormat(length int) format {
	return format{magic: "veilpath-journal", version: 3, record: length, most: mostRecords}
}

// OpenJournal opens or creates the journal of a study with an identity. It passes the records to replay, block by
// block. Everything from the first block that is torn, or that replay does not accept, is cut off; torn is its
// length. A nil replay accepts all blocks.
func OpenJournal[R any](f *Folder, codec Codec[R], identity [32]byte, now func() time.Time,
	replay func(point int, seen [][]R) (bool, error)) (j *Journal[R], torn int64, err error) {
	j = &Journal[R]{codec: codec}
	opened, torn, err := f.openBlocks(JournalName, journalFormat(codec.Length), identity, now, j.replaying(replay))
	if err != nil {
		return nil, 0, err
	}
	j.blocks = *opened
	return j, torn, nil
}

// RemoveJournal removes the journal of the folder, if there is one.
func (f *Folder) RemoveJournal() error { return f.remove(JournalName) }

// replaying returns a function that decodes a block, passes its records on and counts them. Every observer has its
// own place, see Append.
func (j *Journal[R]) replaying(replay func(int, [][]R) (bool, error)) func(payload []byte) (bool, error) {
	var seen [][]R
	return func(payload []byte) (bool, error) {
		seen = seen[:0]
		place, n := -1, len(payload)/j.codec.Length
		for i := range n {
			own, run := j.codec.Decode(payload[i*j.codec.Length:])
			if own != place {
				place, seen = own, slices.Grow(seen, 1)[:len(seen)+1]
				seen[len(seen)-1] = seen[len(seen)-1][:0]
			}
			seen[len(seen)-1] = append(seen[len(seen)-1], run)
		}
		if replay != nil && n > 0 {
			if taken, err := replay(place/len(seen), seen); err != nil || !taken {
				return false, err
			}
		}
		j.records += n
		return true, nil
	}
}

// Append adds a block with the records of a batch of one point, one slice for each observer. After an error the
// earlier blocks are intact.
func (j *Journal[R]) Append(point int, seen ...[]R) error {
	n := 0
	for _, records := range seen {
		n += len(records)
	}
	if n > mostRecords {
		return fmt.Errorf("journal %s: a batch has %d records, and a block holds at most %d; choose fewer epsilons",
			j.path, n, mostRecords)
	}
	b := j.block()
	for k, records := range seen {
		for i := range records {
			b = j.codec.Append(b, point*len(seen)+k, &records[i])
		}
	}
	if err := j.append(b); err != nil {
		return err
	}
	j.records += n
	return nil
}

// Records returns the number of records.
func (j *Journal[R]) Records() int { return j.records }

// Replay passes all records to a function, block by block. The slices are reused.
func (j *Journal[R]) Replay(replay func(point int, seen [][]R) error) error {
	again := Journal[R]{codec: j.codec}
	reader := blocks{format: j.format, file: j.file}
	all := func(point int, seen [][]R) (bool, error) { return true, replay(point, seen) }
	if err := reader.read(j.size, again.replaying(all)); err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	if again.records != j.records {
		return fmt.Errorf("reading %s: %d of %d records are intact; resume the study to fly the rest again", j.path,
			again.records, j.records)
	}
	return nil
}
