package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/record"
)

// cutShort flies a study until it is killed, with some of its flights kept.
func cutShort(t *testing.T, out string, args ...string) {
	t.Helper()
	flying := process(t, append([]string{"study", "--quiet", "--out", out}, args...)...)
	if err := flying.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return len(piecesIn(out)) >= 2 })
	flying.Process.Kill()
	flying.Wait()
	if _, err := os.Stat(filepath.Join(out, record.RunsName)); err == nil {
		t.Fatal("the study ended before it was killed")
	}
}

func TestResumeBeginsOnlyWhereAStudyMay(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "mine.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := studyIn(t, out, "--resume"); r.code != exitUsage || !strings.Contains(r.stderr, "mine.txt") ||
		strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("exit %d, %q; want the folder refused", r.code, r.stderr)
	}
	if got := fileNames(t, out); len(got) != 1 {
		t.Errorf("the folder now holds %q", got)
	}
	if r := studyIn(t, out, "--resume", "--force"); r.code != exitDone {
		t.Errorf("with --force: exit %d, %q", r.code, r.stderr)
	}
}

// A finished study with a missing, damaged or other file names it, and the command that makes the same files again.
func TestFinishedStudyNamesTheCommandThatMakesItAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, flags := range map[string][]string{
		"study":     {"--trajectories", "2", "--report"},
		"until":     {"--until", "40km", "--runs", "300"},
		"sweep":     {"--sweep", "vehicle.speed_km_s=1.6,1.7", "--sweep", "vehicle.heading=line_of_sight,90"},
		"observers": {"--observer", "ballistic,heading"},
	} {
		out := filepath.Join(dir, name)
		studyIn(t, out, flags...)
		whole := results(t, out)
		for file, spoil := range map[string]func(path string) error{
			"summary.csv":   os.Remove,
			record.RunsName: func(path string) error { return os.Truncate(path, 500) },
		} {
			if err := spoil(filepath.Join(out, file)); err != nil {
				t.Fatal(err)
			}
			r := studyIn(t, out, flags...)
			_, command, named := strings.Cut(strings.TrimSpace(r.stderr), "make it again with: veilpath ")
			if r.code != exitFailed || !named || !strings.Contains(r.stderr, file) || strings.Count(r.stderr, "\n") != 1 {
				t.Fatalf("%s: exit %d, %q", name, r.code, r.stderr)
			}
			if r := veilpath(t, strings.Fields(strings.ReplaceAll(command, "'", ""))...); r.code != exitDone {
				t.Errorf("%s: %s: exit %d, %s", name, command, r.code, r.stderr)
			}
			sameResults(t, whole, out)
		}
	}
}

// Finished work whose files are missing or changed is not called complete, and the same command with --force makes it
// again.
func TestFinishedWorkWithDamagedFiles(t *testing.T) {
	t.Parallel()
	for file, command := range map[string]string{
		"costs.csv":   "cost example1 --epsilons 1 --runs 5",
		"summary.csv": "tune --epsilons 1,2 --runs 5",
	} {
		out := filepath.Join(t.TempDir(), "out")
		with := func(flag string) result { return veilpath(t, append(strings.Fields(command), flag, "--out", out)...) }
		if r := with("--quiet"); r.code != exitDone {
			t.Fatalf("%s: exit %d, %s", command, r.code, r.stderr)
		}
		whole := results(t, out)
		if err := os.Remove(filepath.Join(out, file)); err != nil {
			t.Fatal(err)
		}
		if r := with("--resume"); r.code != exitFailed || !strings.Contains(r.stderr, "missing: "+file) ||
			!strings.Contains(r.stderr, "--force") || r.stdout != "" {
			t.Errorf("%s: exit %d, %s%s", command, r.code, r.stdout, r.stderr)
		}
		if r := with("--force"); r.code != exitDone {
			t.Errorf("%s: exit %d, %s", command, r.code, r.stderr)
		}
		sameResults(t, whole, out)
	}
}
