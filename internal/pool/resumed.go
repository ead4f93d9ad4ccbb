package pool

import (
	"context"
	"errors"
	"iter"
)

// Keeper keeps results in the order of their pieces, so that interrupted work can resume after them. One goroutine
// uses it.
type Keeper interface {
	// Kept reads the next result of the interrupted work into result, and reports whether there was one.
	Kept(result any) (bool, error)
	// Keep appends a result.
	Keep(result any) error
}

// Sharer is the Keeper of one part of work that is divided into parts.
type Sharer interface {
	Keeper
	// Own is called for every piece of the work, in order, and reports whether this part does it. Every part does a
	// common piece. Own may be called by any goroutine.
	Own(common bool) bool
}

// ErrPart reports that only one part of the work is done. Its results are incomplete until they are merged with
// the results of the other parts.
var ErrPart = errors.New("only a part of the work is done")

// Common returns a keeper for pieces that every part of the work needs and therefore does itself.
func Common(keeper Keeper) Keeper {
	if s, shared := keeper.(Sharer); shared {
		return common{s}
	}
	return keeper
}

// common hides that its keeper is a Sharer, so that all pieces are done.
type common struct{ Keeper }

// Resumed is [Ordered] with a keeper, which may be nil. It takes the results of the first pieces from the keeper,
// and stores every other result there before it yields it. With a [Sharer], only the pieces of its part are done,
// and ErrPart is yielded after them.
func Resumed[T, R any](ctx context.Context, workers int, pieces iter.Seq[T], newWork func() Work[T, R],
	keeper Keeper) iter.Seq2[Result[T, R], error] {
	if keeper == nil {
		return Ordered(ctx, workers, pieces, newWork)
	}
	all, whole := keeper.(common)
	if whole {
		keeper = all.Keeper
	}
	s, shared := keeper.(Sharer)
	if shared {
		pieces = own(pieces, s, whole)
	}
	return resumed(ctx, workers, pieces, newWork, keeper, shared && !whole)
}

// own returns the pieces that a part does.
func own[T any](pieces iter.Seq[T], s Sharer, common bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for piece := range pieces {
			if s.Own(common) && !yield(piece) {
				return
			}
		}
	}
}

// resumed is Resumed for pieces that are already selected; part means that ErrPart follows them.
func resumed[T, R any](ctx context.Context, workers int, pieces iter.Seq[T], newWork func() Work[T, R], keeper Keeper,
	part bool) iter.Seq2[Result[T, R], error] {
	return func(yield func(Result[T, R], error) bool) {
		pull, stop := iter.Pull(pieces)
		defer stop()
		piece, ok := pull()
		for ; ok; piece, ok = pull() {
			r := Result[T, R]{Piece: piece}
			kept, err := keeper.Kept(&r.Value)
			if err != nil {
				yield(Result[T, R]{}, err)
				return
			}
			if !kept {
				break
			}
			if !yield(r, nil) {
				return
			}
		}
		rest := func(yield func(T) bool) {
			for ; ok && yield(piece); piece, ok = pull() {
			}
		}
		for r, err := range Ordered(ctx, workers, rest, newWork) {
			if err == nil {
				err = keeper.Keep(r.Value)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
		if part {
			yield(Result[T, R]{}, ErrPart)
		}
	}
}
