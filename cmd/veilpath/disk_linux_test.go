package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a full disk a study says in one line what to do, and goes on when there is space.
func TestFullDiskIsOneLine(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("none", small, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("mounting: ", err)
	}
	defer syscall.Unmount(small, 0)
	out := filepath.Join(small, "study")
	args := []string{"study", "--epsilons", "0.5,2", "--runs", "2000", "--quiet", "--out", out}
	r := veilpath(t, args...)
	if r.code != exitFailed || strings.Count(r.stderr, "\n") != 1 ||
		strings.Count(r.stderr, "no space left on device") != 1 ||
		!strings.Contains(r.stderr, "free space there, and go on with the same command") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if err := syscall.Mount("none", small, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Skip("mounting: ", err)
	}
	if r := veilpath(t, args...); r.code != exitDone {
		t.Fatalf("exit %d, %q", r.code, r.stderr)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	veilpath(t, append(args[:len(args)-1], whole)...)
	sameResults(t, results(t, whole), out)
}
