package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// full is a device without room after some bytes.
type full struct{ room int }

func (f *full) Write(text []byte) (int, error) {
	if len(text) <= f.room {
		f.room -= len(text)
		return len(text), nil
	}
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// What cannot be printed makes the program fail, whatever prints it; files are written all the same.
func TestUnwritableOutputFails(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "flight")
	for _, args := range [][]string{
		{"--help"},
		{"help", "study"},
		{"--version"},
		{"config", "show"},
		{"config", "presets"},
		{"run", "--nominal", "--out", folder, "--quiet", "--force"},
		{"run", "--nominal", "--format", "csv"},
		{"run", "--nominal", "--format", "json"},
	} {
		for _, room := range []int{0, 5} {
			var stderr bytes.Buffer
			a := &app{stdout: &full{room}, stderr: &stderr}
			code := a.run(context.Background(), args)
			const want = "veilpath: standard output is incomplete: no space left on device; free some space there, or " +
				"redirect it\n"
			if code != exitFailed || stderr.String() != want {
				t.Errorf("%s: exit %d, %q; want %d, %q", strings.Join(args, " "), code, stderr.String(), exitFailed, want)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "trajectory.csv")); err != nil {
		t.Errorf("the flight is lost: %v", err)
	}
}

// An audit that cannot print does not end with the exit code of the verdict "broken".
func TestAnAuditThatFailsIsNotBroken(t *testing.T) {
	var stderr bytes.Buffer
	a := &app{stdout: &full{}, stderr: &stderr}
	args := []string{"audit", "--quiet", "--epsilon", "1", "--samples", "200", "--out", filepath.Join(t.TempDir(), "out")}
	if code := a.run(context.Background(), args); code != exitUsage || !strings.Contains(stderr.String(), "incomplete") {
		t.Errorf("exit %d, %q; want %d", code, stderr.String(), exitUsage)
	}
}
