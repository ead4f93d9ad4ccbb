package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"veilpath/sim/campaign"
	"veilpath/sim/publish"
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
		"study":      append(slices.Clone(study), "--force"),
		"resume":     append(slices.Clone(study), "--resume"),
		"axis":       {"study", "--shard", "1/1", "--epsilons", "0.2..4,1", "--runs", "2", "--resume"},
		"sweep":      {"study", "--sweep", "vehicle.speed_km_s=1.6,1.7", "--epsilons", "1", "--runs", "2", "--force"},
		"run":        {"run", "--nominal", "--force"},
		"leak":       {"leak", "--flights", "2", "--epsilons", "1", "--candidates", "16:11,3:4", "--policies", "1", "--force"},
		"more leak":  {"leak", "releases", "--goals", "2", "--epsilons", "1", "--candidates", "16:11,3:4", "--policies", "1", "--counts", "1,2", "--resume"},
		"more audit": {"audit", "--samples", "200", "--tables", "0", "--resume"},
		"audit":      {"audit", "--samples", "100", "--tables", "0", "--force"},
		"tune":       {"tune", "--epsilons", "1", "--runs", "2", "--radii", "0.7", "--force"},
		"merge":      {"merge", "part", "--force"},
		"compare":    {"compare", "part", "part", "--force", "--report"},
		"plan":       {"plan", "example1", "--epsilon", "1", "--force"},
		"cost":       {"cost", "example1", "--epsilons", "1", "--runs", "2", "--force"},
		"more cost":  {"cost", "example1", "--epsilons", "1", "--runs", "2", "--resume"},
		"reproduce":  {"reproduce", "table1b", "--force"},
		"privatize":  {"privatize", "in/table.csv", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "1", "--force"},
	}
}

// Whichever verb writes files is among the writers, and what it writes is known as that of a verb.
func TestWritersAreAllVerbsThatWrite(t *testing.T) {
	t.Parallel()
	verbs := writers()
	for _, cmd := range (&app{}).rootCommand().Commands() {
		named := func(args []string) bool { return args[0] == cmd.Name() }
		if cmd.Flag("out") != nil && !slices.ContainsFunc(slices.Collect(maps.Values(verbs)), named) {
			t.Errorf("%s writes files and is not among the writers", cmd.Name())
		}
	}
	for name, args := range verbs {
		disk := blank()
		veilpathOn(t, disk, append(args, "--quiet", "--out", "out")...)
		known, err := (&campaign.Program{Disk: disk}).Earlier("out", ownNames, "")
		if err != nil {
			t.Fatal(err)
		}
		for file := range disk.Files("out") {
			if file != record.ManifestName && !slices.Contains(known, file) {
				t.Errorf("%s writes %s, which --force does not remove", name, file)
			}
		}
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
	if promise, ok := files[publish.GuaranteeName]; ok {
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(files[publish.ReleaseName])))
		files[publish.GuaranteeName], files[publish.ReleaseName] = fmt.Sprint(strings.Contains(promise, sum)), ""
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
	if promised, ok := leftBy(t, disk)[publish.GuaranteeName]; ok && promised != "true" {
		t.Fatalf("%s: a promise stands beside a release that it was not made for", after)
	}
}

// world is a disk as it is found when a verb was stopped.
type world struct {
	after string // which operation
	disk  *recordtest.Disk
}

