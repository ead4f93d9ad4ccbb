package study

import (
	"context"
	"sync"
)

// chunk is the records of the runs [first, end).
type chunk struct {
	number, first, end int
	records            []Run
}

// line hands chunks out in order and takes them back in any. The number of chunks under way is bounded,
// so memory does not grow with the study; a chunk needs a free buffer before it gets its number, so the
// one that must be delivered next always has a buffer and the line cannot stall.
type line struct {
	runsPerChunk, runs int
	free               chan []Run
	done               chan chunk

	mu   sync.Mutex
	next int
}

// chunksPerWorker is how far a worker may run ahead of the slowest.
const chunksPerWorker = 4

func newLine(runsPerChunk, runs, workers int) *line {
	window := chunksPerWorker * workers
	l := &line{runsPerChunk: runsPerChunk, runs: runs, free: make(chan []Run, window), done: make(chan chunk, window)}
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
	first := l.next * l.runsPerChunk
	if first >= l.runs {
		return chunk{}, false
	}
	c := chunk{number: l.next, first: first, end: min(first+l.runsPerChunk, l.runs), records: buffer[:0]}
	l.next++
	return c, true
}

// deliver emits the chunks in order until the workers are done. An error of emit cancels the work.
func (l *line) deliver(ctx context.Context, cancel context.CancelFunc, emit func([]Run) error) error {
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
			if failed = emit(c.records); failed != nil {
				cancel()
				break
			}
			delete(waiting, number)
			number++
			l.free <- c.records
		}
	}
	if failed != nil {
		return failed
	}
	if number*l.runsPerChunk < l.runs {
		return ctx.Err()
	}
	return nil
}
