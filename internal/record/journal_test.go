package record

import (
	"bytes"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

var identity = [32]byte{1, 2, 3}

// result is the result of a piece.
type result struct {
	Name   string
	Values []float64
}

func results() []result {
	return []result{{"one", []float64{1. / 3, 2}}, {"two", nil}, {"three", make([]float64, 1000)},
		{"four", []float64{-0.5}}}
}

func reading(r *result) func([]byte) error {
	return func(b []byte) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(r) }
}

func writing(r result) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) {
		to := bytes.NewBuffer(b)
		err := gob.NewEncoder(to).Encode(r)
		return to.Bytes(), err
	}
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

// openJournal returns the journal of the folder and the results in it.
func openJournal(t testing.TB, folder *Folder) (*Journal, []result) {
	t.Helper()
	j, err := folder.OpenJournal(identity, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var all []result
	for {
		var r result
		kept, err := j.Kept(reading(&r))
		if err != nil {
			t.Fatal(err)
		}
		if !kept {
			break
		}
		all = append(all, r)
	}
	if len(all) != j.Len() {
		t.Fatalf("%d results are kept and %d come back", j.Len(), len(all))
	}
	return j, all
}

// written writes a journal of results and returns its bytes and the end of its header and of each block.
func written(t testing.TB, folder *Folder) (whole []byte, ends []int) {
	t.Helper()
	j, _ := openJournal(t, folder)
	ends = append(ends, int(j.size))
	for _, r := range results() {
		if err := j.Keep(writing(r)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(j.size))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(folder.Path(), JournalName))
	if err != nil {
		t.Fatal(err)
	}
	return whole, ends
}

func same(a, b result) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }

// A journal cut at any byte keeps the results before the cut, and keeping the others again gives the original bytes.
func TestJournalCutAnywhereContinuesFromTheLastWholeBlock(t *testing.T) {
	folder := newFolder(t)
	whole, ends := written(t, folder)
	path := filepath.Join(folder.Path(), JournalName)
	for length := 0; length <= len(whole); length += 13 {
		if err := os.WriteFile(path, whole[:length], 0o666); err != nil {
			t.Fatal(err)
		}
		j, kept := openJournal(t, folder)
		intact := 0
		for intact < len(ends)-1 && ends[intact+1] <= length {
			intact++
		}
		if !slices.EqualFunc(kept, results()[:intact], same) {
			t.Fatalf("cut to %d bytes: %v came back, want %d results", length, kept, intact)
		}
		for _, r := range results()[intact:] {
			if err := j.Keep(writing(r)); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
			t.Fatalf("cut to %d bytes and continued, the bytes differ (%v)", length, err)
		}
	}
}

// A changed bit anywhere in a block ends the journal before that block.
func TestJournalStopsAtADamagedBlock(t *testing.T) {
	folder := newFolder(t)
	whole, ends := written(t, folder)
	path := filepath.Join(folder.Path(), JournalName)
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
		j, got := openJournal(t, folder)
		j.Close()
		if len(got) != intact || j.Torn() != int64(len(whole)-ends[intact]) {
			t.Fatalf("byte %d changed: %d results and %d torn bytes, want %d and %d", at, len(got), j.Torn(), intact,
				len(whole)-ends[intact])
		}
	}
}

// A result that is not accepted is not read, and it and all after it are cut off when another is kept, not before.
func TestResultsThatAreNotReadAreCutOff(t *testing.T) {
	folder := newFolder(t)
	whole, ends := written(t, folder)
	path := filepath.Join(folder.Path(), JournalName)
	refused := errors.New("another")
	for again := range 2 {
		j, err := folder.OpenJournal(identity, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		var first, second result
		if kept, err := j.Kept(reading(&first)); !kept || err != nil || !same(first, results()[0]) {
			t.Fatalf("%v, %v, %v", first, kept, err)
		}
		if kept, err := j.Kept(func([]byte) error { return refused }); kept || !errors.Is(err, refused) {
			t.Fatalf("what is refused is kept: %v, %v", kept, err)
		}
		if again == 0 {
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
				t.Fatalf("reading changed the journal (%v)", err)
			}
			continue
		}
		if kept, err := j.Kept(reading(&second)); !kept || err != nil || !same(second, results()[1]) {
			t.Fatalf("after the refusal: %v, %v, %v", second, kept, err)
		}
		for _, r := range results()[2:] {
			if err := j.Keep(writing(r)); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
		t.Fatalf("the same results kept again after %d bytes give other bytes (%v)", ends[2], err)
	}
	if _, all := openJournal(t, folder); !slices.EqualFunc(all, results(), same) {
		t.Errorf("the journal has %v", all)
	}
}

func TestJournalOfOtherWorkIsRefused(t *testing.T) {
	folder := newFolder(t)
	written(t, folder)
	if _, err := folder.OpenJournal([32]byte{9}, time.Now); !errors.Is(err, ErrOtherWork) {
		t.Errorf("got %v, want ErrOtherWork", err)
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

func TestJournalOnFullDiskKeepsItsResults(t *testing.T) {
	folder := newFolder(t)
	j, _ := openJournal(t, folder)
	first := results()[0]
	if err := j.Keep(writing(first)); err != nil {
		t.Fatal(err)
	}
	j.file = &fullDisk{File: j.file, room: j.size + 30}
	err := j.Keep(writing(results()[2]))
	var full *WriteError
	if !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want a WriteError for a full disk", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, got := openJournal(t, folder)
	defer j.Close()
	if !slices.EqualFunc(got, []result{first}, same) || j.Torn() != 0 {
		t.Errorf("%d torn bytes; %v", j.Torn(), got)
	}
}

// Opening a file with any contents either fails or gives a journal whose reading ends, and that is the same when it is
// opened again.
func FuzzJournal(f *testing.F) {
	folder := newFolder(f)
	text, _ := written(f, folder)
	f.Add(text)
	f.Add(text[:100])
	f.Add(text[:len(text)-3])
	f.Add([]byte("veilpath-pieces"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := newFolder(t)
		if err := os.WriteFile(filepath.Join(folder.path, JournalName), text, 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := folder.OpenJournal(identity, time.Now)
		if err != nil {
			return
		}
		for {
			var r result
			if kept, err := j.Kept(reading(&r)); err != nil || !kept {
				break
			}
		}
		n := j.Len()
		j.Close()
		j, err = folder.OpenJournal(identity, time.Now)
		if err != nil || j.Torn() != 0 || j.Len() != n {
			t.Fatalf("read again: %v, %d torn bytes, %d results, want %d", err, j.Torn(), j.Len(), n)
		}
		j.Close()
	})
}