// worlds runs a verb and returns what may be found of it, before every operation and amid every writing, when its
// process is killed or the power fails. Of disks that are the same only one is returned, where the verb opens no file
// before it has taken the folder also of those that are the same once that is done.
func worlds(t *testing.T, disk *recordtest.Disk, args []string) []world {
	t.Helper()
	var found []world
	n, taken, looks := 0, false, false
	disk.Watch(func(o recordtest.Operation) {
		n++
		taken = taken || o.Name == "Lock"
		looks = looks || !taken && o.Name == "OpenFile" && !strings.HasPrefix(path.Base(o.Path), ".veilpath-")
		after := fmt.Sprintf("stopped at operation %d, %s", n, o)
		found = append(found, world{after + ", killed", disk.Killed()}, world{after + ", power failure", disk.PowerFailure(-1)})
	})
	if r := veilpathOn(t, disk, args...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	disk.Watch(func(recordtest.Operation) {})
	seen := map[[32]byte]bool{}
	return slices.DeleteFunc(found, func(w world) bool {
		whole(t, w.disk, w.after)
		key := w.disk.Sum()
		if !looks {
			key = retaken(t, w.disk).Sum()
		}
		was := seen[key]
		seen[key] = true
		return was
	})
}

// retaken returns a copy of a disk on which the folder out, if it is there, was taken and let go.
func retaken(t *testing.T, disk *recordtest.Disk) *recordtest.Disk {
	t.Helper()
	disk = disk.Killed()
	folder, err := record.ReopenFolder(disk, "out", "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	return disk
}

// filled returns a disk on which there is something for a verb to replace, if it does that.
func filled(t *testing.T, args []string) *recordtest.Disk {
	t.Helper()
	disk := blank()
	if slices.Contains(args, "--force") {
		if r := veilpathOn(t, disk, "run", "--epsilon", "2", "--quiet", "--out", "out"); r.code != exitDone {
			t.Fatal(r.stderr)
		}
	}
	return disk
}

// Wherever a verb is killed, or the power fails, nothing vouches for what is not whole, the earlier answer is there or
// all of the new one, and the same command ends with the same bytes and nothing else.
func TestEveryVerbStoppedAtAnyOperation(t *testing.T) {
	t.Parallel()
	for name, args := range writers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append(args, "--quiet", "--out", "out")
			disk := filled(t, args)
			earlier := disk.Files("out")
			found := worlds(t, disk, args)
			later, want := disk.Files("out"), leftBy(t, disk)
			if len(found) < 5 {
				t.Errorf("%d worlds; the test is of next to nothing", len(found))
			}
			for _, w := range found {
				if !holdsAll(w.disk, earlier) && !holdsAll(w.disk, later) {
					t.Fatalf("%s: the folder holds %q, neither the earlier answer nor all of the new one", w.after, slices.Sorted(maps.Keys(w.disk.Files("out"))))
				}
				if r := veilpathOn(t, w.disk, args...); r.code != exitDone {
					t.Fatalf("%s: repeated, exit %d, %s", w.after, r.code, r.stderr)
				}
				if got := leftBy(t, w.disk); !maps.Equal(got, want) {
					t.Fatalf("%s: repeated, the folder holds %q, want %q", w.after, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
				}
			}
		})
	}
}

// holdsAll reports whether the folder out holds the contents of all files, under whichever names.
func holdsAll(disk *recordtest.Disk, files map[string]string) bool {
	there := slices.Collect(maps.Values(disk.Files("out")))
	for _, text := range files {
		if !slices.Contains(there, text) {
			return false
		}
	}
	return true
}

// A verb whose disk fails for good is not done, whichever operation is the first to fail. Of verbs that draw, which
// takes long, it is the beginning of every file and the first operation of every other kind.
func TestNoVerbIsDoneWhoseDiskFails(t *testing.T) {
	t.Parallel()
	for name, args := range writers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append(args, "--quiet", "--out", "out")
			before := filled(t, args)
			disk := before.Killed()
			var operations []recordtest.Operation
			disk.Before = func(o recordtest.Operation) error { operations = append(operations, o); return nil }
			veilpathOn(t, disk, args...)
			disk.Before = nil
			want := leftBy(t, disk)
			tried := map[string]bool{}
			for i, o := range operations {
				kind := o.Name
				if o.Name == "OpenFile" || pictures(want) == 0 {
					kind = o.String()
				}
				if tried[kind] {
					continue
				}
				tried[kind] = true
				disk := before.Killed()
				disk.StopAt(i + 1)
				if r := veilpathOn(t, disk, args...); r.code == exitDone && !maps.Equal(leftBy(t, disk.Killed()), want) && !tidying(leftBy(t, disk.Killed()), want) {
					t.Errorf("with a disk that fails from operation %d on, %s, it says that it is done", i+1, o)
				}
			}
		})
	}
}

