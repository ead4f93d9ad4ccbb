package study

import (
	"context"
	"errors"
	"sync"
)

// chunk is a batch on its way along the line, with its records.
type chunk struct {
	number  int
	batch   Batch
	records []Run
	err     error
}

// line hands batches out in order and takes their records back in any. The number of chunks under way is
// bounded, so memory does not grow with the study; a chunk needs a free buffer before it gets its number,
// so the one that must be delivered next always has a buffer and the line cannot stall.
type line struct {
	free chan []Run
	done chan chunk

	mu       sync.Mutex
	pull     func() (Batch, bool)
	taken    int
	finished bool // no batch is left
}

// chunksPerWorker is how far a worker may run ahead of the slowest.
const chunksPerWorker = 4

func newLine(pull func() (Batch, bool), workers int) *line {
	window := chunksPerWorker * workers
	l := &line{pull: pull, free: make(chan []Run, window), done: make(chan chunk, window)}
	for range window {
		l.free <- nil
	}
	return l
}

// take returns the next chunk with an empty buffer, and false when none is left or the context has ended.
func (l *line) take(ctx context.Context) (chunk, bool) {
	if ctx.Err() != nil {
		return chunk{}, false
	}
	var buffer []Run
	select {
	case <-ctx.Done():
		return chunk{}, false
	case buffer = <-l.free:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.finished {
		return chunk{}, false
	}
	b, ok := l.pull()
	if !ok {
		l.finished = true
		return chunk{}, false
	}
	c := chunk{number: l.taken, batch: b, records: buffer[:0]}
	l.taken++
	return c, true
}

// deliver emits the chunks in order until the workers are done. An error of emit cancels the work.
func (l *line) deliver(ctx context.Context, cancel context.CancelFunc, emit func(Batch, []Run) error) error {
	waiting := map[int]chunk{}
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
