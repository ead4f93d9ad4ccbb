package record

import (
	"encoding/gob"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// result is the result of a piece.
type result struct {
	Name   string
	Values []float64
}

func results() []result {
	return []result{{"one", []float64{1. / 3, 2}}, {"two", nil}, {"three", make([]float64, 1000)},
		{"four", []float64{-0.5}}}
}

func reading(r *result) func(io.Reader) error {
	return func(from io.Reader) error { return gob.NewDecoder(from).Decode(r) }
}

func writing(r result) func(io.Writer) error {
	return func(to io.Writer) error { return gob.NewEncoder(to).Encode(r) }
}

// openPieces returns the pieces of the folder and the results in them.
func openPieces(t testing.TB, folder *Folder) (*Pieces, []result) {
	t.Helper()
	p, err := folder.OpenPieces(identity, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var all []result
	for {
		var r result
		kept, err := p.Kept(reading(&r))
		if err != nil {
			t.Fatal(err)
		}
		if !kept {
			break
		}
		all = append(all, r)
	}
	if len(all) != p.Len() {
		t.Fatalf("%d pieces are kept and %d come back", p.Len(), len(all))
	}
	return p, all
}

func same(a, b result) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }

// Pieces cut at any byte keep those before the cut, and keeping the others again gives the original bytes.
func TestPiecesCutAnywhereContinueFromTheLastWholeOne(t *testing.T) {
	folder := newFolder(t)
	keep := func(all []result) []byte {
		p, kept := openPieces(t, folder)
		if !slices.EqualFunc(kept, all[:len(kept)], same) {
			t.Fatalf("%v came back", kept)
		}
		for _, r := range all[len(kept):] {
			if err := p.Keep(writing(r)); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder.Path(), PiecesName))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	whole := keep(results())
	for length := 0; length < len(whole); length += 13 {
		if err := os.WriteFile(filepath.Join(folder.Path(), PiecesName), whole[:length], 0o666); err != nil {
			t.Fatal(err)
		}
		if again := keep(results()); !slices.Equal(again, whole) {
			t.Fatalf("cut to %d bytes and continued, the bytes differ", length)
		}
	}
}

func TestPiecesOfOtherWorkAreRefused(t *testing.T) {
	folder := newFolder(t)
	p, _ := openPieces(t, folder)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.OpenPieces([32]byte{9}, time.Now); !errors.Is(err, ErrOtherStudy) {
		t.Errorf("other work: %v", err)
	}
}

// Reading a file of pieces with any contents ends, with an error or without.
func FuzzPieces(f *testing.F) {
	folder, err := OpenFolder(Disk{}, f.TempDir(), "leak", false)
	if err != nil {
		f.Fatal(err)
	}
	p, _ := openPieces(f, folder)
	for _, r := range results() {
		if err := p.Keep(writing(r)); err != nil {
			f.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(folder.Path(), PiecesName)
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	folder.Close()
	f.Add(text)
	f.Add(text[:len(text)-3])
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := newFolder(t)
		if err := os.WriteFile(filepath.Join(folder.Path(), PiecesName), text, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := folder.OpenPieces(identity, time.Now)
		if err != nil {
			return
		}
		defer p.Close()
		for {
			var r result
			if kept, err := p.Kept(reading(&r)); err != nil || !kept {
				return
			}
		}
	})
}
