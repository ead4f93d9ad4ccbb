package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// ways are the acts of all writers that have a way of their own, one of those of a verb that draw, and for all others
// the door that they write through, with the files of one of them.
func ways(t *testing.T) map[string]act {
	t.Helper()
	door := deedOf(t, "run")
	acts := map[string]act{"the door": doorOf(door.names, door.later)}
	drawn := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(writers())) {
		d, verb := deedOf(t, name), writers()[name][0]
		if d.plain || pictures(d.later) > 0 && drawn[verb] {
			continue
		}
		drawn[verb] = drawn[verb] || pictures(d.later) > 0
		acts[name] = actOf(name)
	}
	return acts
}

// moment is a disk before an operation of an act, as another process finds it.
type moment struct {
	operation recordtest.Operation
	disk      *recordtest.Disk
	taken     bool // the folder out, by the act
}

// moments are what other processes find of an act on a blank disk, which is returned too.
func moments(t *testing.T, act act) (found []moment, disk *recordtest.Disk) {
	t.Helper()
	disk = blank()
	disk.Watch(func(o recordtest.Operation) {
		found = append(found, moment{operation: o, disk: disk.Shared()})
	})
	r := act(disk)
	disk.Watch(func(recordtest.Operation) {})
	if r.code != exitDone {
		t.Fatal(r.stderr)
	}
	for i := range found {
		m := &found[i]
		sum := m.disk.Sum()
		m.taken = refuses(t, m.disk)
		if m.taken && m.disk.Sum() != sum {
			t.Fatalf("at operation %d, %s: who was refused changed something", i+1, m.operation)
		}
	}
	return found, disk
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

// refusal is the error of a writer when another one has the folder, or had it.
var refusal = regexp.MustCompile(`another process|--resume: out has another study|out holds other work|` +
	`out contains an? [a-z]+, not a study|begun with another request|out is not empty|out holds unfinished work`)

// While a verb has the folder, every other changes nothing and is refused by name, or finds its study finished. Those
// that write through the door of all are tried against that alone. In later states of the folder a third are tried.
func TestEveryVerbKeepsEveryOtherOut(t *testing.T) {
	t.Parallel()
	ways := ways(t)
	for first, act := range ways {
		seen := map[string]bool{}
		found, _ := moments(t, act)
		for i, m := range found {
			state := fmt.Sprint(slices.Sorted(maps.Keys(m.disk.Files("out"))))
			if state = regexp.MustCompile(`\.veilpath-1\S*`).ReplaceAllString(state, ""); !m.taken || seen[state] {
				continue
			}
			seconds := maps.Clone(ways)
			for name := range writers() {
				if first == "the door" && len(seen) == 0 {
					seconds[name] = actOf(name)
				}
			}
			seen[state] = true
			before := m.disk.Sum()
			for k, second := range slices.Sorted(maps.Keys(seconds)) {
				if len(seen) > 1 && (k+len(seen))%3 > 0 {
					continue
				}
				disk := m.disk.Shared()
				r := seconds[second](disk)
				finished := r.code == exitDone && m.disk.Files("out")[record.ManifestName] != "" // and only read
				if !finished && !refusal.MatchString(r.stderr) || disk.Sum() != before {
					t.Errorf("%s, and at its operation %d, %s, %s: exit %d, %s", first, i+1, m.operation, second, r.code, r.stderr)
				}
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s never took the folder", first)
		}
	}
}

// Who goes on with work whose answer is there finds it, although who finished it still has the folder. Costs are
// written again.
func TestAnswersAreFoundBesideTheirWriter(t *testing.T) {
	t.Parallel()
	for name, args := range writers() {
		if !slices.Contains(args, "--resume") || args[0] == "cost" {
			continue
		}
		disk := deedOf(t, name).disk.Killed()
		folder, err := record.ReopenFolder(disk, "out", "test")
		if err != nil {
			t.Fatal(err)
		}
		before := disk.Sum()
		if r := actOf(name)(disk.Shared()); r.code != exitDone || disk.Sum() != before {
			t.Errorf("%s: exit %d, %s", name, r.code, r.stderr)
		}
		folder.Close()
	}
}

// Whenever a second verb comes while the first does not have the folder, it is one writer's in the end. Firsts whose
// operations before they have the folder are those of another, which does fewer, are tried at the last of them alone,
// all others at every third operation and at the last.
func TestTwoWritersOnOneFolder(t *testing.T) {
	t.Parallel()
	ways := ways(t)
	want, worlds := map[string]map[string]string{}, map[string][]moment{}
	for name, act := range ways {
		var disk *recordtest.Disk
		worlds[name], disk = moments(t, act)
		want[name] = leftBy(disk)
	}
	known := map[string]bool{}
	for _, first := range slices.SortedFunc(maps.Keys(ways), func(a, b string) int {
		return cmp.Or(len(worlds[a])-len(worlds[b]), strings.Compare(a, b))
	}) {
		found := worlds[first]
		begins := slices.IndexFunc(found, func(m moment) bool { return m.taken })
		var way []string
		for _, m := range found[:begins] {
			if strings.HasPrefix(m.operation.Path, "out") {
				way = append(way, m.operation.String())
			}
		}
		for i, m := range found {
			// which makes no difference
			elsewhere := path.Clean(m.operation.Path) != "out" && path.Dir(m.operation.Path) != "out"
			if m.taken || elsewhere || i != begins-1 && (known[fmt.Sprint(way)] || i%3 > 0) {
				continue
			}
			for second := range ways {
				if pictures(want[second]) == 0 || i == begins-1 {
					meet(t, ways, first, second, i+1, want)
				}
			}
		}
		known[fmt.Sprint(way)] = true
	}
}

// meet has a second writer come when the first comes to its n-th operation.
func meet(t *testing.T, ways map[string]act, first, second string, n int, want map[string]map[string]string) {
	t.Helper()
	disk := blank()
	var other result
	operations := 0
	disk.Watch(func(recordtest.Operation) {
		if operations++; operations == n {
			disk.Watch(func(recordtest.Operation) {})
			other = ways[second](disk)
		}
	})
	one := ways[first](disk)
	after := fmt.Sprintf("%s, and at its operation %d %s", first, n, second)
	if err := whole(disk); err != nil {
		t.Fatalf("%s: %v", after, err)
	}
	got := leftBy(disk)
	if !maps.Equal(got, want[first]) && !maps.Equal(got, want[second]) {
		t.Fatalf("%s: the folder holds %q, which neither left; exits %d %q and %d %q", after, slices.Sorted(maps.Keys(got)),
			one.code, one.stderr, other.code, other.stderr)
	}
	if args := writers()[first]; args != nil && !slices.Contains(args, "--force") && other.code == exitDone &&
		!maps.Equal(got, want[second]) {
		t.Fatalf("%s: the answer of the second is gone, and nobody said --force", after)
	}
	for _, r := range []result{one, other} {
		if r.code != exitDone && !refusal.MatchString(r.stderr) {
			t.Fatalf("%s: %s", after, r.stderr)
		}
	}
}
