package pool

import (
	"context"
	"fmt"
)

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