// Going on with a study after other runs takes its flights over from its table into a new journal. Whenever the
// power fails, none of them is flown again.
func TestFlightsTakenOverLast(t *testing.T) {
	t.Parallel()
	const flown, epsilons = 1, 256 // as many as make a batch of a run, with independent noise
	study := []string{"study", "--epsilons", fmt.Sprintf("1:%d:1", epsilons), "--noise", "independent", "--until", "2km", "--sweep", "vehicle.speed_km_s=1.7", "--out", "out", "--runs"}
	before := &recordtest.Disk{}
	if r := veilpathOn(t, before, append(study, fmt.Sprint(flown))...); r.code != exitFailed || !strings.Contains(r.stderr, "allow more") {
		t.Fatalf("exit %d, %q; want a study that is too short", r.code, r.stderr)
	}
	more := []string{"study", "--resume", "--out", "out", "--runs", fmt.Sprint(flown + 1)}
	resumed := regexp.MustCompile(`resuming after (\d+) of|is complete, (\d+) flights`)
	disk := before.Killed()
	found := map[[32]byte]world{}
	disk.Watch(func(o recordtest.Operation) {
		lost := disk.PowerFailure(-1)
		found[lost.Sum()] = world{fmt.Sprintf("a power failure before %s", o), lost}
	})
	veilpathOn(t, disk, more...)
	if len(found) < 4 {
		t.Errorf("%d worlds; the test is of next to nothing", len(found))
	}
	for _, w := range found {
		r := veilpathOn(t, w.disk, more...)
		said := resumed.FindStringSubmatch(r.stderr)
		if said == nil {
			t.Fatalf("%s: the flights are lost: %s", w.after, r.stderr)
		}
		if kept, _ := strconv.Atoi(said[1] + said[2]); kept < flown*epsilons {
			t.Fatalf("%s: %d of %d flights are kept", w.after, kept, flown*epsilons)
		}
	}
}

// pictures counts the files that take long to make.
func pictures(files map[string]string) (n int) {
	for name := range files {
		if strings.HasSuffix(name, ".png") {
			n++
		}
	}
	return n
}

// tidying reports whether a folder holds what is wanted beside what only a writer needs.
func tidying(got, want map[string]string) bool {
	for name, text := range got {
		if text != want[name] && name != record.PlanName && name != record.JournalName && name != record.PiecesName && !strings.HasPrefix(name, ".veilpath-") {
			return false
		}
	}
	return len(got) >= len(want)
}

// moment is a disk before an operation of a verb, as another process finds it.
type moment struct {
	operation recordtest.Operation
	disk      *recordtest.Disk
	taken     bool // the folder out, by the verb
}

