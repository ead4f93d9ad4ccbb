package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"veilpath/internal/publish"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// blank is a disk with nothing on it but rewards to be released, their ledger, and parts, the only ones, of studies to
// be joined.
func blank() *recordtest.Disk { return supplies().Killed() }

var supplies = sync.OnceValue(func() *recordtest.Disk {
	disk := &recordtest.Disk{}
	disk.Put("in/table.csv", "state,action,reward\n0,0,1\n0,1,2\n")
	disk.Put("in/long.csv", "state,action,reward\n"+longTable())
	disk.Put("in/releases.csv", differentReleases(150))
	disk.Put("books/of", "the ledger")
	disk.Put("in/suite.yaml", tinySuite)
	for out, args := range map[string]string{
		// of one value, which draws nothing
		"part":      "study --shard 1/1 --epsilons 1 --runs 2 --sweep vehicle.speed_km_s=1.7",
		"cost part": "cost example1 --shard 1/1 --epsilons 1 --runs 2",
		"leak1":     "leak releases --goals 2 --epsilons 1 --counts 1,2 --shard 1/2 --candidates 4:3,3:0 --policies 1",
		"leak2":     "leak releases --goals 2 --epsilons 1 --counts 1,2 --shard 2/2 --candidates 4:3,3:0 --policies 1",
	} {
		call(context.Background(), nearby, disk, append(strings.Fields(args), "--quiet", "--out", out))
	}
	return disk
})

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

// differentReleases are releases of two inputs, all different and spread alike, so that they contradict no promise.
func differentReleases(n int) string {
	var rows strings.Builder
	rows.WriteString("table,neighbour\n")
	for i := range n {
		_, a := math.Modf(float64(i) * math.Phi)
		_, b := math.Modf(float64(i) * math.Sqrt2)
		fmt.Fprintf(&rows, "%.6f,%.6f\n", 8*a-4, 8*b-4)
	}
	return rows.String()
}

// longTable are rows of entries so many that a command makes the fewest releases of them that there may be.
func longTable() string {
	var rows strings.Builder
	for entry := range 25 {
		fmt.Fprintf(&rows, "%d,%d,%d\n", entry/5, entry%5, entry)
	}
	return rows.String()
}

