package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process prepares the program as a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.Command("veilpath", args...)
}

// quickly prepares the program as a process that draws few dots.
func quickly(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return process(t, args...)
}

// finish runs a process to its end.
func finish(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// Work killed at any instant, as often as one likes, ends with the bytes of work that never was.
func TestWorkKilledAtAnyInstantEndsWithTheSameBytes(t *testing.T) {
	t.Parallel()
	kills := 10
	if testing.Short() {
		kills = 3
	}
	total := 0
	for name, args := range map[string]string{
		"fixed": "study --epsilons 0.3,1,3 --runs 600 --trajectories 2",
		"axis":  "study --epsilons 0.2..4,0.3,1,3 --runs 200",
		"until": "study --epsilons 0.3,1,3 --until 6km --observer ballistic,constant_velocity",
		"sweep": "study --epsilons 0.3,1,3 --runs 100 --sweep vehicle.speed_km_s=1.6,1.7 " +
			"--observer ballistic,constant_velocity_ground --sweep adversary.radius_km=0.7,1",
		"shard":     "study --epsilons 0.3,1,3 --runs 900 --shard 1/2",
		"tune":      "tune --runs 40 --epsilons 1,2 --radii 0.7 --between 0.5,4 --hidden-until 65 --max-runs 300",
		"leak":      "leak --flights 40 --observers geometry --epsilons 1 --candidates 16:11,3:4",
		"cost":      "cost example1 --agents 2 --epsilons 0.5,2 --runs 2000",
		"audit":     "audit --samples 3000 --tables 0",
		"reproduce": "reproduce example1 --set study.runs=30 --set example1.agents=2",
		"benchmark": "benchmark " + fileWith(t, tinySuite),
	} {
		t.Run(name, func(t *testing.T) { total += killAndGoOn(t, kills, append(strings.Fields(args), "--quiet")) })
	}
	t.Logf("%d kills, of which pieces were left", total)
	if total == 0 {
		t.Error("no process was killed while it was working: the test tests nothing")
	}
}

// killAndGoOn kills work some times and returns how often pieces were left.
func killAndGoOn(t *testing.T, kills int, args []string) (begun int) {
	dir := t.TempDir()
	work := func(folder string) *exec.Cmd {
		return quickly(t, append(args, "--out", filepath.Join(dir, folder))...)
	}
	start := time.Now()
	finish(t, work("whole"))
	duration := time.Since(start)
	whole := results(t, filepath.Join(dir, "whole"))
	random := rand.New(rand.NewPCG(1, 2)) // instants; how far the process has come by then is the machine's
	for trial := 0; kills > 0; trial++ {
		folder := fmt.Sprintf("killed-%d", trial)
		for n := 1 + random.IntN(5); n > 0 && kills > 0; n-- {
			cmd := work(folder)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.Float64() * float64(duration)))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if kills--; len(piecesIn(filepath.Join(dir, folder))) > 0 {
				begun++
			}
		}
		finish(t, work(folder))
		sameResults(t, whole, filepath.Join(dir, folder))
		if t.Failed() {
			return begun
		}
		os.RemoveAll(filepath.Join(dir, folder))
	}
	return begun
}

// The program ends in order when its terminal is gone.
func TestHangUpInterrupts(t *testing.T) {
	out := filepath.Join(t.TempDir(), "cut")
	cmd := quickly(t, "study", "--out", out, "--epsilons", "0.3,1,3", "--runs", "20000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return len(piecesIn(out)) >= 3 })
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
	waitFor(t, func() bool { return len(piecesIn(cut)) >= 3 })
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted ||
		!strings.Contains(stderr.String(), "go on with the same command") {
		t.Fatalf("exit %d, want %d; stderr %q lacks the command to go on", code, exitInterrupted, stderr.String())
	}
	finish(t, quickly(t, append([]string{"study", "--out", cut}, settings...)...))
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
	waitFor(t, func() bool { return len(piecesIn(out)) >= 3 })
	cmd.Process.Signal(os.Interrupt)
	time.Sleep(300 * time.Millisecond) // it has stopped and is about to print
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
