package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// ReadAtMost reads a file that a user names, no more than its first bytes, so that neither an endless device nor
// a file of any size fills the memory. For a pipe or a terminal that says nothing it waits until the context ends;
// a named pipe that nothing writes to is empty.
func ReadAtMost(ctx context.Context, path string, bytes int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// regular files have no deadline and need none
	stop := context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := io.ReadAll(io.LimitReader(f, bytes))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while reading it: %w", ctx.Err())
	}
	return text, err
}

// Interruptible returns an error of the context once that is done and otherwise what the work returns. Work that
// is given up is not waited for: it ends with the program.
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