// writers are the ways in which verbs write to --out, as short as they can be. Each replaces what another left.
func writers() map[string][]string {
	const promise, two = " --epsilon 1 --delta 1e-6 --adjacency 1", " --candidates 4:3,3:0 --policies 1"
	study := "study --shard 1/1 --epsilons 1 --runs 2" // which draws nothing
	all := map[string][]string{}
	for name, args := range map[string]string{
		"study":      study + " --force",
		"study page": "study --epsilons 1 --runs 1 --trajectories 1 --report --force",
		"resume":     study + " --resume",
		"axis":       "study --shard 1/1 --epsilons 0.2..4,1 --runs 2 --resume",
		"sweep":      "study --sweep vehicle.speed_km_s=1.6,1.7 --epsilons 1 --runs 10 --force",
		"run":        "run --nominal --force",
		"run from":   "run --from part --run 1 --epsilon 1 --set vehicle.speed_km_s=1.7 --force",
		"leak":       "leak --flights 2 --epsilons 1 --force" + two,
		"leak against": "leak --flights 2 --epsilons 1 --observers geometry --against vehicle.heading=random --force" +
			two,
		"leak mechanisms": "leak mechanisms --mechanisms reward:1 --flights 2 --set adversary.candidates=4:3,3:0 --set " +
			"adversary.policies=1 --force",
		"leak releases": "leak releases --counts 1 --observers geometry --epsilons 1 --goals 2 --force" + two,
		"leak goals":    "leak goals 4:3,3:0 --epsilons 1 --draws 2 --set adversary.candidates=4:3,3:0 --force",
		"more leak":     "leak releases --goals 2 --epsilons 1 --counts 1,2 --resume" + two,
		"more audit":    "audit --samples 200 --tables 0 --resume",
		"audit":         "audit --samples 100 --tables 0 --force",
		"audit file":    "audit --from in/releases.csv --force" + promise,
		// which a copy keeps
		"audit command": "audit --command cat --rewards in/long.csv --samples 100 --force --epsilon 50 --delta 0.01 " +
			"--adjacency 1",
		"tune": "tune --epsilons 1 --runs 2 --radii 0.7 --force",
		"tune found": "tune --epsilons 1 --runs 2 --radii 0.7 --resolution 1 --max-runs 100 --between 1,2 " +
			"--hidden-until 90 --force",
		"tune bits": "tune --observer geometry --leak 8bits --set adversary.candidates=4:3,3:0 --runs 2 " +
			"--max-runs 100 --resolution 1 --between 1,2 --force",
		"tune problem": "tune example1 --max-cost 100% --max-runs 100 --resolution 1 --between 1,2 --force",
		"more tune": "tune --epsilons 1 --runs 2 --radii 0.7 --resolution 1 --max-runs 100 --between 1,2 " +
			"--hidden-until 90 --resume",
		"more reproduce":     "reproduce example1 --set study.runs=2 --set example1.agents=2 --resume",
		"benchmark":          "benchmark in/suite.yaml --force",
		"more benchmark":     "benchmark in/suite.yaml --resume",
		"merge":              "merge part --force",
		"merge costs":        "merge %cost --force",
		"leak part":          "leak releases --goals 2 --epsilons 1 --counts 1,2 --shard 1/2 --force" + two,
		"more leak part":     "leak releases --goals 2 --epsilons 1 --counts 1,2 --shard 1/2 --resume" + two,
		"merge leak":         "merge leak1 leak2 --force",
		"compare":            "compare part part --force",
		"compare page":       "compare part part --force --report",
		"plan":               "plan example1 --epsilons 1 --force",
		"cost":               "cost example1 --epsilons 1 --runs 2 --force",
		"cost page":          "cost example1 --epsilons 1 --runs 2 --force --report",
		"more cost":          "cost example1 --epsilons 1 --runs 2 --resume",
		"reproduce":          "reproduce table1b --force",
		"privatize":          "privatize in/table.csv --force" + promise,
		"privatize policy":   "privatize example1 --policy --force" + promise,
		"privatize accounts": "privatize in/table.csv --ledger books/ledger --total 1000 --force" + promise,
	} {
		all[name] = strings.Fields(args)
		for i, arg := range all[name] {
			all[name][i] = strings.Replace(arg, "%cost", "cost part", 1)
		}
	}
	return all
}

// Whichever verb writes files is among the writers.
func TestWritersAreAllVerbsThatWrite(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for name, args := range writers() {
		cmd, _, err := (&app{}).rootCommand().Find(args)
		if err != nil {
			t.Fatal(name, err)
		}
		named[cmd.CommandPath()] = true
	}
	eachVerb(func(cmd *cobra.Command) {
		if cmd.Flag("out") != nil && !named[cmd.CommandPath()] {
			t.Errorf("%s writes files and is not among the writers", cmd.CommandPath())
		}
	})
}

// wallTime is what tells two runs of a verb apart.
var wallTime = regexp.MustCompile(`"(wall_time_s|workers)": [^,\n]*`)

// leftBy reads what a verb left in the folder out. A release is not repeatable: of that it is whether its promise
// names it.
func leftBy(disk *recordtest.Disk) map[string]string {
	files := disk.Files("out")
	if m, ok := files[record.ManifestName]; ok {
		files[record.ManifestName] = strings.TrimSpace(wallTime.ReplaceAllString(m, ""))
	}
	if promise, ok := files[publish.GuaranteeName]; ok {
		name := published(files)
		files[publish.GuaranteeName], files[name] = fmt.Sprint(strings.Contains(promise, hashOf([]byte(files[name])))), ""
	}
	return files
}

