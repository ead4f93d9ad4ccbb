package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/record"
)

// copyFolder copies results to a folder of their own, to be spoiled there.
func copyFolder(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// edit replaces text in a file, once.
func edit(t *testing.T, path, old, replacement string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s lacks %q", path, old)
	}
	text = bytes.Replace(text, []byte(old), []byte(replacement), 1)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// swapRuns puts the table of another study in the place of a study's own.
func swapRuns(t *testing.T, folder, other string) {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(other, record.RunsName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, record.RunsName), table, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A table of another study is refused even where it has the same rows except for what came out.
func TestRunsOfAnotherStudyAreRefused(t *testing.T) {
	t.Parallel()
	whole, _ := wholeAndParts(t, 1, "--runs", "6")
	another, _ := wholeAndParts(t, 1, "--runs", "6", "--seed", "9")
	swapRuns(t, whole, another)
	for name, args := range map[string][]string{
		"run":   {"run", "--from", whole, "--epsilon", "2", "--run", "3"},
		"again": {"study", "--epsilons", "0.5,2", "--runs", "6", "--out", whole},
	} {
		r := veilpath(t, args...)
		if r.code != exitFailed || !strings.Contains(r.stderr, "restore it") || !strings.Contains(r.stderr, record.RunsName) {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
	}
}

func TestEditedSettingsAreRefused(t *testing.T) {
	whole, parts := wholeAndParts(t, 1, "--runs", "6")
	for _, folder := range []string{whole, parts[0]} {
		edit(t, filepath.Join(folder, record.ManifestName), `"speed_km_s": 1.7`, `"speed_km_s": 1.6`)
	}
	for name, args := range map[string][]string{
		"merge": {"merge", "--out", filepath.Join(t.TempDir(), "out"), parts[0]},
		"run":   {"run", "--from", whole, "--epsilon", "2", "--run", "3"},
		"again": {"study", "--epsilons", "0.5,2", "--runs", "6", "--out", whole},
	} {
		if r := veilpath(t, args...); r.code != exitFailed || !strings.Contains(r.stderr, "edited by hand") ||
			strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
	}
}
