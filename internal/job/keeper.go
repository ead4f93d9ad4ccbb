package job

import (
	"encoding/binary"
	"encoding/gob"
	"io"
	"reflect"
	"sync"

	"veilpath/internal/record"
)

// keeper keeps results, values for encoding/gob, as the pieces of a folder.
type keeper struct{ pieces *record.Pieces }

// Kept implements pool.Keeper.
func (k keeper) Kept(result any) (bool, error) {
	number(result)
	return k.pieces.Kept(func(r io.Reader) error { return gob.NewDecoder(r).Decode(result) })
}

// number has the type of a result numbered. A process numbers types when it first encodes them, and writes the number:
// so the bytes are the same whether results of another type were made or read before.
func number(result any) {
	gob.NewEncoder(io.Discard).EncodeValue(reflect.ValueOf(result).Elem()) // whose errors Keep will tell
}

// Keep implements pool.Keeper.
func (k keeper) Keep(result any) error {
	return k.pieces.Keep(func(w io.Writer) error { return gob.NewEncoder(w).Encode(result) })
}

// sharer keeps the results of a part of some work, each after the number of its piece.
//
// Pieces are numbered in their order, over all rounds. The part does those whose number is its own modulo the number of
// parts, and those that are common.
type sharer struct {
	keeper keeper
	shard  record.Shard

	mu   sync.Mutex
	next uint64   // number of the next piece
	own  []uint64 // numbers of pieces of the part that are not kept yet
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

// first returns the number of the first piece of the part that is not kept yet, and whether to go on to the next.
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
