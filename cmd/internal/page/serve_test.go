package page

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// served runs a server and returns its address and a function that stops it.
func served(t *testing.T, l limits, handler http.HandlerFunc) (address string, stop func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- l.serve(ctx, listener, handler) }()
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
	l := usual
	l.farewell = 50 * time.Millisecond
	begun := make(chan bool, 1)
	address, stop := served(t, l, func(w http.ResponseWriter, _ *http.Request) {
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

// A connection without a request, or with an endless one, is closed.
func TestIdleConnectionsAreClosed(t *testing.T) {
	const brief = 50 * time.Millisecond
	for name, limit := range map[string]limits{
		"after an answer": {headers: time.Minute, request: time.Minute, answer: time.Minute, idle: brief},
		"in the headers":  {headers: brief, request: time.Minute, answer: time.Minute, idle: time.Minute},
	} {
		address, stop := served(t, limit, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") })
		request := get
		if name == "in the headers" {
			request = "GET / HTTP/1.1\r\nHost: local"
		}
		c := dial(t, address, request)
		c.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.Copy(io.Discard, bufio.NewReader(c)); err != nil {
			t.Errorf("%s: %v, want the end of the connection", name, err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	for name, d := range map[string]time.Duration{"headers": usual.headers, "request": usual.request,
		"answer": usual.answer, "idle": usual.idle} {
		if d <= 0 {
			t.Errorf("the limit of %s is %v", name, d)
		}
	}
}
