package pool

import (
	"context"
	"fmt"
)

// Interruptible returns the error of the work, or an error of the context as soon as that ends. It does not wait
// for abandoned work, which ends with the program.
func Interruptible(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case <-ctx.Done():
		return fmt.Errorf("interrupted before the answer: %w", ctx.Err())
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("interrupted before the answer: %w", ctx.Err())
		}
		return err
	}
}
