//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever --config names, no more of it is read than settings can hold, and the error names it.
func TestConfigIsReadWithinBounds(t *testing.T) {
	folder := t.TempDir()
	sparse := filepath.Join(folder, "sparse.yaml")
	if err := os.WriteFile(sparse, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 10<<30); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(folder, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		sparse:      "longer than 1 MiB",
		"/dev/zero": "longer than 1 MiB",
		"/dev/null": "holds no keys",
		pipe:        "holds no keys",
		folder:      "not readable, " + folder + ": holds no manifest.json",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := veilpath(t, "config", "check", "--config", path)
		runtime.ReadMemStats(&after)
		if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, path) ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit %d, %q; want one line with %s", path, got.code, got.stderr, want)
		}
		if most, took := uint64(64<<20), after.TotalAlloc-before.TotalAlloc; took > most {
			t.Errorf("%s took %d bytes of memory", path, took)
		}
	}
}

// Settings may come from a pipe; one that says nothing does not keep the program from ending.
func TestConfigFromAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if got := veilpathIn(t, ctx, nil, "config", "check", "--config", pipe); got.code != exitInterrupted ||
		!strings.Contains(got.stderr, pipe) {
		t.Errorf("a silent pipe: exit %d, %q", got.code, got.stderr)
	}

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if _, err := write.WriteString("privacy: {epsilon: 3}\n"); err != nil {
		t.Fatal(err)
	}
	write.Close()
	got := veilpath(t, "config", "show", "privacy", "--config", fmt.Sprintf("/dev/fd/%d", read.Fd()))
	if got.code != exitDone || !strings.Contains(got.stdout, "epsilon: 3 #") {
		t.Errorf("a pipe: exit %d, %q\n%s", got.code, got.stderr, got.stdout)
	}
}
