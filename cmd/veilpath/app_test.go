package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// result is what one call of the program came to.
type result struct {
	code           int
	stdout, stderr string
}

// veilpath runs the program within the test, for what a script cannot say.
func veilpath(t *testing.T, args ...string) result {
	t.Helper()
	return call(t.Context(), nil, args)
}

// fewDots make pictures quick.
const fewDots = 12

func call(ctx context.Context, environ []string, args []string) result {
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, environ: environ, dots: fewDots}
	code := a.run(ctx, args)
	return result{code, stdout.String(), stderr.String()}
}

// answerOf runs a command that prints JSON and nothing else, and reads that.
func answerOf[T any](t *testing.T, args ...string) (answer T) {
	t.Helper()
	got := veilpath(t, append(args, "--quiet", "--format", "json")...)
	if got.code != exitDone || got.stderr != "" {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	return answer
}

// fileWith writes a file for a test.
func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rewards.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Work that is interrupted before any of it was done says so, leaves no folder, and keeps the results there that it was
// to replace.
func TestWorkInterruptedAtOnceLeavesNothing(t *testing.T) {
	t.Parallel()
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for verb, says := range map[string]string{"study": "before the first flight was finished",
		"tune --hidden-until 56": "before anything was finished", "tune": "before anything was finished",
		"tune example1 --max-cost 5%": "before the answer", "cost example1": "before the answer",
		"audit": "before anything was finished", "reproduce thm6a": "before anything was finished",
		"benchmark": "before anything was finished", "leak": "", "leak mechanisms": "", "leak releases": "",
		"leak rewards": ""} {
		out := filepath.Join(t.TempDir(), "out")
		work := append(strings.Fields(verb), "--out", out)
		if r := call(interrupted, nil, work); r.code != exitInterrupted || fileExists(out) ||
			!strings.Contains(r.stderr, "interrupted") || !strings.Contains(r.stderr, says) || r.stdout != "" {
			t.Errorf("%s: exit code %d, folder %t, %q", verb, r.code, fileExists(out), r.stderr)
		}
		veilpath(t, "run", "--nominal", "--out", out)
		earlier := results(t, out)
		if r := call(interrupted, nil, append(work, "--force")); r.code != exitInterrupted {
			t.Errorf("%s --force: exit code %d, %q", verb, r.code, r.stderr)
		}
		sameResults(t, earlier, out)
	}
}
