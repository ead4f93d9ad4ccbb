package main

import (
	"net"
	"strconv"
	"strings"
	"testing"
)

// A port that is in use is named, with what to do.
func TestViewNamesAPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	r := veilpath(t, "view", "--port", port)
	if r.code != exitFailed || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 ||
		!strings.Contains(r.stderr, "port "+port+" cannot be used: address already in use") {
		t.Errorf("exit %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
}
