package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
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

// begun returns a disk on which a study was killed with flights in its journal.
func begun(t *testing.T, study []string) (found *recordtest.Disk) {
	t.Helper()
	disk := blank()
	watch(disk, func(o recordtest.Operation) {
		amid := path.Base(o.Path) == record.JournalName
		if files := disk.Files("out"); found == nil && !amid && files[record.PlanName] != "" &&
			len(files[record.JournalName]) > 100 {
			found = disk.Killed()
		}
	})
	veilpathOn(t, disk, study...)
	if found == nil {
		t.Fatal("no study with flights in its journal")
	}
	return found
}

// watch calls a function at every moment at which a disk may stop, one at a time, since files are written side by side.
func watch(disk *recordtest.Disk, visit func(recordtest.Operation)) {
	var mutex sync.Mutex
	disk.Watch(func(o recordtest.Operation) {
		mutex.Lock()
		defer mutex.Unlock()
		visit(o)
	})
}

// mostMemory is what a verb may take of a study of a few flights, however its files are damaged. Most of it is the
// planner's.
const mostMemory = 64 << 20 // bytes, allocated in all

// Whatever becomes of a file of a study, who reads it refuses it by name, or mends it, or comes to the same result.
func TestDamagedFilesAreRefusedMendedOrHarmless(t *testing.T) {
	for kind, places := range map[string]int{"resume": 25, "axis": 10} {
		t.Run(kind, func(t *testing.T) {
			if testing.Short() {
				places = 5
			}
			damageEveryFile(t, append(writers()[kind], "--quiet", "--out", "out"), places)
		})
	}
}

// damageEveryFile damages every file of a study, complete or under way, and has every verb that reads studies read it.
func damageEveryFile(t *testing.T, study []string, places int) {
	t.Helper()
	complete := blank()
	if r := veilpathOn(t, complete, study...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	want := leftBy(complete)
	readers := map[string][]string{
		"resume":  study,
		"merge":   {"merge", "out", "--out", "merged", "--quiet"},
		"run":     {"run", "--from", "out", "--run", "1", "--epsilon", "1", "--quiet"},
		"compare": {"compare", "out", "out", "--quiet", "--format", "csv"},
	}
	merged := complete.Killed()
	veilpathOn(t, merged, readers["merge"]...)
	printed := map[string]string{}
	for reader, args := range readers {
		printed[reader] = veilpathOn(t, complete.Killed(), args...).stdout
	}
	if printed["run"] == "" || merged.Files("merged")[record.RunsName] == "" {
		t.Fatal("the readers do not read what is whole")
	}
	for state, disk := range map[string]*recordtest.Disk{"complete": complete, "under way": begun(t, study)} {
		opened := map[string]map[string]bool{} // by readers of what is whole; no other file makes a difference to them
		for reader, args := range readers {
			opened[reader] = openedBy(t, disk.Killed(), args)
		}
		for name, text := range disk.Files("out") {
			places := places
			if slices.Contains(tables, name) {
				places = min(places, 8) // whose hashes the manifest holds
			}
			for damage, damaged := range damages(text, places) {
				if named := name == record.ManifestName || name == record.PlanName; named && json.Valid([]byte(damaged)) {
					continue // whoever edits a manifest answers for it
				}
				for reader, args := range readers {
					if !opened[reader][path.Join("out", name)] {
						continue
					}
					disk := disk.Killed()
					disk.Put(path.Join("out", name), damaged)
					what := fmt.Sprintf("%s, %s %s: %s", state, name, damage, reader)
					r := within(t, mostMemory, what, func() result { return veilpathOn(t, disk, args...) })
					switch {
					case r.code != exitDone:
						if !strings.Contains(r.stderr, "out") || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
							t.Errorf("%s: exit %d, %q, %q; want a line that names the folder", what, r.code, r.stdout, r.stderr)
						}
					case reader == "resume" && !maps.Equal(leftBy(disk), want):
						t.Errorf("%s: it left %q, want %q", what, slices.Sorted(maps.Keys(disk.Files("out"))),
							slices.Sorted(maps.Keys(want)))
					case reader == "merge" && disk.Files("merged")[record.RunsName] != merged.Files("merged")[record.RunsName]:
						t.Errorf("%s: the merged runs are others", what)
					case r.stdout != printed[reader] && reader != "resume" && reader != "merge":
						t.Errorf("%s: it prints %s, want %s", what, r.stdout, printed[reader])
					}
				}
			}
		}
	}
}

// tables are files that are read only where a manifest vouches for them.
var tables = []string{record.RunsName, record.AxisName, flightfile.SummaryName}

// openedBy returns the files that a verb opens on a disk.
func openedBy(t *testing.T, disk *recordtest.Disk, args []string) map[string]bool {
	t.Helper()
	opened := map[string]bool{}
	watch(disk, func(o recordtest.Operation) {
		if o.Name == "OpenFile" {
			opened[o.Path] = true
		}
	})
	veilpathOn(t, disk, args...)
	return opened
}

// Whatever becomes of rewards and settings, they are read within bounds, or refused by name.
func TestDamagedInputIsRefusedByName(t *testing.T) {
	rewards := "state,action,reward\n" + strings.Repeat("0,0,1.25\n", 1) + "0,1,2\n1,0,-3e1\n1,1,4\n"
	settings := veilpath(t, "config", "show", "--format", "table").stdout
	for name, c := range map[string]struct {
		text string
		args []string
	}{
		"rewards.csv": {rewards, []string{"privatize", "rewards.csv", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "1",
			"--quiet", "--out", "out"}},
		"table.csv": {rewards, []string{"design", "--rewards", "table.csv", "--draws", "2"}},
		"mine.yaml": {settings, nil},
	} {
		for damage, damaged := range damages(c.text, 40) {
			disk := &recordtest.Disk{}
			disk.Put(name, damaged)
			args := c.args
			if args == nil { // which is not on that disk
				args = []string{"config", "check", "--config", fileWith(t, damaged)}
			}
			what := name + " " + damage
			r := within(t, mostMemory, what, func() result { return veilpathOn(t, disk, args...) })
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
