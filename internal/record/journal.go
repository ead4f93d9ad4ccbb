package record

import (
	"fmt"
	"slices"
	"time"
)

// JournalName is the file that a study under way keeps its flights in.
const JournalName = "runs.journal"

// Codec says how records are stored: each in equally many bytes, with the place that it is of.
type Codec[R any] struct {
	Length int // bytes
	Append func(b []byte, place int, r *R) []byte
	Decode func(b []byte) (place int, r R)
}

// Journal is the flights of a study under way, safe from the moment they are appended: an append-only
// file of blocks of fixed-width records, each with a checksum. From it, and only from it, the files of a
// study are made at the end, so it does not matter to them how often the study was stopped and resumed.
//
// The records of a block, see layout, belong together and are whole batches. Those of blocks that are cut off are flown
// again.
type Journal[R any] struct {
	blocks
	codec   Codec[R]
	records int
}

// mostRecords bounds a block: a batch is a few hundred flights, or one of every epsilon where there are more of those.
const mostRecords = 1 << 18

// journalFormat is that of records of some length.
func journalFormat(length int) format {
	return format{magic: "veilpath-journal", version: 3, record: length, most: mostRecords}
}

// OpenJournal opens the journal of the folder, or begins one, for the study of an identity, and passes
// the records it holds to replay, block by block, which reports whether it takes them. A tail that is torn, or from the
// first block on that replay does not take, is cut off and its length returned. A nil replay takes all.
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

// replaying returns what passes the records of a block on, and counts them. Those of an observer have a place of their
// own, see Append.
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

// Append adds the records of a batch, all of one point, as a block: as every observer saw the flights. When it fails,
// what was appended before is intact.
func (j *Journal[R]) Append(point int, seen ...[]R) error {
	n := 0
	for _, records := range seen {
		n += len(records)
	}
	if n > mostRecords {
		return fmt.Errorf("journal %s: %d records in a batch, more than the %d that a block holds; choose fewer epsilons",
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

// Records returns how many records the journal holds.
func (j *Journal[R]) Records() int { return j.records }

// Replay passes all records to a function, block by block; the slices are reused.
func (j *Journal[R]) Replay(replay func(point int, seen [][]R) error) error {
	again := Journal[R]{codec: j.codec}
	reader := blocks{format: j.format, file: j.file}
	all := func(point int, seen [][]R) (bool, error) { return true, replay(point, seen) }
	if err := reader.read(j.size, again.replaying(all)); err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	if again.records != j.records {
		return fmt.Errorf("reading %s: %d of %d records are intact; resume the study and the rest is flown again", j.path,
			again.records, j.records)
	}
	return nil
}
