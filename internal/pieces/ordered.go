package pieces

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"veilpath/internal/pool"
)

// ErrPart reports that only one part of the work is done. Its results are incomplete until they are merged with
// the results of the other parts.
var ErrPart = errors.New("only a part of the work is done")

// IsPart reports whether only one part of the work is done.
func (w *Work) IsPart() bool { return w != nil && w.shard != nil }

// Common returns the work without its division, for items that every part needs and therefore does itself.
func (w *Work) Common() *Work {
	if !w.IsPart() {
		return w
	}
	return &Work{store: w.store}
}

// groupGrowth is the inverse of the number of items of a piece as a fraction of the items before it: of the work in a
// round, a killed process loses about that much, and N items take about groupGrowth * ln(N) pieces.
const groupGrowth = 32

// group is some consecutive items, whose results are one piece.
type group[T, R any] struct {
	key           string
	number, first int // of the group, and of its first item, in the round
	items         []T
	values        []R // kept ones; nil if they are to be computed

	// of values that are computed
	text, last bytes.Buffer // all values, and the last one, as gob encodes them
	encoder    encoder      // to both
	decoder    decoder      // from last
	encoded    int
}

// member is an item of a group, or the error of reading the group.
type member[T, R any] struct {
	*group[T, R]
	at  int // index in the group
	err error
}

// Ordered is [pool.Ordered] for items that take milliseconds: the results of some consecutive items are one piece of
// the work, which may be nil. Kept results are not computed again. Every result is yielded as gob decodes it, so that
// the caller never sees whether it was kept. Every call is a round of the work; the rounds are numbered in their order.
// Of part i of n, only the i-th of every n pieces is done, and ErrPart is yielded after them.
func Ordered[T, R any](ctx context.Context, w *Work, workers int, items iter.Seq[T],
	newWork func() pool.Work[T, R]) iter.Seq2[pool.Result[T, R], error] {
	if w == nil {
		return pool.Ordered(ctx, workers, items, newWork)
	}
	round := w.nextRound()
	return func(yield func(pool.Result[T, R], error) bool) {
		members := func(yield func(member[T, R]) bool) {
			for g := range groups[T, R](items, round) {
				if w.shard != nil && g.number%w.shard.Of != w.shard.Index-1 {
					continue
				}
				if err := g.get(w); err != nil {
					yield(member[T, R]{err: err})
					return
				}
				for at := range g.items {
					if !yield(member[T, R]{group: g, at: at}) {
						return
					}
				}
			}
		}
		newMember := func() pool.Work[member[T, R], R] {
			work := newWork()
			return func(ctx context.Context, m member[T, R], storage R) (R, error) {
				switch {
				case m.err != nil:
					return storage, m.err
				case m.values != nil:
					return m.values[m.at], nil
				}
				return work(ctx, m.items[m.at], storage)
			}
		}
		for r, err := range pool.Ordered(ctx, workers, members, newMember) {
			var result pool.Result[T, R]
			if err == nil {
				result.Piece = r.Piece.items[r.Piece.at]
				result.Value, err = r.Piece.keep(w, r.Value)
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
		if w.shard != nil {
			yield(pool.Result[T, R]{}, ErrPart)
		}
	}
}

// groups divides the items of a round into groups, whose sizes depend only on the number of items before them.
func groups[T, R any](items iter.Seq[T], round int) iter.Seq[*group[T, R]] {
	return func(yield func(*group[T, R]) bool) {
		g := &group[T, R]{key: groupKey(round, 0)}
		for item := range items {
			if g.items = append(g.items, item); len(g.items) <= g.first/groupGrowth {
				continue
			}
			if !yield(g) {
				return
			}
			next := g.first + len(g.items)
			g = &group[T, R]{key: groupKey(round, next), number: g.number + 1, first: next}
		}
		if len(g.items) > 0 {
			yield(g)
		}
	}
}

func groupKey(round, first int) string { return fmt.Sprintf("%d-%d", round, first) }

// get reads the kept values of the group, if there are as many as it has items.
func (g *group[T, R]) get(w *Work) error {
	_, err := w.get(g.key, func(b []byte) error {
		values, err := decodeAll[R](b)
		if err == nil && len(values) == len(g.items) {
			g.values = values
		}
		return err
	})
	return err
}

func decodeAll[R any](b []byte) (values []R, err error) {
	decoder := newDecoder(bytes.NewReader(b))
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

// keep returns the value of the next item as it is decoded, and keeps the group after its last item.
func (g *group[T, R]) keep(w *Work, value R) (decoded R, err error) {
	if g.values != nil {
		return value, nil
	}
	if g.encoder == nil {
		g.encoder, g.decoder = newEncoder(io.MultiWriter(&g.text, &g.last)), newDecoder(&g.last)
	}
	if err = g.encoder.Encode(value); err == nil {
		err = g.decoder.Decode(&decoded)
	}
	if g.encoded++; err == nil && g.encoded == len(g.items) {
		err = w.putBytes(g.key, g.text.Bytes())
		g.text = bytes.Buffer{}
	}
	return decoded, err
}

// Kept yields the results of the next round that are kept, in order, up to the first that is missing.
func Kept[R any](w *Work) iter.Seq2[R, error] {
	round := w.nextRound()
	return func(yield func(R, error) bool) {
		for first := 0; ; {
			var values []R
			_, err := w.get(groupKey(round, first), func(b []byte) (err error) {
				values, err = decodeAll[R](b)
				return err
			})
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if len(values) == 0 {
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
