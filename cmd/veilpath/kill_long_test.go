//go:build long

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tinySuite is a benchmark of one row.
const tinySuite = `
flights: 4
policies: 1
observers: [geometry]
missions:
  - name: tiny
    set: {planner.columns: 8, planner.rows: 6, planner.start_cell: "[0, 2]", vehicle.start_km: "[-75, 0, 10]",
      vehicle.heading: 90, privacy.handover_km: 30, adversary.candidates: "6:2,5:5"}
ways: [{name: soft, set: {privacy.mechanism: soft}}]
`

// Work killed at any instant, as often as one likes, ends with the bytes of work that never was.
func TestWorkKilledAtAnyInstantEndsWithTheSameBytes(t *testing.T) {
	t.Parallel()
	const kills = 10
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
		return exec.Command("veilpath", append(args, "--out", filepath.Join(dir, folder))...)
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

// finish runs a process to its end.
func finish(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}
