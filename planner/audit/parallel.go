package audit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// batch is how many pieces of work a goroutine takes at once.
const batch = 256

// inParallel does pieces 0 to n-1 on some goroutines, each with a worker of its own, and tells how many are done.
// It ends with the context's error, or that of a piece.
func inParallel(ctx context.Context, n, workers int, newWorker func() (func(i int) error, error), progress func(int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var telling sync.Mutex
	var working sync.WaitGroup
	for range max(1, workers) {
		working.Go(func() {
			work, err := newWorker()
			for err == nil && ctx.Err() == nil {
				end := int(next.Add(batch))
				first, end := end-batch, min(end, n)
				if first >= n {
					return
				}
				for i := first; i < end && err == nil; i++ {
					err = work(i)
				}
				telling.Lock()
				progress(end - first)
				telling.Unlock()
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	working.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return ctx.Err()
}
