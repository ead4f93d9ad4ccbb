package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"veilpath/sim/study"
)

var identity = [32]byte{1, 2, 3}

// runs is the codec of runs.
var runs = Codec[study.Run]{Length: study.RunLength(), Append: study.AppendRun, Decode: study.DecodeRun}

// sample returns records in which every field has a different value.
func sample(first, n int) []study.Run {
	records := make([]study.Run, n)
	for i := range records {
		k := first + i
		x := float64(k) + 1./3
		records[i] = study.Run{
			Epsilon: 0.1 * x, Run: k << 33, DetectionKm: 2 * x, Detected: k%2 == 0, BeforeHandover: k%3 == 0, HandoverKm: 3 * x,
			HeadingErrorDeg: 4 * x, Transitions: k, Fallback: k%5 == 0, TimedOut: k%7 == 0, CostOfPrivacy: 5 * x,
			FlightTimeS: 6 * x, PathOverhead: -x,
		}
	}
	return records
}

// block is a block that a journal replays.
type block struct {
	Point int
	Seen  [][]study.Run
}

// copied returns copies of records.
func copied(seen [][]study.Run) (own [][]study.Run) {
	for _, records := range seen {
		own = append(own, slices.Clone(records))
	}
	return own
}

func openJournal(t *testing.T, folder *Folder) (*Journal[study.Run], []block, int64) {
	t.Helper()
	var blocks []block
	j, torn, err := OpenJournal(folder, runs, identity, time.Now, func(point int, seen [][]study.Run) (bool, error) {
		blocks = append(blocks, block{point, copied(seen)})
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return j, blocks, torn
}

// written writes a journal of three blocks and returns its bytes and its blocks.
func written(t *testing.T, folder *Folder) ([]byte, []block) {
	t.Helper()
	j, _, _ := openJournal(t, folder)
	want := []block{{0, [][]study.Run{sample(0, 5)}}, {0, [][]study.Run{sample(5, 1)}},
		{7, [][]study.Run{sample(6, 2), sample(8, 2)}}} // the last has two observers
	for _, b := range want {
		if err := j.Append(b.Point, b.Seen...); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder.Path(), JournalName))
	if err != nil {
		t.Fatal(err)
	}
	return text, want
}

// newFolder opens an empty folder.
func newFolder(tb testing.TB) *Folder {
	tb.Helper()
	f, err := OpenFolder(Disk{}, tb.TempDir(), "study", false)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

func TestJournalReadsBackItsRecords(t *testing.T) {
	folder := newFolder(t)
	_, want := written(t, folder)
	j, got, torn := openJournal(t, folder)
	defer j.Close()
	if torn != 0 || j.Records() != 10 {
		t.Errorf("torn %d bytes, %d records; want 0 and 10", torn, j.Records())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var again []block
	if err := j.Replay(func(point int, seen [][]study.Run) error {
		again = append(again, block{point, copied(seen)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, again); d != "" {
		t.Error(d)
	}
}

// A journal cut to any length keeps the blocks before the cut, and appending the others again gives the original
// bytes.
func TestJournalCutAnywhereContinuesFromTheLastWholeBlock(t *testing.T) {
	folder := newFolder(t)
	whole, want := written(t, folder)
	path := filepath.Join(folder.Path(), JournalName)
	for length := 0; length < len(whole); length += 7 { // meets every place in a record
		if err := os.WriteFile(path, whole[:length], 0o666); err != nil {
			t.Fatal(err)
		}
		j, got, _ := openJournal(t, folder)
		if d := cmp.Diff(want[:len(got)], got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("cut to %d bytes: %s", length, d)
		}
		for _, b := range want[len(got):] {
			if err := j.Append(b.Point, b.Seen...); err != nil {
				t.Fatal(err)
			}
		}
		j.Close()
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
			t.Fatalf("cut to %d bytes and appended to again, the journal differs (%v)", length, err)
		}
	}
}

// A changed bit anywhere in a block ends the journal before that block.
func TestJournalStopsAtADamagedBlock(t *testing.T) {
	folder := newFolder(t)
	whole, want := written(t, folder)
	path := filepath.Join(folder.Path(), JournalName)
	ends := []int{headerLength}
	for _, b := range want {
		ends = append(ends, ends[len(ends)-1]+blockHeader+len(slices.Concat(b.Seen...))*study.RunLength())
	}
	for at := headerLength; at < len(whole); at += 7 {
		text := bytes.Clone(whole)
		text[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		intact := 0
		for ends[intact+1] <= at {
			intact++
		}
		j, got, torn := openJournal(t, folder)
		j.Close()
		if len(got) != intact || torn != int64(len(whole)-ends[intact]) {
			t.Fatalf("byte %d changed: %d blocks and %d torn bytes, want %d and %d", at, len(got), torn, intact,
				len(whole)-ends[intact])
		}
	}
}

func TestJournalOfAnotherStudyIsRefused(t *testing.T) {
	folder := newFolder(t)
	written(t, folder)
	_, _, err := OpenJournal(folder, runs, [32]byte{9}, time.Now, nil)
	if !errors.Is(err, ErrOtherStudy) {
		t.Errorf("got %v, want ErrOtherStudy", err)
	}
}

// fullDisk is a file with room for some bytes. A longer write writes what fits and fails.
type fullDisk struct {
	File
	room int64
}

func (f *fullDisk) WriteAt(b []byte, at int64) (int, error) {
	if fits := f.room - at; int64(len(b)) > fits {
		n, _ := f.File.WriteAt(b[:max(0, fits)], at)
		return n, &os.PathError{Op: "write", Path: JournalName, Err: syscall.ENOSPC}
	}
	return f.File.WriteAt(b, at)
}

func TestJournalOnFullDiskKeepsItsRecords(t *testing.T) {
	folder := newFolder(t)
	j, _, _ := openJournal(t, folder)
	j.file = &fullDisk{File: j.file, room: headerLength + 7*int64(study.RunLength())}
	first := sample(0, 5)
	if err := j.Append(0, first); err != nil {
		t.Fatal(err)
	}
	err := j.Append(0, sample(5, 5))
	var full *WriteError
	if !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want a WriteError for a full disk", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, got, torn := openJournal(t, folder)
	defer j.Close()
	if d := cmp.Diff([]block{{0, [][]study.Run{first}}}, got); d != "" || torn != 0 {
		t.Errorf("%d torn bytes; %s", torn, d)
	}
}

func FuzzJournal(f *testing.F) {
	dir := f.TempDir()
	folder := &Folder{disk: Disk{}, path: dir}
	j, _, err := OpenJournal(folder, runs, identity, time.Now, nil)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 3 {
		if err := j.Append(i, sample(i, i+1)); err != nil {
			f.Fatal(err)
		}
	}
	j.Close()
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:100])
	f.Add([]byte(journalFormat(runs.Length).magic))
	// Opening a file with any contents either fails or gives a journal that reads the same again.
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := &Folder{disk: Disk{}, path: t.TempDir()}
		if err := os.WriteFile(filepath.Join(folder.path, JournalName), text, 0o666); err != nil {
			t.Fatal(err)
		}
		j, _, err := OpenJournal(folder, runs, identity, time.Now, nil)
		if err != nil {
			return
		}
		records := j.Records()
		j.Close()
		j, torn, err := OpenJournal(folder, runs, identity, time.Now, nil)
		if err != nil || torn != 0 || j.Records() != records {
			t.Fatalf("read again: %v, %d torn bytes, %d records, want %d", err, torn, j.Records(), records)
		}
		j.Close()
	})
}
