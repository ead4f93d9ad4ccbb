package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"veilpath/sim/record"
	"veilpath/sim/record/recordtest"
)

// blank is a disk with nothing on it but rewards to be released and a part, the only one, of a study to be joined.
func blank() *recordtest.Disk { return supplies().Killed() }

var supplies = sync.OnceValue(func() *recordtest.Disk {
	disk := &recordtest.Disk{}
	disk.Put("in/table.csv", "state,action,reward\n0,0,1\n0,1,2\n")
	call(context.Background(), nil, disk, []string{"study", "--quiet", "--out", "part", "--shard", "1/1", "--epsilons", "1", "--runs", "2",
		"--sweep", "vehicle.speed_km_s=1.7"}) // of one value, which draws nothing
	return disk
})

// writers are the verbs that write to --out, as short as they can be. Each replaces what another left.
func writers() map[string][]string {
	study := []string{"study", "--shard", "1/1", "--epsilons", "1", "--runs", "2"} // which draws nothing
	return map[string][]string{
		"study":     append(slices.Clone(study), "--force"),
		"resume":    append(slices.Clone(study), "--resume"),
		"axis":      {"study", "--shard", "1/1", "--epsilons", "0.2..4,1", "--runs", "2", "--resume"},
		"run":       {"run", "--nominal", "--force"},
		"leak":      {"leak", "--flights", "2", "--epsilons", "1", "--candidates", "16:11,3:4", "--policies", "1", "--force"},
		"audit":     {"audit", "--samples", "100", "--tables", "0", "--force"},
		"tune":      {"tune", "--epsilons", "1", "--runs", "2", "--radii", "0.7", "--force"},
		"merge":     {"merge", "part", "--force"},
		"plan":      {"plan", "example1", "--epsilon", "1", "--force"},
		"cost":      {"cost", "example1", "--epsilons", "1", "--runs", "2", "--force"},
		"privatize": {"privatize", "in/table.csv", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "1", "--force"},
	}
}

// wallTime is what tells two runs of a verb apart.
var wallTime = regexp.MustCompile(`"(wall_time_s|workers)": [^,\n]*`)

// leftBy reads what a verb left in the folder out. A release is not repeatable: of that it is whether its promise
// names it.
func leftBy(t *testing.T, disk *recordtest.Disk) map[string]string {
	t.Helper()
	files := disk.Files("out")
	if m, ok := files[record.ManifestName]; ok {
		files[record.ManifestName] = strings.TrimSpace(wallTime.ReplaceAllString(m, ""))
	}
	if promise, ok := files[guaranteeName]; ok {
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(files[releaseName])))
		files[guaranteeName], files[releaseName] = fmt.Sprint(strings.Contains(promise, sum)), ""
	}
	return files
}

// whole checks that what vouches for files in the folder out vouches for whole ones.
func whole(t *testing.T, disk *recordtest.Disk, after string) {
	t.Helper()
	m, err := record.ReadManifest(disk, "out")
	if err == nil {
		err = record.CheckFiles(context.Background(), disk, "out", m)
	}
	if err != nil && !errors.Is(err, record.ErrNoManifest) {
		t.Fatalf("%s: %v", after, err)
	}
	if promised, ok := leftBy(t, disk)[guaranteeName]; ok && promised != "true" {
		t.Fatalf("%s: a promise stands beside a release that it was not made for", after)
	}
}

// strides are those of verbs whose figures take long.
var strides = map[string]int{"leak": 5, "audit": 5, "cost": 5}

// stride is how many operations apart the tests below stop the world.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// Wherever a verb is killed, or the power fails, nothing vouches for what is not whole, and the same command ends
// with the same bytes and nothing else.
func TestEveryVerbStoppedAtAnyOperation(t *testing.T) {
	t.Parallel()
	verbs := writers()
	if !testing.Short() { // for it draws, which takes long
		verbs["reproduce"] = []string{"reproduce", "table1b", "--force"}
	}
	for name, args := range verbs {
		step := max(stride(), strides[name])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append(args, "--quiet", "--out", "out")
			before := blank()
			if slices.Contains(args, "--force") { // there is something to be replaced
				if r := veilpathOn(t, before, "run", "--epsilon", "2", "--quiet", "--out", "out"); r.code != exitDone {
					t.Fatal(r.stderr)
				}
			}
			undisturbed := before.Killed()
			if r := veilpathOn(t, undisturbed, args...); r.code != exitDone {
				t.Fatal(r.stderr)
			}
			want := leftBy(t, undisturbed)
			n := 1
			for ; ; n += step {
				disk := before.Killed()
				stopped := disk.StopAt(n)
				r := veilpathOn(t, disk, args...)
				if !stopped() {
					break
				}
				if r.code == exitDone && !maps.Equal(leftBy(t, disk.Killed()), want) && !tidying(leftBy(t, disk.Killed()), want) {
					t.Fatalf("stopped at operation %d it says that it is done", n)
				}
				for how, disk := range map[string]*recordtest.Disk{"killed": disk.Killed(), "power failure": disk.PowerFailure(-1)} {
					after := fmt.Sprintf("stopped at operation %d, %s", n, how)
					whole(t, disk, after)
					if r := veilpathOn(t, disk, args...); r.code != exitDone {
						t.Fatalf("%s: repeated, exit %d, %s", after, r.code, r.stderr)
					}
					if got := leftBy(t, disk); !maps.Equal(got, want) {
						t.Fatalf("%s: repeated, the folder holds %q, want %q", after, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
					}
				}
			}
			if n < 10 {
				t.Errorf("%d operations; the test is of next to nothing", n)
			}
		})
	}
}

