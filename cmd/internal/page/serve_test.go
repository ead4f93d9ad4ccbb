package page

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// served runs a server and returns its address and a function that stops it.
func served(t *testing.T, handler http.HandlerFunc) (address string, stop func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, listener, handler) }()
	return listener.Addr().String(), func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(20 * time.Second):
			t.Fatal("the server still runs after the context has ended")
			return nil
		}
	}
}

func dial(t *testing.T, address, request string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

// A client that reads nothing does not stop the server from ending without an error.
func TestEndsBesideASlowReader(t *testing.T) {
	begun := make(chan bool, 1)
	address, stop := served(t, func(w http.ResponseWriter, _ *http.Request) {
		begun <- true
		block := make([]byte, 1<<20)
		for range 64 {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	dial(t, address, get)
	<-begun
	if err := stop(); err != nil {
		t.Errorf("ended with %v, want no error", err)
	}
}
