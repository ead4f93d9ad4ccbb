package record

import (
	"fmt"
	"slices"
	"time"

	"veilpath/sim/study"
)

// JournalName is the file that a study under way keeps its flights in.
const JournalName = "runs.journal"

// Journal is the flights of a study under way, safe from the moment they are appended: an append-only
// file of blocks of fixed-width records, each with a checksum. From it, and only from it, the files of a
// study are made at the end, so it does not matter to them how often the study was stopped and resumed.
//
// The records of a block, see layout, belong together and are whole batches. Those of blocks that are cut off are flown
// again.
type Journal struct {
	blocks
	records int
}

// journalFormat bounds a block: a batch is a few hundred flights, or one of every epsilon where there are more of
// those.
var journalFormat = format{magic: "veilpath-journal", version: 3, record: study.RunLength(), most: 1 << 18}

// OpenJournal opens the journal of the folder, or begins one, for the study of an identity, and passes
// the records it holds to replay, block by block, which reports whether it takes them. A tail that is torn, or from the
// first block on that replay does not take, is cut off and its length returned. A nil replay takes all.
func (f *Folder) OpenJournal(identity [32]byte, now func() time.Time,
	replay func(point int, seen [][]study.Run) (bool, error)) (j *Journal, torn int64, err error) {
	j = new(Journal)
	opened, torn, err := f.openBlocks(JournalName, journalFormat, identity, now, j.replaying(replay))
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
func (j *Journal) replaying(replay func(int, [][]study.Run) (bool, error)) func(payload []byte) (bool, error) {
	var seen [][]study.Run
	return func(payload []byte) (bool, error) {
		seen = seen[:0]
		place, n := -1, len(payload)/journalFormat.record
		for i := range n {
			own, run := study.DecodeRun(payload[i*journalFormat.record:])
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
func (j *Journal) Append(point int, seen ...[]study.Run) error {
	n := 0
	for _, records := range seen {
		n += len(records)
	}
	if most := journalFormat.most; n > most {
		return fmt.Errorf("journal %s: %d records in a batch, more than the %d that a block holds; ask for fewer epsilons",
			j.path, n, most)
	}
	b := j.block()
	for k, records := range seen {
		for i := range records {
			b = study.AppendRun(b, point*len(seen)+k, &records[i])
		}
	}
	if err := j.append(b); err != nil {
		return err
	}
	j.records += n
	return nil
}

// Records returns how many records the journal holds.
func (j *Journal) Records() int { return j.records }

// Replay passes all records to a function, block by block; the slices are reused.
func (j *Journal) Replay(replay func(point int, seen [][]study.Run) error) error {
	var again Journal
	reader := blocks{format: journalFormat, file: j.file}
	all := func(point int, seen [][]study.Run) (bool, error) { return true, replay(point, seen) }
	if err := reader.read(j.size, again.replaying(all)); err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	if again.records != j.records {
		return fmt.Errorf("reading %s: %d of %d records are intact; resume the study and the rest is flown again", j.path,
			again.records, j.records)
	}
	return nil
}
