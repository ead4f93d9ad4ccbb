package page

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// limits are the time limits of a connection.
type limits struct {
	headers, request, answer, idle time.Duration
	farewell                       time.Duration // for unfinished answers when the server stops
}

// usual are limits that let a slow machine load the whole program and that close unused connections.
var usual = limits{headers: 10 * time.Second, request: 30 * time.Second, answer: 5 * time.Minute, idle: 2 * time.Minute,
	farewell: 2 * time.Second}

// longestHeader bounds the headers of a request, bytes.
const longestHeader = 64 << 10

// Serve answers requests until the context ends and then returns nil. Unfinished answers are cut off after a short
// time.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	return usual.serve(ctx, listener, handler)
}

func (l limits) serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: longestHeader,
		ReadHeaderTimeout: l.headers, ReadTimeout: l.request, WriteTimeout: l.answer, IdleTimeout: l.idle,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.farewell)
		defer cancel()
		err := server.Shutdown(stop)
		if errors.Is(err, context.DeadlineExceeded) {
			server.Close()
			return nil
		}
		return err
	}
}
