package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veilpath/sim/record"
)

// cutShort flies a study until it is killed, with flights in its journal.
func cutShort(t *testing.T, out string, args ...string) {
	t.Helper()
	flying := process(t, append([]string{"study", "--quiet", "--out", out}, args...)...)
	if err := flying.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		info, err := os.Stat(filepath.Join(out, record.JournalName))
		_, unnamed := os.Stat(filepath.Join(out, record.ManifestName))
		return err == nil && unnamed == nil && info.Size() > 10_000
	})
	flying.Process.Kill()
	flying.Wait()
	if _, err := os.Stat(filepath.Join(out, record.RunsName)); err == nil {
		t.Fatal("the study ended before it was killed")
	}
}

// A wrong resumption is refused without a trace, so that the right one goes on all the same.
func TestResumeWithoutAManifestLeavesNoneOfAnotherStudy(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	settings := []string{"--epsilons", "0.5,2", "--runs", "2000"}
	cutShort(t, out, settings...)
	if err := os.Remove(filepath.Join(out, record.ManifestName)); err != nil {
		t.Fatal(err)
	}
	r := veilpath(t, "study", "--resume", "--out", out)
	if r.code != exitUsage || !strings.Contains(r.stderr, "repeat the flags it was begun with") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if _, err := os.Stat(filepath.Join(out, record.ManifestName)); err == nil {
		t.Error("the refused resumption left a manifest")
	}
	if r := veilpath(t, append([]string{"study", "--resume", "--out", out}, settings...)...); r.code != exitDone || !strings.Contains(r.stderr, "resuming after") {
		t.Errorf("exit %d, %q; want the study resumed", r.code, r.stderr)
	}
}

func TestOnlyWhoHasTheJournalWritesTheManifest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	folder, err := record.OpenFolder(out, false)
	if err != nil {
		t.Fatal(err)
	}
	journal, _, err := folder.OpenJournal([32]byte{1}, time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	if r := studyIn(t, out, "--resume"); r.code != exitFailed || !strings.Contains(r.stderr, "another process") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if got := fileNames(t, out); len(got) != 1 {
		t.Errorf("the folder holds %q, want the journal alone", got)
	}
}

func TestResumeBeginsOnlyWhereAStudyMay(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "mine.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := studyIn(t, out, "--resume"); r.code != exitUsage || !strings.Contains(r.stderr, "mine.txt") {
		t.Errorf("exit %d, %q; want the folder refused", r.code, r.stderr)
	}
	if got := fileNames(t, out); len(got) != 1 {
		t.Errorf("the folder now holds %q", got)
	}
	if r := studyIn(t, out, "--resume", "--force"); r.code != exitDone {
		t.Errorf("with --force: exit %d, %q", r.code, r.stderr)
	}
}