// Going on with a study after other runs takes its flights over from its table into a new journal. Whenever the
// power fails, none of them is flown again.
func TestFlightsTakenOverLast(t *testing.T) {
	t.Parallel()
	const flown, epsilons = 1, 256 // as many as make a batch of a run
	study := []string{"study", "--epsilons", fmt.Sprintf("1:%d:1", epsilons), "--until", "2km", "--sweep", "vehicle.speed_km_s=1.7", "--out", "out", "--runs"}
	before := &recordtest.Disk{}
	if r := veilpathOn(t, before, append(study, fmt.Sprint(flown))...); r.code != exitFailed || !strings.Contains(r.stderr, "allow more") {
		t.Fatalf("exit %d, %q; want a study that is too short", r.code, r.stderr)
	}
	more := []string{"study", "--resume", "--out", "out", "--runs", fmt.Sprint(flown + 1)}
	resumed := regexp.MustCompile(`resuming after (\d+) of|is complete, (\d+) flights`)
	for n := 1; ; n += max(4, 3*stride()) {
		disk := before.Killed()
		stopped := disk.StopAt(n)
		veilpathOn(t, disk, more...)
		if !stopped() {
			break
		}
		r := veilpathOn(t, disk.PowerFailure(-1), more...)
		said := resumed.FindStringSubmatch(r.stderr)
		if said == nil {
			t.Fatalf("stopped at operation %d: the flights are lost: %s", n, r.stderr)
		}
		if kept, _ := strconv.Atoi(said[1] + said[2]); kept < flown*epsilons {
			t.Fatalf("stopped at operation %d: %d of %d flights are kept", n, kept, flown*epsilons)
		}
	}
}

// tidying reports whether a folder holds what is wanted beside what only a writer needs.
func tidying(got, want map[string]string) bool {
	for name, text := range got {
		if text != want[name] && name != record.PlanName && name != record.JournalName && !strings.HasPrefix(name, ".veilpath-") {
			return false
		}
	}
	return len(got) >= len(want)
}

// refusal is how a writer is told that another one has the folder, or had it.
var refusal = regexp.MustCompile(`another process|--resume: the study in out is another|out is not empty`)

// Whenever a second verb comes to a folder, whatever the first is about, the folder is one writer's in the end,
// and who was refused is told by whom.
func TestTwoWritersOnOneFolder(t *testing.T) {
	t.Parallel()
	verbs := writers()
	want := map[string]map[string]string{}
	for name, args := range verbs {
		disk := blank()
		if r := veilpathOn(t, disk, append(args, "--quiet", "--out", "out")...); r.code != exitDone {
			t.Fatal(r.stderr)
		}
		want[name] = leftBy(t, disk)
	}
	for first, args := range verbs {
		for second, others := range verbs {
			refused := 0
			for n := 1; ; n += min(11, 9*stride()*max(1, strides[first], strides[second])) {
				disk := blank()
				var other result
				operations := 0
				disk.Before = func(recordtest.Operation) error {
					if operations++; operations == n {
						disk.Before = nil
						other = veilpathOn(t, disk, append(others, "--quiet", "--out", "out")...)
					}
					return nil
				}
				one := veilpathOn(t, disk, append(args, "--quiet", "--out", "out")...)
				if operations < n {
					break
				}
				after := fmt.Sprintf("%s, and at its operation %d %s", first, n, second)
				whole(t, disk, after)
				got := leftBy(t, disk)
				if !maps.Equal(got, want[first]) && !maps.Equal(got, want[second]) {
					t.Fatalf("%s: the folder holds %q, which neither left; exits %d %q and %d %q", after, slices.Sorted(maps.Keys(got)), one.code, one.stderr, other.code, other.stderr)
				}
				for _, r := range []result{one, other} {
					if r.code != exitDone && !refusal.MatchString(r.stderr) {
						t.Fatalf("%s: %s", after, r.stderr)
					}
				}
				if other.code != exitDone {
					refused++
				}
			}
			if refused == 0 {
				t.Errorf("%s never kept %s out", first, second)
			}
		}
	}
}
