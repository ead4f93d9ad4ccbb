package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// asProgram makes the test binary be the program, so that a test can kill a real process. Its value is how many dots
// per inch the program draws, 0 for the usual.
const asProgram = "VEILPATH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if dots, err := strconv.Atoi(os.Getenv(asProgram)); err == nil {
		os.Unsetenv(asProgram)
		os.Exit(program(dots))
	}
	debug.SetGCPercent(-1) // what is kept is little, and marked again and again
	debug.SetMemoryLimit(256 << 20)
	os.Exit(m.Run())
}

// process prepares the program as a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), asProgram+"=0")
	return cmd
}

// quickly prepares the program as a process that draws few dots.
func quickly(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := process(t, args...)
	cmd.Env = append(cmd.Env, fmt.Sprint(asProgram, "=", fewDots))
	return cmd
}

// finish runs a process to its end.
func finish(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// results reads every file of a folder; the manifest without the fields that tell runs of the program apart.
func results(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() == record.ManifestName {
			var m record.Manifest
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatalf("%s: %v", e.Name(), err)
			}
			m.WallTimeS, m.Workers = 0, 0
			if text, err = json.Marshal(m); err != nil {
				t.Fatal(err)
			}
		}
		files[e.Name()] = string(text)
	}
	return files
}

// sameResults compares two folders, file by file and byte by byte.
func sameResults(t *testing.T, want map[string]string, folder string) {
	t.Helper()
	got := results(t, folder)
	for name, text := range want {
		if other, ok := got[name]; !ok || other != text {
			t.Errorf("%s: %s differs or is missing", folder, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s should not be there", folder, name)
		}
	}
}

// A study killed at any instant, as often as one likes, ends with the bytes of one that never was: real processes on a
// real disk, which TestEveryVerbStoppedAtAnyOperation has models of.
func TestStudyKilledAtAnyInstantResumesToTheSameBytes(t *testing.T) {
	t.Parallel()
	kills := 32
	if testing.Short() {
		kills = 10
	}
	for name, extra := range map[string][]string{
		"fixed": {"--runs", "60"},
		"axis":  {"--epsilons", "0.2..4,0.3", "--runs", "20"},
		"until": {"--epsilons", "1,3", "--until", "6km", "--observer", "ballistic,constant_velocity"},
		"sweep": {"--runs", "25", "--sweep", "vehicle.speed_km_s=1.6,1.7", "--observer",
			"ballistic,constant_velocity_ground"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killAndResume(t, kills/3+1, append([]string{"--epsilons", "0.3,1,3", "--quiet"}, extra...))
		})
	}
}

func killAndResume(t *testing.T, kills int, settings []string) {
	dir := t.TempDir()
	study := func(folder string) *exec.Cmd {
		return quickly(t, append([]string{"study", "--resume", "--out", filepath.Join(dir, folder)}, settings...)...)
	}
	start := time.Now()
	finish(t, study("whole"))
	duration := time.Since(start)
	whole := results(t, filepath.Join(dir, "whole"))

	random := rand.New(rand.NewPCG(1, 2)) // instants; how far the process has come by then is the machine's
	begun := 0
	for trial := 0; kills > 0; trial++ {
		folder := fmt.Sprintf("killed-%d", trial)
		for n := 1 + random.IntN(5); n > 0 && kills > 0; n-- {
			cmd := study(folder)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			wait := time.Duration(random.Float64() * float64(duration) * float64(1+kills%2) / 2)
			if kills%2 == 0 { // at some instant of the flying, and otherwise at any
				waitFor(t, func() bool {
					_, err := os.Stat(filepath.Join(dir, folder, record.PlanName))
					_, done := os.Stat(filepath.Join(dir, folder, record.ManifestName))
					return err == nil || done == nil
				})
				if begun == 0 { // one at its beginning at least, however slow the machine is beside
					wait = 0
				}
			}
			time.Sleep(wait)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			kills--
			if _, err := os.Stat(filepath.Join(dir, folder, record.JournalName)); err == nil {
				begun++
			}
		}
		finish(t, study(folder))
		sameResults(t, whole, filepath.Join(dir, folder))
		if t.Failed() {
			return
		}
		os.RemoveAll(filepath.Join(dir, folder))
	}
	if begun == 0 {
		t.Error("no process was killed while it was flying: the test tests nothing")
	}
}

// The program ends in order when its terminal is gone.
func TestHangUpInterrupts(t *testing.T) {
	out := filepath.Join(t.TempDir(), "cut")
	cmd := quickly(t, "study", "--out", out, "--epsilons", "0.3,1,3", "--runs", "20000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		info, err := os.Stat(filepath.Join(out, record.JournalName))
		return err == nil && info.Size() > 60_000
	})
	cmd.Process.Signal(syscall.SIGHUP)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit %d, want %d", code, exitInterrupted)
	}
}

func TestInterruptedStudyNamesHowToGoOnAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	settings := []string{"--epsilons", "0.3,1,3", "--runs", "1200"}
	cmd := quickly(t, append([]string{"study", "--out", cut}, settings...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		info, err := os.Stat(filepath.Join(cut, record.JournalName))
		return err == nil && info.Size() > 60_000
	})
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted ||
		!strings.Contains(stderr.String(), "veilpath study --resume --out "+cut) {
		t.Fatalf("exit %d, want %d; stderr %q lacks the command to go on", code, exitInterrupted, stderr.String())
	}
	m, err := record.ReadManifest(record.Disk{}, cut)
	if err != nil || m.Complete || m.Runs == 0 || m.Runs == 1200 {
		t.Fatalf("manifest after the interruption: complete %v, %d runs, %v", m.Complete, m.Runs, err)
	}
	rows := 0
	if err := runfile.ReadRuns(context.Background(), record.Disk{}, cut, m,
		func(seen [][]study.Run) error { rows += len(seen[0]); return nil }); err != nil || rows != m.Flights {
		t.Errorf("%d rows of %d flights are readable: %v", rows, m.Flights, err)
	}
	finish(t, quickly(t, "study", "--resume", "--out", cut)) // the settings are those recorded
	finish(t, quickly(t, append([]string{"study", "--out", whole}, settings...)...))
	sameResults(t, results(t, whole), cut)
}

