package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/record"
)

// Work that is interrupted at any piece goes on with --resume and ends with the same bytes; once more it prints the
// same JSON, and other work is refused.
func TestJobsGoOnWhereTheyStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		other string
	}{
		"study": {[]string{"study", "--epsilons", "0.5,2", "--runs", "500", "--noise", "independent"}, "--seed=5"},
		"range": {[]string{"study", "--epsilons", "0.2..4,1", "--runs", "4000"}, "--seed=5"},
		"leak": {[]string{"leak", "--flights", "6", "--observers", "geometry,mechanism", "--epsilons", "1", "--candidates",
			"16:11,3:4", "--policies", "2"}, "--seed=5"},
		"audit": {[]string{"audit", "--samples", "1000", "--tables", "0"}, "--samples=1001"},
		"tune": {[]string{"tune", "--runs", "40", "--epsilons", "1,2", "--radii", "0.7", "--between", "0.5,4",
			"--hidden-until", "65", "--max-runs", "300"}, "--max-runs=301"},
		"tune without a demand": {[]string{"tune", "--runs", "40", "--epsilons", "1,2"}, "--seed=5"},
		"tune a problem": {[]string{"tune", "example1", "--max-cost", "20%", "--max-runs", "300", "--between", "0.5,4",
			"--resolution", "0.5"}, "--max-cost=3%"},
		"tune bits": {[]string{"tune", "--observer", "mechanism", "--leak", "1.2bits", "--set",
			"adversary.candidates=16:11,3:4", "--set", "adversary.policies=2", "--runs", "100", "--max-runs", "100",
			"--between", "0.5,1", "--resolution", "1"}, "--leak=1.3bits"},
		"reproduce": {[]string{"reproduce", "example1", "example2", "--set", "study.runs=30", "--set",
			"example1.agents=2"}, "--seed=5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resume, refusal := "continue with the same command and --resume --out ", " holds other work: "
			if c.args[0] == "study" {
				resume, refusal = "with: veilpath study --resume --out ", " has another study: "
			}
			whole := folderOf(t, "whole", append(c.args, "--workers", "1")...)
			want := results(t, whole)
			disk := &stopping{FileSystem: record.Disk{}}
			out := filepath.Join(t.TempDir(), "out")
			args := append(append([]string{}, c.args...), "--workers", "2", "--out", out, "--resume")
			sessions := 0
			for ; ; sessions++ {
				ctx, cancel := context.WithCancel(t.Context())
				disk.cancel, disk.left = cancel, 1+8*sessions
				r := call(ctx, nil, disk, args)
				cancel()
				if r.code == exitDone {
					break
				}
				if r.code != exitInterrupted || !strings.Contains(r.stderr, resume+out) || sessions > 40 {
					t.Fatalf("session %d: exit %d, %s", sessions, r.code, r.stderr)
				}
			}
			if sessions == 0 {
				t.Error("it was never interrupted")
			}
			sameResults(t, want, out)
			first := veilpath(t, append(c.args, "--format", "json", "--out", t.TempDir())...).stdout
			if r := veilpath(t, append(args, "--format", "json")...); r.code != exitDone ||
				!strings.Contains(r.stderr, "is complete") || r.stdout != first || first == "" {
				t.Errorf("finished: exit %d, %s, %q, want %q", r.code, r.stderr, r.stdout, first)
			}
			if r := veilpath(t, append(args, c.other)...); r.code != exitUsage ||
				!strings.Contains(r.stderr, out+refusal) {
				t.Errorf("other work: exit %d, %s", r.code, r.stderr)
			}
			if r := veilpath(t, append(c.args, "--resume")...); r.code != exitUsage ||
				!strings.Contains(r.stderr, "--resume needs --out") {
				t.Errorf("without a folder: exit %d, %s", r.code, r.stderr)
			}
		})
	}
}

// stopping is a disk that interrupts work after so many writings to its journal.
type stopping struct {
	record.FileSystem
	cancel context.CancelFunc
	left   int
}

func (d *stopping) OpenFile(path string, flag int, mode os.FileMode) (record.File, error) {
	file, err := d.FileSystem.OpenFile(path, flag, mode)
	if err == nil && filepath.Base(path) == record.JournalName {
		return &watchedFile{file, d}, nil
	}
	return file, err
}

type watchedFile struct {
	record.File
	disk *stopping
}

func (f *watchedFile) WriteAt(b []byte, at int64) (int, error) {
	if f.disk.left--; f.disk.left < 0 {
		f.disk.cancel()
	}
	return f.File.WriteAt(b, at)
}