// published is the name of what was released.
func published(files map[string]string) string {
	if _, ok := files[publish.PolicyName]; ok {
		return publish.PolicyName
	}
	return publish.ReleaseName
}

// whole checks that what vouches for files in the folder out vouches for whole ones, and that a ledger has counted what
// is released.
func whole(disk *recordtest.Disk) error {
	m, err := record.ReadManifest(disk, "out")
	if err == nil {
		err = record.CheckFiles(context.Background(), disk, "out", m)
	}
	if err != nil && !errors.Is(err, record.ErrNoManifest) {
		return err
	}
	files := disk.Files("out")
	promise, ok := files[publish.GuaranteeName]
	if ok && leftBy(disk)[publish.GuaranteeName] != "true" {
		return errors.New("a promise stands beside a release that it was not made for")
	}
	if ok && strings.Contains(promise, `"release_number"`) &&
		!strings.Contains(disk.Files("books")["ledger"], hashOf([]byte(files[published(files)]))) {
		return errors.New("a release stands there that the ledger has not counted")
	}
	return nil
}

// act writes to the folder out of a disk.
type act func(record.FileSystem) result

// actOf returns what a writer does.
func actOf(name string) act {
	args := append(writers()[name], "--quiet", "--out", "out")
	return func(disk record.FileSystem) result { return call(context.Background(), nearby, disk, args) }
}

// doorOf returns an act that writes files, in the order of their names and the last one to vouch for the others,
// through what all verbs write through, and computes nothing.
func doorOf(names []string, files map[string]string) act {
	return func(disk record.FileSystem) result {
		a := &app{stdout: io.Discard, stderr: io.Discard, disk: disk, out: "out", force: true}
		folder, err := a.freshFolder("test")
		if err != nil {
			return result{code: exitFailed, stderr: err.Error()}
		}
		defer folder.Close()
		write := func(name string) func(io.Writer) error {
			return func(w io.Writer) error { _, err := io.WriteString(w, files[name]); return err }
		}
		last := len(names) - 1
		for _, name := range names[:last] {
			if err := folder.Write(name, write(name)); err != nil {
				return result{code: exitFailed, stderr: err.Error()}
			}
		}
		if err := folder.FinishWith(names[last], write(names[last])); err != nil {
			return result{code: exitFailed, stderr: err.Error()}
		}
		return result{}
	}
}

// world is a disk as it is found when an act was stopped.
type world struct {
	after string // which operation
	disk  *recordtest.Disk
	key   [sha256.Size]byte // the same of worlds that make no difference to who comes next
}

// deed is what an act does to a disk on which nothing fails.
type deed struct {
	act          act
	before, disk *recordtest.Disk
	operations   []recordtest.Operation
	worlds       []world           // that are distinct
	names        []string          // in the order in which files took them
	later        map[string]string // files of the folder out in the end
	looks        bool              // at files of the folder before it has taken it
	elsewhere    bool              // it writes to other folders too
	plain        bool              // it does neither, and leaves no other worlds than its files written by doorOf
}

