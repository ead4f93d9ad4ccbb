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
	if err := Interruptible(canceled, func() error { <-working; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that does not look at its context: %v", err)
	}
	failed := errors.New("failed")
	if err := Interruptible(context.Background(), func() error { return failed }); err != failed {
		t.Errorf("work that fails: %v", err)
	}
}
