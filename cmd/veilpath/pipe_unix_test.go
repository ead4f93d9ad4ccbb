//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever --config names, no more of it is read than settings can hold, and the error names it.
func TestConfigIsReadWithinBounds(t *testing.T) {
	sparse := filepath.Join(t.TempDir(), "sparse.yaml")
	if err := os.WriteFile(sparse, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 10<<30); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{sparse, "/dev/zero"} {
		got := within(t, mostMemory, path, func() result { return veilpath(t, "config", "check", "--config", path) })
		if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, path) ||
			!strings.Contains(got.stderr, "longer than 1 MiB") {
			t.Errorf("%s: exit %d, %q", path, got.code, got.stderr)
		}
	}
}

// A pipe that says nothing does not keep the program from ending, whatever reads it, and neither does long work that is
// no study.
func TestWhatNeverEndsIsInterrupted(t *testing.T) {
	silent, unopened := filepath.Join(t.TempDir(), "silent"), filepath.Join(t.TempDir(), "unopened")
	if err := errors.Join(syscall.Mkfifo(silent, 0o666), syscall.Mkfifo(unopened, 0o666)); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(silent, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for line, says := range map[string]string{
		"config check --config " + silent:                                   silent,
		"privatize " + unopened + " --epsilon 1 --delta 0.01 --adjacency 1": "interrupted",
		"design --rewards " + unopened + " --max-error 1":                   "interrupted",
		"design --config paper --draws 100000000":                           "interrupted before the answer",
		"design --config example2 --draws 100000000":                        "interrupted before the answer",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		begun := time.Now()
		time.AfterFunc(100*time.Millisecond, cancel)
		got := call(ctx, nil, strings.Fields(line))
		if got.code != exitInterrupted || got.stdout != "" || !strings.Contains(got.stderr, says) ||
			strings.Count(got.stderr, "\n") != 1 || time.Since(begun) > 5*time.Second {
			t.Errorf("%s: exit code %d after %v, %q, %q", line, got.code, time.Since(begun), got.stdout, got.stderr)
		}
	}
}
