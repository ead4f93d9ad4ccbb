package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// damages are what can become of a file: bytes changed or cut off at some places, of so many, or the whole of it.
func damages(text string, places int) map[string]string {
	found := map[string]string{"emptied": "", "lengthened": text + "\x00", "zeroed": strings.Repeat("\x00", len(text))}
	for k := range min(places, len(text)) {
		at := k * (len(text) - 1) / max(1, places-1)
		flipped := []byte(text)
		flipped[at] ^= 1 << (k % 8)
		found[fmt.Sprintf("byte %d changed", at)] = string(flipped)
		found[fmt.Sprintf("cut off at %d", at)] = text[:at]
	}
	return found
}

// mostMemory is what a verb may take of a study of a few flights, however its files are damaged. Most of it is the
// planner's.
const mostMemory = 64 << 20 // bytes, allocated in all

// nearby makes a mission of few waypoints and short flights.
var nearby = []string{"VEILPATH_PLANNER_COLUMNS=6", "VEILPATH_PLANNER_ROWS=6", "VEILPATH_PLANNER_START_CELL=[0, 2]",
	"VEILPATH_VEHICLE_START_KM=[-50, -12.5, 10]", "VEILPATH_PRIVACY_HANDOVER_KM=20",
	"VEILPATH_VEHICLE_ACCEL_LIMIT_KM_S2=2"}

// Whatever becomes of rewards and settings, they are read within bounds, or refused by name.
func TestDamagedInputIsRefusedByName(t *testing.T) {
	t.Chdir(t.TempDir())
	rewards := "state,action,reward\n0,0,1.25\n0,1,2\n1,0,-3e1\n1,1,4\n"
	settings := veilpath(t, "config", "show", "--format", "table").stdout
	for name, c := range map[string]struct {
		text string
		args []string
	}{
		"rewards.csv": {rewards, []string{"privatize", "rewards.csv", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "1",
			"--quiet", "--force", "--out", "out"}},
		"table.csv": {rewards, []string{"design", "--rewards", "table.csv", "--draws", "2"}},
		"mine.yaml": {settings, nil},
	} {
		for damage, damaged := range damages(c.text, 40) {
			if err := os.WriteFile(name, []byte(damaged), 0o666); err != nil {
				t.Fatal(err)
			}
			args := c.args
			if args == nil {
				args = []string{"config", "check", "--config", fileWith(t, damaged)}
			}
			what := name + " " + damage
			r := within(t, mostMemory, what, func() result { return call(t.Context(), nearby, args) })
			if r.code != exitDone && r.code != exitUsage || r.code == exitUsage &&
				(!strings.Contains(r.stderr, ".csv") || strings.Count(r.stderr, "\n") != 1) {
				t.Errorf("%s: exit %d, %q", what, r.code, r.stderr)
			}
		}
	}
}

// within runs something and fails the test where that allocates more.
func within(t *testing.T, bytes uint64, what string, run func() result) result {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := run()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > bytes {
		t.Errorf("%s: it took %d MB", what, taken>>20)
	}
	return r
}
