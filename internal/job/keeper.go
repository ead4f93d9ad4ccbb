package job

import (
	"encoding/binary"
	"encoding/gob"
	"io"
	"reflect"
	"sync"

	"veilpath/internal/record"
)

// keeper keeps results, values for encoding/gob, in the pieces of a folder.
type keeper struct{ pieces *record.Pieces }

// Kept implements pool.Keeper.
func (k keeper) Kept(result any) (bool, error) {
	number(result)
	return k.pieces.Kept(func(r io.Reader) error { return gob.NewDecoder(r).Decode(result) })
}

// number makes gob number the type of a result. A process numbers types when it first encodes them, and encodings
// contain the number. With number, the bytes do not depend on whether earlier results were computed or read.
func number(result any) {
	gob.NewEncoder(io.Discard).EncodeValue(reflect.ValueOf(result).Elem()) // Keep reports the error
}

// Keep implements pool.Keeper.
func (k keeper) Keep(result any) error {
	return k.pieces.Keep(func(w io.Writer) error { return gob.NewEncoder(w).Encode(result) })
}

// sharer keeps the results of a part, each after the number of its piece.
//
// Pieces are numbered in order over all rounds. Part i of n, counted from 0, does the pieces whose number is i
// modulo n, and all common pieces.
type sharer struct {
	keeper keeper
	shard  record.Shard

	mu   sync.Mutex
	next uint64   // number of the next piece
	own  []uint64 // numbers of the part's pieces that are not kept yet
}

// Own implements pool.Sharer.
func (s *sharer) Own(common bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.next
	s.next++
	if !common && number%uint64(s.shard.Of) != uint64(s.shard.Index-1) {
		return false
	}
	s.own = append(s.own, number)
	return true
}

// first returns the number of the part's first piece that is not kept yet. If done is set, it advances to the
// next.
func (s *sharer) first(done bool) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.own[0]
	if done {
		s.own = s.own[1:]
	}
	return number
}

// Kept implements pool.Keeper.
func (s *sharer) Kept(result any) (bool, error) {
	number(result)
	kept, err := s.keeper.pieces.Kept(func(r io.Reader) error {
		piece, err := readNumber(r)
		if err == nil && piece != s.first(false) {
			err = errMisplaced
		}
		if err == nil {
			err = gob.NewDecoder(r).Decode(result)
		}
		return err
	})
	if kept && err == nil {
		s.first(true)
	}
	return kept, err
}

// Keep implements pool.Keeper.
func (s *sharer) Keep(result any) error {
	return s.keeper.pieces.Keep(func(w io.Writer) error {
		if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, s.first(true))); err != nil {
			return err
		}
		return gob.NewEncoder(w).Encode(result)
	})
}

// readNumber reads the number of a piece.
func readNumber(r io.Reader) (uint64, error) {
	var number [8]byte
	_, err := io.ReadFull(r, number[:])
	return binary.LittleEndian.Uint64(number[:]), err
}