// do does it, and finds what may be found of it, before every operation and amid every writing, when its process is
// killed or the power fails. Files of the folder out are touched while it is taken alone.
func do(before *recordtest.Disk, act act) (*deed, error) {
	d := &deed{act: act, before: before, disk: before.Killed()}
	taken := false
	var wrong error
	var last recordtest.Operation
	see := func(o recordtest.Operation) {
		if o == last && o.Name == "Write" && strings.HasSuffix(o.Path, ".partial") {
			return // one writing of a file that has no name yet is as good as another
		}
		last = o
		after := fmt.Sprintf("stopped at operation %d, %s", len(d.operations), o)
		d.worlds = append(d.worlds, world{after: after + ", killed", disk: d.disk.Killed()},
			world{after: after + ", power failure", disk: d.disk.PowerFailure(-1)})
		name := path.Base(o.Path)
		switch own := strings.HasPrefix(name, ".veilpath-lock"); {
		case path.Dir(o.Path) != "out":
			d.elsewhere = d.elsewhere || o.Name == "Rename"
		case own && (o.Name == "Lock" || o.Name == "Remove"):
			taken = o.Name == "Lock"
		case o.Name == "Rename" && !strings.HasPrefix(name, "."): // to its own name
			d.names = append(d.names, name)
			fallthrough
		case strings.HasPrefix(o.Name, "Write"), o.Name == "Remove", o.Name == "Truncate", o.Name == "Sync":
			if !taken && !own {
				wrong = fmt.Errorf("%s, in a folder that it has not taken", after)
			}
		case o.Name == "OpenFile" && !taken && !own:
			d.looks = true
		}
	}
	var mutex sync.Mutex // since files are written side by side
	d.disk.Watch(func(o recordtest.Operation) {
		mutex.Lock()
		defer mutex.Unlock()
		see(o)
	})
	d.disk.Before = func(o recordtest.Operation) error {
		mutex.Lock()
		defer mutex.Unlock()
		d.operations = append(d.operations, o)
		see(o)
		return nil
	}
	r := act(d.disk)
	d.disk.Watch(func(recordtest.Operation) {})
	if r.code != exitDone {
		return nil, fmt.Errorf("exit %d, %s", r.code, r.stderr)
	}
	d.later = d.disk.Files("out")
	return d, cmp.Or(wrong, d.distinguish())
}

// distinguish checks that nothing is lost in any world: nothing vouches for what is not whole, and the earlier answer
// is there or all of the new one. It leaves one of the worlds that make no difference: of those that are the same and,
// where it does not look before it has taken the folder, also of those that are the same once another has taken it.
func (d *deed) distinguish() error {
	seen := map[[sha256.Size]byte]bool{}
	var distinct []world
	for _, w := range d.worlds {
		if files := w.disk.Files("out"); !holdsAll(files, d.before.Files("out")) && !holdsAll(files, d.later) {
			return fmt.Errorf("%s: the folder holds %q, neither the earlier answer nor all of the new one", w.after,
				slices.Sorted(maps.Keys(files)))
		}
		disk := w.disk
		if !d.looks {
			disk = w.disk.Killed()
			folder, err := record.ReopenFolder(disk, "out", "test")
			if err == nil {
				err = folder.Close()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", w.after, err)
			}
		}
		if w.key = disk.Sum(); seen[w.key] {
			continue
		}
		seen[w.key] = true
		if err := whole(w.disk); err != nil {
			return fmt.Errorf("%s: %w", w.after, err)
		}
		distinct = append(distinct, w)
	}
	d.worlds = distinct
	return nil
}

// isPlain reports whether all worlds are those of its files written by doorOf.
func (d *deed) isPlain() (bool, error) {
	if d.looks || d.elsewhere || !slices.Equal(slices.Sorted(slices.Values(d.names)), slices.Sorted(maps.Keys(d.later))) {
		return false, nil
	}
	door, err := do(d.before, doorOf(d.names, d.later))
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(d.worlds, func(w world) bool {
		return !slices.ContainsFunc(door.worlds, func(other world) bool { return other.key == w.key })
	}), nil
}

// deeds are those of the writers, each over the answer of another verb if it replaces that.
var deeds = sync.OnceValue(func() map[string]func() (*deed, error) {
	all := map[string]func() (*deed, error){}
	answered := sync.OnceValue(func() *recordtest.Disk {
		disk := blank()
		call(context.Background(), nearby, disk, []string{"run", "--epsilon", "2", "--quiet", "--out", "out"})
		return disk
	})
	for name, args := range writers() {
		all[name] = sync.OnceValues(func() (*deed, error) {
			disk := blank()
			if slices.Contains(args, "--force") {
				disk = answered().Killed()
			}
			d, err := do(disk, actOf(name))
			if err == nil {
				d.plain, err = d.isPlain()
			}
			return d, err
		})
	}
	return all
})