// The first signal asks the program to stop. One that does not, here because there is no reader, the second ends.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	writer.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	for err == nil { // until the pipe takes no more
		_, err = writer.Write(make([]byte, 1<<12))
	}
	cmd := process(t, "study", "--epsilons", "0.3,1,3", "--runs", "100000", "--out", out)
	cmd.Stdout = writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	waitFor(t, func() bool {
		info, err := os.Stat(filepath.Join(out, record.JournalName))
		return err == nil && info.Size() > 10_000
	})
	cmd.Process.Signal(os.Interrupt)
	// it has stopped and is about to print
	waitFor(t, func() bool { m, err := record.ReadManifest(record.Disk{}, out); return err == nil && m.Runs > 0 })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it ended without a reader: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	cmd.Process.Signal(os.Interrupt)
	select {
	case <-ended:
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
			t.Errorf("ended with %v, want the signal", cmd.ProcessState)
		}
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("the second signal did not end it")
	}
}

// Read by another program and without --out, results leave nothing on disk, whatever the verb.
func TestResultsForAProgramLeaveNothingOnDisk(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	parts := t.TempDir()
	var merge []string
	for i := range 2 {
		part := filepath.Join(parts, fmt.Sprint(i))
		if r := studyIn(t, part, "--shard", fmt.Sprintf("%d/2", i+1)); r.code != exitDone {
			t.Fatal(r.stderr)
		}
		merge = append(merge, part)
	}
	kept := studyIn(t, filepath.Join(parts, "kept"), "--format", "json")
	t.Setenv("PATH", t.TempDir()) // without the Go toolchain, the viewer ends at once
	t.Setenv("TMPDIR", here)
	rewards := fileWith(t, "state,action,reward\n0,0,1\n0,1,2\n")
	verbs := map[string][]string{
		"study":     append([]string{"study"}, small...),
		"merge":     append([]string{"merge"}, merge...),
		"compare":   {"compare", filepath.Join(parts, "kept"), filepath.Join(parts, "kept")},
		"tune":      {"tune", "--epsilons", "1", "--runs", "5"},
		"run":       {"run"},
		"reproduce": {"reproduce", "table1b"},
		"audit":     {"audit", "--samples", "1000", "--tables", "0"},
		"plan":      {"plan", "example1", "--epsilons", "1"},
		"cost":      {"cost", "example1", "--epsilons", "1", "--runs", "5"},
		"benchmark": {"benchmark", fileWith(t, tinySuite)},
		"leak":      {"leak", "--epsilons", "1", "--flights", "2", "--policies", "2"},
	}
	refused := map[string][]string{ // for lack of --out, or of a viewer
		"privatize": append([]string{"privatize", rewards}, promise...),
		"run":       {"run", "--view"},
	}
	for _, cmd := range (&app{}).rootCommand().Commands() {
		if name := cmd.Name(); cmd.Flag("out") != nil && verbs[name] == nil && refused[name] == nil {
			t.Errorf("%s makes files and is not tested here", name)
		}
	}
	for name, args := range refused {
		for _, format := range []string{"json", "csv"} {
			if r := veilpath(t, append(args, "--format", format)...); r.code == exitDone {
				t.Errorf("%s %s: exit %d, %q", name, format, r.code, r.stderr)
			}
			if left, err := os.ReadDir(here); err != nil || len(left) > 0 {
				t.Fatalf("%s --format %s left %v (%v)", name, format, left, err)
			}
		}
	}
	for name, args := range verbs {
		for _, format := range []string{"json", "csv"} {
			r := veilpath(t, append(args, "--format", format)...)
			if r.code != exitDone || r.stdout == "" || strings.Contains(r.stderr, "written") {
				t.Errorf("%s %s: exit %d, %q", name, format, r.code, r.stderr)
			}
			if (name == "study" || name == "merge") && format == "json" && r.stdout != kept.stdout {
				t.Errorf("%s prints\n%s\nwant that of a study that is kept\n%s", name, r.stdout, kept.stdout)
			}
			if left, err := os.ReadDir(here); err != nil || len(left) > 0 {
				t.Fatalf("%s --format %s left %v (%v)", name, format, left, err)
			}
		}
	}
	if r := veilpath(t, append([]string{"study"}, small...)...); r.code != exitDone ||
		!strings.Contains(r.stderr, "veilpath view "+filepath.Join("out", "study-001")) {
		t.Errorf("as a table: exit %d, %q", r.code, r.stderr)
	}
}

// Killed after its last file and before it could remove the journal, a study only has that left to do.
func TestJournalLeftByAFinishedStudyIsRemoved(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	settings := []string{"study", "--resume", "--out", out, "--epsilons", "0.5,2", "--runs", "9"}
	if r := veilpath(t, settings...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	whole := results(t, out)
	if err := os.WriteFile(filepath.Join(out, record.JournalName), []byte("veilpath-journal"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := veilpath(t, settings...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	sameResults(t, whole, out)
}

// waitFor waits until something holds, and fails the test when it never does.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("waited a minute in vain")
}
