package pool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Keeper keeps results, so that interrupted work goes on after them, and selects the part of divided work. Its methods
// are called by one goroutine at a time.
type Keeper interface {
	// Round numbers the rounds of the work from 0: every call of Resumed is one.
	Round() int
	// Get passes what Put has kept to a function, and reports whether there is something.
	Get(key string, read func(b []byte) error) (bool, error)
	Put(key string, b []byte) error
	// Encoder returns an encoder of values, and Decoder a decoder of what it writes, such as those of encoding/gob.
	Encoder(w io.Writer) interface{ Encode(value any) error }
	Decoder(r io.Reader) interface{ Decode(value any) error }
	// Part returns which of several equal parts is done, from 1; 0, 0 for the whole work.
	Part() (index, of int)
}

// ErrPart reports that only one part of the work is done. Its results are incomplete until they are merged with
// the results of the other parts.
var ErrPart = errors.New("only a part of the work is done")

// IsPart reports whether a keeper, which may be nil, selects a part of the work.
func IsPart(keeper Keeper) bool {
	if keeper == nil {
		return false
	}
	_, of := keeper.Part()
	return of > 0
}

// Common returns a keeper for work that every part needs and therefore does itself.
func Common(keeper Keeper) Keeper {
	if !IsPart(keeper) {
		return keeper
	}
	return common{keeper}
}

type common struct{ Keeper }

// Part implements Keeper.
func (common) Part() (index, of int) { return 0, 0 }

// groupGrowth is the inverse of the size of a group as a fraction of the pieces before it: of the work in a round, a
// killed process loses about that much, and N pieces take about groupGrowth * ln(N) groups.
const groupGrowth = 32

// group is some consecutive pieces, whose results are kept together.
type group[T, R any] struct {
	number, first int // of the group and of its first piece in the round
	pieces        []T
	values        []R // kept ones; nil if they are to be computed

	// of values that are computed
	text    bytes.Buffer
	encoder interface{ Encode(value any) error }
	decoder interface{ Decode(value any) error }
	encoded int
}

// member is a piece of a group.
type member[T, R any] struct {
	*group[T, R]
	at int // index in the group
}

// Resumed is [Ordered] with a keeper, which may be nil. Results are values for the encoder, which are kept in groups of
// consecutive pieces. Kept results are not computed again, and every other result is kept before the next group is.
// It is yielded as it is decoded, so that the caller never sees whether it was kept. Of part i of n, only the i-th of
// every n groups is done, and ErrPart is yielded after them.
func Resumed[T, R any](ctx context.Context, workers int, pieces iter.Seq[T], newWork func() Work[T, R],
	keeper Keeper) iter.Seq2[Result[T, R], error] {
	if keeper == nil {
		return Ordered(ctx, workers, pieces, newWork)
	}
	round := keeper.Round()
	index, of := keeper.Part()
	return func(yield func(Result[T, R], error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		members := func(yield func(member[T, R]) bool) {
			for g := range groups[T, R](pieces) {
				if of > 0 && g.number%of != index-1 {
					continue
				}
				if err := g.get(keeper, round); err != nil {
					cancel(err)
					return
				}
				for at := range g.pieces {
					if !yield(member[T, R]{g, at}) {
						return
					}
				}
			}
		}
		newMember := func() Work[member[T, R], R] {
			work := newWork()
			return func(ctx context.Context, m member[T, R], storage R) (R, error) {
				if m.values != nil {
					return m.values[m.at], nil
				}
				return work(ctx, m.pieces[m.at], storage)
			}
		}
		for r, err := range Ordered(ctx, workers, members, newMember) {
			result := Result[T, R]{Value: r.Value}
			if err == nil {
				result.Piece = r.Piece.pieces[r.Piece.at]
				result.Value, err = r.Piece.keep(r.Value, keeper, round)
			}
			if cause := context.Cause(ctx); err != nil && cause != nil {
				err = cause
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Result[T, R]{}, err)
		} else if of > 0 {
			yield(Result[T, R]{}, ErrPart)
		}
	}
}

// groups divides pieces into groups, whose sizes depend only on the number of pieces before them.
func groups[T, R any](pieces iter.Seq[T]) iter.Seq[*group[T, R]] {
	return func(yield func(*group[T, R]) bool) {
		g := new(group[T, R])
		for piece := range pieces {
			if g.pieces = append(g.pieces, piece); len(g.pieces) <= g.first/groupGrowth {
				continue
			}
			if !yield(g) {
				return
			}
			g = &group[T, R]{number: g.number + 1, first: g.first + len(g.pieces)}
		}
		if len(g.pieces) > 0 {
			yield(g)
		}
	}
}

func groupKey(round, first int) string { return fmt.Sprintf("%d-%d", round, first) }

// get reads the kept values of the group, if there are as many as it has pieces.
func (g *group[T, R]) get(keeper Keeper, round int) error {
	_, err := keeper.Get(groupKey(round, g.first), func(b []byte) error {
		values, err := decodeAll[R](keeper, b)
		if err == nil && len(values) == len(g.pieces) {
			g.values = values
		}
		return err
	})
	return err
}

func decodeAll[R any](keeper Keeper, b []byte) (values []R, err error) {
	decoder := keeper.Decoder(bytes.NewReader(b))
	for {
		var value R
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return values, nil
		} else if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
}

// keep returns the value of the next piece as it is decoded, and keeps the group after its last piece.
func (m *member[T, R]) keep(value R, keeper Keeper, round int) (decoded R, err error) {
	g := m.group
	if g.values != nil {
		return value, nil
	}
	if g.encoder == nil {
		g.encoder, g.decoder = keeper.Encoder(&g.text), keeper.Decoder(&unread{buffer: &g.text})
	}
	if err = g.encoder.Encode(value); err == nil {
		err = g.decoder.Decode(&decoded)
	}
	if g.encoded++; err == nil && g.encoded == len(g.pieces) {
		err = keeper.Put(groupKey(round, g.first), g.text.Bytes())
		g.text = bytes.Buffer{}
	}
	return decoded, err
}

// unread reads what is written to a buffer, and leaves it there.
type unread struct {
	buffer *bytes.Buffer
	next   int
}

// Read implements io.Reader.
func (r *unread) Read(b []byte) (int, error) {
	n := copy(b, r.buffer.Bytes()[r.next:])
	if r.next += n; n == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// ReadByte implements io.ByteReader, so that a decoder does not read ahead.
func (r *unread) ReadByte() (byte, error) {
	var b [1]byte
	_, err := r.Read(b[:])
	return b[0], err
}

// Kept yields the results of the next round that are kept, in order, up to the first that is missing.
func Kept[R any](keeper Keeper) iter.Seq2[R, error] {
	round := keeper.Round()
	return func(yield func(R, error) bool) {
		for first := 0; ; {
			var values []R
			kept, err := keeper.Get(groupKey(round, first), func(b []byte) (err error) {
				values, err = decodeAll[R](keeper, b)
				return err
			})
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !kept || len(values) == 0 {
				return
			}
			for _, value := range values {
				if !yield(value, nil) {
					return
				}
			}
			first += len(values)
		}
	}
}