// deedOf returns the deed of a writer.
func deedOf(t *testing.T, name string) *deed {
	t.Helper()
	d, err := deeds()[name]()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// Wherever a verb is killed, or the power fails, nothing vouches for what is not whole, the earlier answer is there or
// all of the new one, and the same command ends with the same bytes and nothing else. Of a verb that does what the door
// of all does, the door is what is repeated everywhere, and the verb itself where least is left; one that draws, and
// keeps its work on the way, is repeated in eight worlds.
func TestEveryVerbStoppedAtAnyOperation(t *testing.T) {
	t.Parallel()
	for name := range writers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deedOf(t, name)
			want := leftBy(d.disk)
			if len(d.worlds) < 5 {
				t.Errorf("%d worlds; the test is of next to nothing", len(d.worlds))
			}
			barest, stride := d.worlds[0], 1
			if pictures(d.later) > 0 { // which takes long
				stride = max(1, len(d.worlds)/8)
			}
			for i, w := range d.worlds {
				if len(w.disk.Files("out")) < len(barest.disk.Files("out")) {
					barest = w
				}
				if d.plain {
					again := w.disk.Killed()
					if r := doorOf(d.names, d.later)(again); r.code != exitDone || !maps.Equal(again.Files("out"), d.later) {
						t.Fatalf("%s: written again, %s, the folder holds %q", w.after, r.stderr,
							slices.Sorted(maps.Keys(again.Files("out"))))
					}
				} else if i%stride == 0 {
					d.repeat(t, w, want)
				}
			}
			d.repeat(t, barest, want)
		})
	}
	for _, name := range []string{"run", "merge", "compare", "plan", "privatize"} {
		if !deedOf(t, name).plain {
			t.Errorf("%s does otherwise than the door of all", name)
		}
	}
}

// repeat does it again in a world, which must come to the same.
func (d *deed) repeat(t *testing.T, w world, want map[string]string) {
	t.Helper()
	disk := w.disk.Killed()
	if r := d.act(disk); r.code != exitDone {
		t.Fatalf("%s: repeated, exit %d, %s", w.after, r.code, r.stderr)
	}
	if got := leftBy(disk); !maps.Equal(got, want) {
		t.Fatalf("%s: repeated, the folder holds %q, want %q", w.after, slices.Sorted(maps.Keys(got)),
			slices.Sorted(maps.Keys(want)))
	}
}

// holdsAll reports whether there are the contents of all files, under whichever names.
func holdsAll(there, files map[string]string) bool {
	contents := slices.Collect(maps.Values(there))
	for _, text := range files {
		if !slices.Contains(contents, text) {
			return false
		}
	}
	return true
}

// A verb whose disk fails, for good or once, is not done, whichever operation is the first to fail, unless all that it
// says to have written outlasts a power failure. Of verbs that draw, which takes long, it is the beginning of every
// file and the first operation of every other kind; of those that keep their work, or write all files by the same
// lines, in the order of their names, it is the first file and the last, and every operation of the door that they
// write through.
func TestNoVerbIsDoneWhoseDiskFails(t *testing.T) {
	t.Parallel()
	for name := range writers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deedOf(t, name)
			for _, i := range d.failures() {
				d.fail(t, i)
			}
		})
	}
	t.Run("the door", func(t *testing.T) {
		t.Parallel()
		run := deedOf(t, "run")
		d, err := do(run.before, doorOf(run.names, run.later))
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.operations {
			d.fail(t, i)
		}
	})
}

