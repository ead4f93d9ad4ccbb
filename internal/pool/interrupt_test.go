package pool

import (
	"context"
	"errors"
	"testing"
)

func TestInterruptible(t *testing.T) {
	working := make(chan struct{})
	defer close(working)
	canceled, stop := context.WithCancel(context.Background())
	stop()
	if n, err := Interruptible(canceled, func() (int, error) { <-working; return 1, nil }); n != 0 ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("work that does not look at its context: %d, %v", n, err)
	}
	failed := errors.New("failed")
	if n, err := Interruptible(context.Background(), func() (int, error) { return 2, failed }); n != 2 || err != failed {
		t.Errorf("work that fails: %d, %v", n, err)
	}
}
