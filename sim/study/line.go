package study

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
)

// chunk is a batch on its way along the line, with its records.
type chunk[R any] struct {
	number  int
	batch   Batch
	records []R
	err     error
}

// line hands batches out in order and takes their records back in any. The number of chunks under way is
// bounded, so memory does not grow with the study; a chunk needs a free buffer before it gets its number,
// so the one that must be delivered next always has a buffer and the line cannot stall.
type line[R any] struct {
	free chan []R
	done chan chunk[R]

	mu       sync.Mutex
	pull     func() (Batch, bool)
	taken    int
	finished bool // no batch is left
}

// chunksPerWorker is how far a worker may run ahead of the slowest.
const chunksPerWorker = 4

func newLine[R any](pull func() (Batch, bool), workers int) *line[R] {
	window := chunksPerWorker * workers
	l := &line[R]{pull: pull, free: make(chan []R, window), done: make(chan chunk[R], window)}
	for range window {
		l.free <- nil
	}
	return l
}

// errAbandoned marks a chunk that was cut short by the end of the context.
var errAbandoned = errors.New("study: chunk abandoned")

// pilot appends the records of a batch. It serves one goroutine.
type pilot[R any] interface {
	fly(ctx context.Context, b Batch, records []R) ([]R, error)
}

// flyLine has a pilot per worker fly batches and emits their records in the order of the batches, as
// Sweep.Fly says; workers below 1 stand for as many as there are cores.
func flyLine[R any](ctx context.Context, workers int, batches iter.Seq[Batch], newPilot func() pilot[R], emit func(Batch, []R) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next, stop := iter.Pull(batches)
	defer stop()
	l := newLine[R](next, workers)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			p := newPilot()
			for {
				c, ok := l.take(ctx)
				if !ok {
					return
				}
				c.records, c.err = p.fly(ctx, c.batch, c.records)
				l.done <- c
			}
		})
	}
	go func() { working.Wait(); close(l.done) }()
	err := l.deliver(ctx, cancel, emit)
	working.Wait() // before the batches are stopped under a worker's hands
	return err
}

// take returns the next chunk with an empty buffer, and false when none is left or the context has ended.
func (l *line[R]) take(ctx context.Context) (chunk[R], bool) {
	if ctx.Err() != nil {
		return chunk[R]{}, false
	}
	var buffer []R
	select {
	case <-ctx.Done():
		return chunk[R]{}, false
	case buffer = <-l.free:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.finished {
		return chunk[R]{}, false
	}
	b, ok := l.pull()
	if !ok {
		l.finished = true
		return chunk[R]{}, false
	}
	c := chunk[R]{number: l.taken, batch: b, records: buffer[:0]}
	l.taken++
	return c, true
}

// deliver emits the chunks in order until the workers are done. An error of emit cancels the work.
func (l *line[R]) deliver(ctx context.Context, cancel context.CancelFunc, emit func(Batch, []R) error) error {
	waiting := map[int]chunk[R]{}
	number := 0
	var failed error
	for c := range l.done {
		waiting[c.number] = c
		for failed == nil {
			c, ok := waiting[number]
			if !ok {
				break
			}
			if failed = c.err; failed == nil {
				failed = emit(c.batch, c.records)
			}
			if failed != nil {
				cancel()
				break
			}
			delete(waiting, number)
			number++
			l.free <- c.records
		}
	}
	switch {
	case failed != nil && !errors.Is(failed, errAbandoned):
		return failed
	case l.finished && number == l.taken: // the workers are gone: no lock needed
		return nil
	}
	return ctx.Err()
}
