package page

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Serve answers requests until the context ends and then returns nil. Answers that are unfinished two seconds later are
// cut off. The time limits let a slow machine load the whole program, and close connections that are not used.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	const longestHeader, farewell = 64 << 10, 2 * time.Second // bytes
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: longestHeader,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 5 * time.Minute,
		IdleTimeout: 2 * time.Minute,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer cancel()
		err := server.Shutdown(stop)
		if errors.Is(err, context.DeadlineExceeded) {
			server.Close()
			return nil
		}
		return err
	}
}
