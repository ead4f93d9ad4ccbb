package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/sim/campaign/tuning"
)

// fileNames lists a folder.
func fileNames(t *testing.T, folder string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(results(t, folder)))
}

// Whatever a folder held, with --force it ends up with the files of the last verb and with people's own.
func TestForceLeavesNoOtherAnswer(t *testing.T) {
	t.Parallel()
	verbs := writers()
	tuned := []string{"tune", "--epsilons", "1", "--runs", "5", "--between", "1,2", "--resolution", "1", "--max-runs",
		"100", "--force", "--hidden-until"}
	verbs["tune found"], verbs["tune not found"] = append(slices.Clone(tuned), "90"), append(slices.Clone(tuned), "5")
	on := func(disk *recordtest.Disk, verb string) []string {
		veilpathOn(t, disk, append(verbs[verb], "--quiet", "--out", "out")...)
		return slices.Sorted(maps.Keys(disk.Files("out")))
	}
	held, alone := map[string]*recordtest.Disk{}, map[string][]string{}
	for _, name := range []string{"tune found", "tune not found", "study", "sweep", "run", "merge", "reproduce"} {
		held[name] = blank()
		alone[name] = on(held[name], name)
	}
	if !slices.Contains(alone["tune found"], tuning.ChoiceName) ||
		slices.Contains(alone["tune not found"], tuning.ChoiceName) || len(alone["reproduce"]) < 4 {
		t.Fatalf("the verbs do not write what this test is about: %q", alone)
	}
	for first, then := range map[string][]string{ // every verb comes after one that leaves other files
		"tune found": {"study", "tune not found", "run"},
		"sweep":      {"study", "merge", "tune found"},
		"reproduce":  {"run", "sweep"},
		"study":      {"reproduce"},
	} {
		for _, name := range then {
			disk := held[first].Killed()
			own := []string{"mine.txt"}
			if first != "tune found" && !slices.Contains(alone[name], tuning.ChoiceName) { // whose name it is too
				own = append(own, tuning.ChoiceName)
			}
			if first != "reproduce" {
				own = append(own, "figure-mine.png")
			}
			for _, file := range own {
				disk.Put("out/"+file, "mine")
			}
			if got, want := on(disk, name), slices.Sorted(slices.Values(append(own, alone[name]...))); !slices.Equal(got, want) {
				t.Errorf("%s over %s left %q, want %q", name, first, got, want)
			}
		}
	}
}

// A name that people use too is theirs, unless a manifest says otherwise; and so is what they hand in.
func TestForceKeepsPeoplesOwnSettings(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	config := filepath.Join(own, tuning.ChoiceName)
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
	if r := studyIn(t, out, "--force", "--config", filepath.Join(out, tuning.ChoiceName)); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	if _, err := os.Stat(filepath.Join(out, tuning.ChoiceName)); err != nil {
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

// A study that is being flown keeps its journal, whichever verb comes with --force.
func TestForceLeavesAStudyUnderWayAlone(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	flying := process(t, "study", "--runs", "100000", "--out", out)
	if err := flying.Start(); err != nil {
		t.Fatal(err)
	}
	defer flying.Wait()
	defer flying.Process.Kill()
	waitFor(t, func() bool {
		info, err := os.Stat(filepath.Join(out, record.JournalName))
		_, unnamed := os.Stat(filepath.Join(out, record.PlanName))
		return err == nil && unnamed == nil && info.Size() > 10_000
	})
	plan, err := os.ReadFile(filepath.Join(out, record.PlanName))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]result{
		"study": studyIn(t, out, "--force"),
		"run":   veilpath(t, "run", "--nominal", "--force", "--out", out),
	} {
		if r.code != exitFailed || !strings.Contains(r.stderr,
			fmt.Sprintf("veilpath study, process %d", flying.Process.Pid)) {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
	}
	if now, err := os.ReadFile(filepath.Join(out, record.PlanName)); err != nil || !bytes.Equal(now, plan) {
		t.Errorf("its plan was touched (%v)", err)
	}
	if _, err := os.Stat(filepath.Join(out, record.JournalName)); err != nil {
		t.Error(err)
	}
}

// A file that cannot be written is one line, whichever and however many they are, with what to do.
func TestFullDiskIsOneLine(t *testing.T) {
	t.Parallel()
	part := filepath.Join(t.TempDir(), "part")
	if r := studyIn(t, part, "--shard", "1/1"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	study := append([]string{"study"}, small...)
	for _, c := range []struct {
		args  []string
		files []string
		does  string
	}{
		{study, []string{"plan.json"}, "free space there and repeat the command with --resume"},
		{study, []string{"runs.parquet"}, "free space there and continue with: veilpath study --resume --out"},
		{study, []string{"summary.csv"}, "free space there and continue with"},
		{study, []string{"manifest.json"}, "free space there and continue with"},
		{study, []string{"figure.png", "figure.svg"}, "free space there and continue with"},
		{[]string{"run", "--nominal"}, []string{"trajectory.csv", "trajectory.parquet"}, "name another --out"},
		{[]string{"merge", part}, []string{"runs.parquet"}, "name another --out"},
		{[]string{"merge", part}, []string{"figure.svg", "figure.png"}, "name another --out"},
		{[]string{"tune", "--epsilons", "1", "--runs", "5"}, []string{"surface.parquet"}, "name another --out"},
	} {
		out := t.TempDir()
		r := veilpathOn(t, fullFor{files: c.files}, append(c.args, "--quiet", "--force", "--out", out)...)
		if r.code != exitFailed || strings.Count(r.stderr, "\n") != 1 ||
			strings.Count(r.stderr, "no space left on device") != 1 || !strings.Contains(r.stderr, c.does) {
			t.Errorf("%q, %q full: exit %d, %q; want one line with %q", c.args, c.files, r.code, r.stderr, c.does)
		}
	}
}

// fullFor is a disk that has no room for files of some names.
type fullFor struct {
	record.Disk
	files []string
}

func (d fullFor) OpenFile(name string, flag int, mode fs.FileMode) (record.File, error) {
	file, err := d.Disk.OpenFile(name, flag, mode)
	full := slices.ContainsFunc(d.files, func(f string) bool { return strings.Contains(filepath.Base(name), f) })
	if err != nil || !full {
		return file, err
	}
	return fullFile{file}, nil
}

type fullFile struct{ record.File }

func (fullFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