// moments runs a verb and returns what other processes find. No file of the folder appears, changes or goes but while
// the verb has the folder.
func moments(t *testing.T, args []string) (found []moment) {
	t.Helper()
	disk := blank()
	disk.Watch(func(o recordtest.Operation) {
		found = append(found, moment{operation: o, disk: disk.Shared()})
	})
	if r := veilpathOn(t, disk, append(args, "--quiet", "--out", "out")...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	var before map[string]string
	for i := range found {
		m := &found[i]
		sum := m.disk.Sum()
		m.taken = refuses(t, m.disk)
		if m.taken && m.disk.Sum() != sum {
			t.Fatalf("%q, at operation %d, %s: who was refused changed something", args, i+1, m.operation)
		}
		files := m.disk.Files("out")
		maps.DeleteFunc(files, func(name, _ string) bool { return name == ".veilpath-lock" })
		if !m.taken && !maps.Equal(before, files) && i > 0 && !found[i-1].taken {
			t.Fatalf("%q: before operation %d, %s, it changed files of a folder that it had not taken", args, i+1, m.operation)
		}
		before = files
	}
	return found
}

// refuses reports whether the folder out is refused to a writer. One that gets it changes a copy.
func refuses(t *testing.T, disk *recordtest.Disk) bool {
	t.Helper()
	folder, err := record.ReopenFolder(disk, "out", "test")
	if err == nil {
		folder.Close()
	}
	if err != nil && !errors.Is(err, record.ErrBusy) {
		t.Fatal(err)
	}
	return err != nil
}

// refusal is how a writer is told that another one has the folder, or had it.
var refusal = regexp.MustCompile(`another process|--resume: the (study|work) in out is another|out is not empty`)

// While a verb has the folder, every other changes nothing and is refused by name, or finds its study finished. What two
// verbs leave alike on the way is tried once.
func TestEveryVerbKeepsEveryOtherOut(t *testing.T) {
	t.Parallel()
	verbs := writers()
	seen := map[string]bool{}
	for first, args := range verbs {
		taken := false
		for i, m := range moments(t, args) {
			taken = taken || m.taken
			state := shownBy(m.disk)
			if !m.taken || seen[state] {
				continue
			}
			seen[state] = true
			before := m.disk.Sum()
			for second, others := range verbs {
				disk := m.disk.Shared()
				r := veilpathOn(t, disk, append(others, "--quiet", "--out", "out")...)
				finished := r.code == exitDone && m.disk.Files("out")[record.ManifestName] != "" // and only read
				if !finished && !refusal.MatchString(r.stderr) || disk.Sum() != before {
					t.Errorf("%s, and at its operation %d, %s, %s: exit %d, %s", first, i+1, m.operation, second, r.code, r.stderr)
				}
			}
		}
		if !taken {
			t.Errorf("%s never took the folder", first)
		}
	}
}

// shownBy tells what another process finds in the folder out: files with their contents, and whether some, or flights, are
// being written.
func shownBy(disk *recordtest.Disk) string {
	var state []string
	for name, text := range disk.Files("out") {
		if strings.HasSuffix(name, ".partial") {
			name = "being written"
		}
		if name == "being written" || name == record.JournalName {
			text = ""
		}
		state = append(state, fmt.Sprintf("%s %x", name, sha256.Sum256([]byte(text))))
	}
	slices.Sort(state)
	return strings.Join(slices.Compact(state), "\n")
}

// Whenever a second verb comes while the first does not have the folder, it is one writer's in the end. Firsts whose
// operations before they have the folder are those of another are tried at the last of them alone.
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
	draws := func(name string) int { return pictures(want[name]) }
	known := map[string]bool{}
	for _, first := range slices.SortedFunc(maps.Keys(verbs), func(a, b string) int { return cmp.Or(draws(a)-draws(b), cmp.Compare(a, b)) }) {
		found := moments(t, verbs[first])
		begins := slices.IndexFunc(found, func(m moment) bool { return m.taken })
		var way []string
		for _, m := range found[:begins] {
			if strings.HasPrefix(m.operation.Path, "out") {
				way = append(way, m.operation.String())
			}
		}
		for i, m := range found {
			elsewhere := path.Clean(m.operation.Path) != "out" && path.Dir(m.operation.Path) != "out" // which makes no difference
			if m.taken || elsewhere || i != begins-1 && (known[fmt.Sprint(way)] || testing.Short() && i%3 > 0) {
				continue
			}
			for second := range verbs {
				if draws(second) > 0 && (i != begins-1 || draws(first) > 0 && testing.Short()) {
					continue
				}
				meet(t, first, second, i+1, want)
			}
		}
		known[fmt.Sprint(way)] = true
	}
}

// meet has a second verb run when the first comes to its n-th operation.
func meet(t *testing.T, first, second string, n int, want map[string]map[string]string) {
	t.Helper()
	verbs := writers()
	disk := blank()
	var other result
	operations := 0
	disk.Watch(func(recordtest.Operation) {
		if operations++; operations == n {
			disk.Watch(func(recordtest.Operation) {})
			other = veilpathOn(t, disk, append(verbs[second], "--quiet", "--out", "out")...)
		}
	})
	one := veilpathOn(t, disk, append(verbs[first], "--quiet", "--out", "out")...)
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
}
