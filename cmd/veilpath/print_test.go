package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestOneIsNotCalledMany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, part := filepath.Join(dir, "study"), filepath.Join(dir, "part")
	one := []string{"--epsilons", "1", "--runs", "1"}
	many := regexp.MustCompile(`\b1 (point|run|flight|part|epsilon|byte|number|item|setting|folder)s\b`)
	for name, args := range map[string][]string{
		"study":  append([]string{"study", "--out", out}, one...),
		"sweep":  append([]string{"study", "--sweep", "sim.step_s=0.1", "--out", filepath.Join(dir, "sweep")}, one...),
		"until":  append([]string{"study", "--until", "1km", "--out", filepath.Join(dir, "until")}, one...),
		"shard":  append([]string{"study", "--shard", "1/1", "--out", part}, one...),
		"resume": append([]string{"study", "--resume", "--out", filepath.Join(dir, "resumed")}, one...),
	} {
		if r := veilpath(t, args...); many.MatchString(r.stdout + r.stderr) {
			t.Errorf("%s: %s%s", name, r.stdout, r.stderr)
		}
	}
	veilpath(t, "study", "--epsilons", "1", "--runs", "1", "--seed", "2", "--out", filepath.Join(dir, "other"))
	if r := veilpath(t, "compare", out); r.code != exitUsage || many.MatchString(r.stderr) {
		t.Errorf("one folder: exit %d, %s", r.code, r.stderr)
	}
	for _, args := range [][]string{{"compare", out, filepath.Join(dir, "other"), "--out", filepath.Join(dir, "compared")},
		{"merge", part, "--out", filepath.Join(dir, "merged")}, {"study", "--resume", "--out", out}} {
		if r := veilpath(t, args...); r.code != exitDone || many.MatchString(r.stdout+r.stderr) {
			t.Errorf("%q: exit %d, %s%s", args, r.code, r.stdout, r.stderr)
		}
	}
}

// After a part of a study come the other parts and their merge; a part alone cannot be viewed.
func TestAPartIsMergedNext(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "part")
	r := veilpath(t, "study", "--epsilons", "1", "--runs", "2", "--shard", "1/2", "--out", out)
	if want := "veilpath merge " + out; r.code != exitDone || !strings.Contains(r.stderr, want) ||
		strings.Contains(r.stderr, "veilpath view") {
		t.Errorf("exit %d, want %q in %s", r.code, want, r.stderr)
	}
}
