// Package pool does pieces of work on several goroutines and yields the results in the order of the pieces. The
// results therefore do not depend on the number of goroutines. Interruptible does work that cannot be stopped and
// leaves it when its context ends.
//
// Three parts of the program do not use the pool. The solvers of planner/mdp divide the blocks of one sweep among
// goroutines; a sweep takes microseconds and returns no results. The visualizer's fleet drops its pieces when a
// setting changes, and takes results in any order. A Parquet table encodes up to two row groups while it fills the
// next, and does not know how many follow.
//
// # Assumptions and limitations
//
// The number of pieces in progress is bounded, so memory does not grow with the number of pieces. A piece should
// take milliseconds, because every piece takes a lock and two channel operations that the goroutines share.
package pool

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"
)

// Work does one piece in one goroutine and returns its result. It may reuse storage, an earlier result or the zero
// value, for the result. When the context ends it should return soon, with the context's error if the piece is not
// done.
type Work[T, R any] func(ctx context.Context, piece T, storage R) (R, error)

// WithRest returns a context whose work rests: Ordered calls rest before every piece, and long pieces call Rest. In a
// program with a single thread, other work is done meanwhile.
func WithRest(ctx context.Context, rest func()) context.Context {
	return context.WithValue(ctx, restKey{}, rest)
}

// Paced returns what rests by a function when it is called, if it has not done so for that long; nil is a millisecond's
// sleep.
func Paced(pace time.Duration, rest func()) func() {
	if rest == nil {
		rest = func() { time.Sleep(time.Millisecond) }
	}
	begun := time.Now()
	return func() {
		if time.Since(begun) >= pace {
			rest()
			begun = time.Now()
		}
	}
}

type restKey struct{}

// Rest rests if the work of the context is to do so.
func Rest(ctx context.Context) {
	if rest, ok := ctx.Value(restKey{}).(func()); ok {
		rest()
	}
}

// Workers returns the number of workers for a setting: the setting, or the number of cores if it is below 1.
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

// Result is a piece and its result. The value's storage is reused once the caller takes the next result.
type Result[T, R any] struct {
	Piece T
	Value R
}

// Ordered does pieces on several workers (see [Workers]) and yields the results in the order of the pieces.
// newWork is called once for each worker. The iteration ends with the error of the first piece that fails, after
// the results of the pieces before it, or with the context's error if the context ends early. If the caller breaks
// out of the loop, the remaining work is cancelled. In every case all goroutines have ended when the iteration
// ends.
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
			for range q.done { // until the workers have ended
			}
			stop() // only now, because the workers call pull
		}()
		q.deliver(ctx, yield)
	}
}

// piecesPerWorker is how many pieces each worker may be ahead of the slowest.
const piecesPerWorker = 4

// task is a piece with its number and its result.
type task[T, R any] struct {
	number int
	Result[T, R]
	err error
}

// queue hands out pieces in order and takes back their results in any order. A piece gets its number only after it
// has free storage. The piece that must be delivered next therefore always has storage, and the queue cannot
// stall.
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

// serve does pieces until none is left or a context has ended: the caller's, or the inner one, which also ends
// when the caller stops iterating.
func (q *queue[T, R]) serve(ctx, inner context.Context, work Work[T, R]) {
	for ctx.Err() == nil {
		t, ok := q.take(inner)
		if !ok {
			return
		}
		Rest(inner)
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

// deliver yields the results in order until the workers are done, a piece fails or the caller stops iterating.
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
	if !q.finished || number < q.taken { // the workers have ended, so no lock is needed
		yield(Result[T, R]{}, ctx.Err())
	}
}

// Interruptible returns the result of the work, or an error of the context as soon as that ends. It does not wait for
// abandoned work, which ends with the program.
func Interruptible[T any](ctx context.Context, work func() (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := work()
		done <- outcome{result, err}
	}()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case o := <-done:
		result, err = o.result, o.err
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("interrupted before the answer: %w", ctx.Err())
	}
	return result, err
}
