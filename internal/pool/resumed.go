package pool

import (
	"context"
	"errors"
	"iter"
)

// Keeper keeps results in the order of their pieces, for work that is broken off to go on after them. It serves one
// goroutine.
type Keeper interface {
	// Kept reads the next result that was kept before the work was broken off, and reports whether there was one.
	Kept(result any) (bool, error)
	// Keep keeps a result.
	Keep(result any) error
}

// Sharer is the Keeper of one of several parts of some work.
type Sharer interface {
	Keeper
	// Own is called for every piece of the work, in order, and reports whether the part does it. One that is common is
	// done by all parts. It serves any goroutine.
	Own(common bool) bool
}

// ErrPart is the error of work of which only a part was done. Nothing can be made of its results until they are joined
// with those of the other parts.
var ErrPart = errors.New("only a part of the work is done")

// Common returns a keeper of results that every part of the work needs, and so does.
func Common(keeper Keeper) Keeper {
	if s, shared := keeper.(Sharer); shared {
		return common{s}
	}
	return keeper
}

// common has all pieces done. It is no Sharer.
type common struct{ Keeper }

// Resumed is Ordered that takes the results of the first pieces from a keeper, as far as it has them, and has it keep
// all others before they are yielded. It is Ordered without a keeper. A Sharer has the pieces of its part done, and
// ErrPart yielded after them.
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

// resumed is Resumed of all pieces; part says that they are not all of the work.
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
