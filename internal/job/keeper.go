package job

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"io"
	"reflect"
	"sync"

	"veilpath/internal/record"
)

// keeper keeps results in the journal of a folder.
type keeper struct{ journal *record.Journal }

// Kept implements pool.Keeper.
func (k keeper) Kept(result any) (bool, error) {
	number(result)
	return k.journal.Kept(func(b []byte) error { return decode(b, result) })
}

// Rewind implements Replayer.
func (k keeper) Rewind() error { return k.journal.Rewind() }

// decode decodes a result that encode has encoded.
func decode(b []byte, result any) error {
	if own, is := result.(encoding.BinaryUnmarshaler); is {
		return own.UnmarshalBinary(b)
	}
	return gob.NewDecoder(bytes.NewReader(b)).Decode(result)
}

// encode appends a result in its own encoding, if it has one, or by gob.
func encode(b []byte, result any) ([]byte, error) {
	if own, is := result.(encoding.BinaryAppender); is {
		return own.AppendBinary(b)
	}
	buffer := bytes.NewBuffer(b)
	err := gob.NewEncoder(buffer).Encode(result)
	return buffer.Bytes(), err
}

// number makes gob number the type of a result. A process numbers types when it first encodes them, and encodings
// contain the number. With number, the bytes do not depend on whether earlier results were computed or read.
func number(result any) {
	gob.NewEncoder(io.Discard).EncodeValue(reflect.ValueOf(result).Elem()) // Keep reports the error
}

// Keep implements pool.Keeper.
func (k keeper) Keep(result any) error {
	return k.journal.Keep(func(b []byte) ([]byte, error) { return encode(b, result) })
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
	kept, err := s.keeper.journal.Kept(func(b []byte) error {
		piece, rest, err := cutNumber(b)
		if err == nil && piece != s.first(false) {
			err = errMisplaced
		}
		if err != nil {
			return err
		}
		return decode(rest, result)
	})
	if kept && err == nil {
		s.first(true)
	}
	return kept, err
}

// Keep implements pool.Keeper.
func (s *sharer) Keep(result any) error {
	return s.keeper.journal.Keep(func(b []byte) ([]byte, error) {
		return encode(binary.LittleEndian.AppendUint64(b, s.first(true)), result)
	})
}

// cutNumber returns the number of a piece and what follows it.
func cutNumber(b []byte) (number uint64, rest []byte, err error) {
	if len(b) < 8 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return binary.LittleEndian.Uint64(b), b[8:], nil
}
