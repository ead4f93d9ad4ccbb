package pieces

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"veilpath/internal/pool"
	"veilpath/internal/record"
)

// beginIn begins work in a folder, which is closed at the end of the test.
func beginIn(t *testing.T, path string, shard *record.Shard, parts ...string) *Work {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	m := manifest(7)
	m.Shard = shard
	w, err := f.Begin(m, parts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.End)
	return w
}

// counting squares numbers and counts how often each is squared.
func counting(done map[int]int) func() pool.Work[int, int] {
	var mu sync.Mutex
	return func() pool.Work[int, int] {
		return func(_ context.Context, n, _ int) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			done[n]++
			return n * n, nil
		}
	}
}

// Work that stops after any item, or lost any piece of what it kept, does no kept item twice, and yields the results
// of uninterrupted work.
func TestOrderedContinuesWhereItStopped(t *testing.T) {
	const n = 100 // from item 32 on, pieces have two items, and from 64 on three
	check := func(t *testing.T, path string, missing int) {
		t.Helper()
		done := map[int]int{}
		next := 0
		for r, err := range Ordered(t.Context(), beginIn(t, path, nil), 3, pool.Numbers(0, n), counting(done)) {
			if err != nil || r.Piece != next || r.Value != next*next {
				t.Fatal(r, err)
			}
			next++
		}
		if next != n || len(done) != missing {
			t.Errorf("%d results, %d done again, want %d and %d", next, len(done), n, missing)
		}
	}
	for stop := 0; stop < n; stop += 3 {
		path := filepath.Join(t.TempDir(), "a")
		taken := 0
		for range Ordered(t.Context(), beginIn(t, path, nil), 1, pool.Numbers(0, n), counting(map[int]int{})) {
			if taken++; taken > stop {
				break
			}
		}
		whole := 0
		for size := 1; whole+size <= taken; size = min(whole/32+1, n-whole) {
			if whole += size; whole == n {
				break
			}
		}
		check(t, path, n-whole)
	}
	path := filepath.Join(t.TempDir(), "a")
	check(t, path, n)
	for name, items := range map[string]int{"0-32": 2, "0-7": 1} {
		if err := os.Remove(filepath.Join(path, dir, name+ending)); err != nil {
			t.Fatal(err)
		}
		check(t, path, items)
	}
}

// The work has two rounds, and all parts need the first. Every part does the first round and its own pieces of the
// second. All items of the second round are done once, every part reports that it is incomplete, and the results of
// all parts are those of the whole work. A part with a damaged piece, or without one, is refused by its name.
func TestPartsDoEveryItemOnce(t *testing.T) {
	const parts, first, second = 3, 4, 50
	round := func(items int, w *Work, done map[int]int) (values []int, err error) {
		for r, err := range Ordered(context.Background(), w, 2, pool.Numbers(0, items), counting(done)) {
			if err != nil {
				return values, err
			}
			values = append(values, r.Value)
		}
		return values, nil
	}
	var folders []string
	done := map[int]int{}
	for i := range parts {
		path := filepath.Join(t.TempDir(), "part")
		folders = append(folders, path)
		w := beginIn(t, path, &record.Shard{Index: i + 1, Of: parts})
		shared, err := round(first, w.Common(), map[int]int{})
		if err != nil || !slices.Equal(shared, []int{0, 1, 4, 9}) {
			t.Fatalf("part %d: common items %v, %v", i, shared, err)
		}
		if _, err := round(second, w, done); !errors.Is(err, ErrPart) || !w.IsPart() {
			t.Fatalf("part %d reports no ErrPart: %v", i, err)
		}
		m := manifest(7)
		m.Complete, m.Shard = true, w.shard
		if err := w.folder.Finish(m); err != nil {
			t.Fatal(err)
		}
	}
	for n := range second {
		if done[n] != 1 {
			t.Errorf("item %d is done %d times", n, done[n])
		}
	}
	joined := func() (w *Work, values []int, again map[int]int, err error) {
		var none *Folder
		if w, err = none.Begin(manifest(7), folders...); err != nil {
			return nil, nil, nil, err
		}
		t.Cleanup(w.End)
		if values, err = round(first, w, map[int]int{}); err == nil {
			again = map[int]int{}
			values, err = round(second, w, again)
		}
		return w, values, again, err
	}
	w, values, again, err := joined()
	if err != nil || len(values) != second || values[49] != 49*49 || len(again) != 0 {
		t.Errorf("joined: %v, %v, and %d done again", values, err, len(again))
	}
	w.rounds, values = 1, nil
	for value, err := range Kept[int](w) {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if len(values) != second || values[49] != 49*49 {
		t.Errorf("kept: %v", values)
	}
	spoiled := filepath.Join(folders[1], dir, "1-1"+ending)
	b, err := os.ReadFile(spoiled)
	if err != nil {
		t.Fatal(err)
	}
	for change, spoil := range map[string]func() error{
		"flipped": func() error {
			flipped := bytes.Clone(b)
			flipped[len(b)-6] ^= 1
			return os.WriteFile(spoiled, flipped, 0o666)
		},
		"cut":     func() error { return os.WriteFile(spoiled, b[:len(b)-9], 0o666) },
		"removed": func() error { return os.Remove(spoiled) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := joined(); err == nil || !strings.Contains(err.Error(), "part "+folders[1]) {
			t.Errorf("%s: %v", change, err)
		}
		if err := os.WriteFile(spoiled, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The value that is computed is the one that is kept: what gob loses is lost at once.
func TestOrderedYieldsWhatIsKept(t *testing.T) {
	type half struct {
		Kept string
		lost string
	}
	work := func() pool.Work[int, half] {
		return func(context.Context, int, half) (half, error) { return half{"a", "b"}, nil }
	}
	w := beginIn(t, filepath.Join(t.TempDir(), "a"), nil)
	for r, err := range Ordered(t.Context(), w, 1, pool.Numbers(0, 1), work) {
		if err != nil || r.Value != (half{Kept: "a"}) || strings.Contains(r.Value.lost, "b") {
			t.Errorf("%+v, %v", r.Value, err)
		}
	}
}
