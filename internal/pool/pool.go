// Package pool does pieces of work on many goroutines and hands the results on in the order of the pieces,
// so that nothing downstream can say how many goroutines there were.
//
// Three places have goroutines of their own. The solvers of planner/mdp share the blocks of one sweep, which takes
// microseconds and has no results to hand on. The visualizer's fleet drops its pieces when a setting changes,
// and takes their results in any order. A Parquet table encodes two row groups beside the one that fills,
// without knowing how many follow.
//
// # Assumptions and limitations
//
// The number of pieces under way is bounded, so memory does not grow with their number. A piece should take
// milliseconds: goroutines share a lock and two channels, which they touch once a piece.
package pool

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Work does one piece in one goroutine and returns what came of it. It may build the result in the storage
// of an earlier one, which is the zero value at first. When the context ends it should return soon, with the
// context's error if the piece is not done.
type Work[T, R any] func(ctx context.Context, piece T, storage R) (R, error)

// Workers returns how many workers a setting asks for: below 1, as many as there are cores.
func Workers(setting int) int {
	if setting < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return setting
}

// Numbers yields first to end-1.
func Numbers(first, end int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := first; i < end && yield(i); i++ {
		}
	}
}

// Result is a piece and what came of it. The value's storage is reused once the next result is requested.
type Result[T, R any] struct {
	Piece T
	Value R
}

// Ordered does pieces on some workers, see Workers, each with a Work of its own, and yields the results in
// the order of the pieces. It ends with the first error of any piece in that order, after the results before
// it, or with the context's error unless all pieces were done. When the caller stops listening, the work
// under way is cancelled. Either way no goroutine outlives the iteration.
func Ordered[T, R any](ctx context.Context, workers int, pieces iter.Seq[T],
	newWork func() Work[T, R]) iter.Seq2[Result[T, R], error] {
	return func(yield func(Result[T, R], error) bool) {
		inner, cancel := context.WithCancel(ctx)
		pull, stop := iter.Pull(pieces)
		workers := Workers(workers)
		q := newQueue[T, R](pull, workers)
		var working sync.WaitGroup
		for range workers {
			working.Go(func() { q.serve(ctx, inner, newWork()) })
		}
		go func() { working.Wait(); close(q.done) }()
		defer func() {
			cancel()
			for range q.done { // until the workers are gone
			}
			stop() // not before: they pull
		}()
		q.deliver(ctx, yield)
	}
}

// piecesPerWorker is how far a worker may run ahead of the slowest.
const piecesPerWorker = 4

// task is a piece under way.
type task[T, R any] struct {
	number int
	Result[T, R]
	err error
}

// queue hands pieces out in order and takes their results back in any. A piece needs a free storage before
// it gets its number, so the one that must be delivered next always has one and the queue cannot stall.
type queue[T, R any] struct {
	free chan R
	done chan task[T, R]

	mu       sync.Mutex
	pull     func() (T, bool)
	taken    int
	finished bool // no piece is left
}

func newQueue[T, R any](pull func() (T, bool), workers int) *queue[T, R] {
	window := piecesPerWorker * workers
	q := &queue[T, R]{pull: pull, free: make(chan R, window), done: make(chan task[T, R], window)}
	for range window {
		var none R
		q.free <- none
	}
	return q
}

// serve does pieces until none is left or a context has ended: the caller's, or the one within it that ends
// when nobody listens any more.
func (q *queue[T, R]) serve(ctx, inner context.Context, work Work[T, R]) {
	for ctx.Err() == nil {
		t, ok := q.take(inner)
		if !ok {
			return
		}
		t.Value, t.err = work(inner, t.Piece, t.Value)
		q.done <- t
	}
}

// take returns the next piece with free storage.
func (q *queue[T, R]) take(ctx context.Context) (t task[T, R], ok bool) {
	if ctx.Err() != nil {
		return t, false
	}
	select {
	case <-ctx.Done():
		return t, false
	case t.Value = <-q.free:
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.finished {
		return t, false
	}
	if t.Piece, ok = q.pull(); !ok {
		q.finished = true
		return t, false
	}
	t.number = q.taken
	q.taken++
	return t, true
}

// deliver yields the results in order until the workers are done, one has failed or nobody listens.
func (q *queue[T, R]) deliver(ctx context.Context, yield func(Result[T, R], error) bool) {
	waiting := map[int]task[T, R]{}
	number := 0
	for t := range q.done {
		waiting[t.number] = t
		for {
			t, ok := waiting[number]
			if !ok {
				break
			}
			if t.err != nil {
				yield(Result[T, R]{}, t.err)
				return
			}
			if !yield(t.Result, nil) {
				return
			}
			delete(waiting, number)
			number++
			q.free <- t.Value
		}
	}
	if !q.finished || number < q.taken { // the workers are gone: no lock needed
		yield(Result[T, R]{}, ctx.Err())
	}
}
