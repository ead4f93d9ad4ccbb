package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// ReadAtMost reads at most the first bytes of a file, so that an endless device or a huge file does not fill the
// memory. It waits for a silent pipe or terminal until the context ends. A named pipe without a writer is empty.
func ReadAtMost(ctx context.Context, path string, bytes int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// regular files have no deadlines and need none
	stop := context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := io.ReadAll(io.LimitReader(f, bytes))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while reading it: %w", ctx.Err())
	}
	return text, err
}
