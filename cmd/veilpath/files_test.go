package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"veilpath/sim/campaign"
)

// fileNames lists a folder.
func fileNames(t *testing.T, folder string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(results(t, folder)))
}

// A name that people use too is theirs, unless a manifest says otherwise; and so is what they hand in.
func TestForceKeepsPeoplesOwnSettings(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	config := filepath.Join(own, campaign.ChoiceName)
	if err := os.WriteFile(config, []byte("study:\n  seed: 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r := studyIn(t, own, "--force", "--config", config); r.code != exitDone {
			t.Fatal(r.stderr)
		}
	}
	out := filepath.Join(t.TempDir(), "tune")
	veilpath(t, "tune", "--epsilons", "1", "--runs", "5", "--resolution", "0.5", "--max-runs", "100", "--hidden-until",
		"90", "--out", out)
	if r := studyIn(t, out, "--force", "--config", filepath.Join(out, campaign.ChoiceName)); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	if _, err := os.Stat(filepath.Join(out, campaign.ChoiceName)); err != nil {
		t.Errorf("the settings of the study are gone: %v", err)
	}
}

func TestMergeDoesNotClearItsParts(t *testing.T) {
	part := filepath.Join(t.TempDir(), "part")
	studyIn(t, part, "--shard", "1/1")
	before := results(t, part)
	r := veilpath(t, "merge", part, "--force", "--out", part+string(filepath.Separator))
	if r.code != exitUsage || !strings.Contains(r.stderr, "one of the parts") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	sameResults(t, before, part)
}

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