// fail does it on a disk that fails at an operation, counted from 0.
func (d *deed) fail(t *testing.T, i int) {
	t.Helper()
	want := leftBy(d.disk)
	for how, fail := range map[string]func(*recordtest.Disk){
		"for good": func(disk *recordtest.Disk) { disk.StopAt(i + 1) },
		"once":     func(disk *recordtest.Disk) { disk.FailAt(i+1, syscall.EIO) },
	} {
		disk := d.before.Killed()
		fail(disk)
		r := d.act(disk)
		lost := disk.PowerFailure(-1)
		if r.code == exitDone && !tidying(leftBy(lost), want) {
			t.Errorf("with a disk that fails %s at operation %d, %s, it says that it is done", how, i+1, d.operations[i])
		}
		if err := whole(lost); err != nil {
			t.Errorf("with a disk that fails %s at operation %d, %s: %v", how, i+1, d.operations[i], err)
		}
	}
}

// failures are the operations, counted from 0, that are worth failing.
func (d *deed) failures() (places []int) {
	if d.plain && slices.IsSorted(d.names[:len(d.names)-1]) || !d.plain && pictures(d.later) > 0 {
		last := -1
		for i, o := range d.operations {
			first := last < 0
			if o.Name == "OpenFile" && strings.HasSuffix(o.Path, ".partial") || o.Name == "Rename" {
				last = i
			}
			if first && last >= 0 {
				places = append(places, i)
			}
		}
		return append(places, last)
	}
	tried := map[string]bool{}
	for i, o := range d.operations {
		kind := o.Name
		if o.Name == "OpenFile" || pictures(d.later) == 0 {
			kind = o.String()
		}
		if !tried[kind] {
			places = append(places, i)
		}
		tried[kind] = true
	}
	return places
}

// Going on with a study after other runs takes its flights over from its table into a new journal, whether or not its
// process had the time to remove its own. Whenever the power fails, none of them is flown again.
func TestFlightsTakenOverLast(t *testing.T) {
	t.Parallel()
	const flown, epsilons = 1, 256 // as many as make a batch of a run, with independent noise
	study := []string{"study", "--epsilons", fmt.Sprintf("1:%d:1", epsilons), "--noise", "independent", "--until", "2km",
		"--sweep", "vehicle.speed_km_s=1.7", "--out", "out", "--runs"}
	before := &recordtest.Disk{}
	var beside *recordtest.Disk // its journal
	before.Watch(func(o recordtest.Operation) {
		if o.String() == "Remove out/"+record.JournalName {
			beside = before.Killed()
		}
	})
	if r := veilpathOn(t, before, append(study, fmt.Sprint(flown))...); r.code != exitFailed ||
		!strings.Contains(r.stderr, "allow more") {
		t.Fatalf("exit %d, %q; want a study that is too short", r.code, r.stderr)
	}
	more := []string{"study", "--resume", "--out", "out", "--runs", fmt.Sprint(flown + 1)}
	resumed := regexp.MustCompile(`resuming after (\d+) (?:of|finished)|is complete, (\d+) flights`)
	disk := before.Killed()
	found := map[[32]byte]world{}
	disk.Watch(func(o recordtest.Operation) {
		lost := disk.PowerFailure(-1)
		found[lost.Sum()] = world{after: fmt.Sprintf("a power failure before %s", o), disk: lost}
	})
	veilpathOn(t, disk, more...)
	disk.Watch(func(recordtest.Operation) {})
	if veilpathOn(t, beside, more...); !maps.Equal(leftBy(beside), leftBy(disk)) {
		t.Errorf("beside its journal it leaves %q, and without %q, or others of these names",
			slices.Sorted(maps.Keys(leftBy(beside))), slices.Sorted(maps.Keys(leftBy(disk))))
	}
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

// tidying reports whether a folder holds what is wanted, and beside it only what a writer needs.
func tidying(got, want map[string]string) bool {
	there := 0
	for name, text := range got {
		wanted, ok := want[name]
		switch {
		case ok && text == wanted:
			there++
		case name != record.PlanName && name != record.JournalName &&
			!strings.HasPrefix(name, ".veilpath-"):
			return false
		}
	}
	return there == len(want)
}
