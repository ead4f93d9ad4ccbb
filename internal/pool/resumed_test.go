package pool_test

import (
	"context"
	"encoding/gob"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"veilpath/internal/pool"
)

// memory is a Keeper in memory.
type memory struct {
	mu        sync.Mutex
	kept      map[string]string
	rounds    int
	index, of int
}

func (m *memory) Round() int            { m.rounds++; return m.rounds - 1 }
func (m *memory) Part() (index, of int) { return m.index, m.of }

func (*memory) Encoder(to io.Writer) interface{ Encode(value any) error } { return gob.NewEncoder(to) }

func (*memory) Decoder(from io.Reader) interface{ Decode(value any) error } {
	return gob.NewDecoder(from)
}

func (m *memory) Get(key string, read func([]byte) error) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, kept := m.kept[key]
	if !kept {
		return false, nil
	}
	return true, read([]byte(text))
}

func (m *memory) Put(key string, b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]string{}
	}
	m.kept[key] = string(b)
	return nil
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

// Work that stops after any piece, or lost any group of what it kept, does no kept piece twice, and yields the results
// of uninterrupted work.
func TestResumedContinuesWhereItStopped(t *testing.T) {
	const n = 100 // from piece 32 on, groups have two pieces, and from 64 on three
	check := func(t *testing.T, keeper *memory, missing int) {
		t.Helper()
		keeper.rounds = 0
		done := map[int]int{}
		next := 0
		for r, err := range pool.Resumed(t.Context(), 3, pool.Numbers(0, n), counting(done), keeper) {
			if err != nil || r.Piece != next || r.Value != next*next {
				t.Fatal(r, err)
			}
			next++
		}
		if next != n || len(done) != missing {
			t.Errorf("%d results, %d done again, want %d and %d", next, len(done), n, missing)
		}
	}
	for stop := range n {
		keeper := new(memory)
		taken := 0
		for range pool.Resumed(t.Context(), 1, pool.Numbers(0, n), counting(map[int]int{}), keeper) {
			if taken++; taken > stop {
				break
			}
		}
		whole := 0
		for count := range groupsOf(n) {
			if whole+count <= taken {
				whole += count
			}
		}
		check(t, keeper, n-whole)
	}
	keeper := new(memory)
	check(t, keeper, n)
	delete(keeper.kept, "0-32")
	check(t, keeper, 2)
	delete(keeper.kept, "0-7")
	check(t, keeper, 1)
}

// groupsOf yields the sizes of the groups of n pieces.
func groupsOf(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for first := 0; first < n; {
			size := min(first/32+1, n-first)
			if !yield(size) {
				return
			}
			first += size
		}
	}
}

// The work has two rounds, and all parts need the first. Every part does the first round and its own groups of the
// second. All pieces of the second round are done once, every part reports that it is incomplete, and the results of
// all parts are those of the whole work.
func TestPartsDoEveryPieceOnce(t *testing.T) {
	const parts, first, second = 3, 4, 50
	round := func(pieces int, keeper pool.Keeper, done map[int]int) (values []int, err error) {
		for r, err := range pool.Resumed(context.Background(), 2, pool.Numbers(0, pieces), counting(done), keeper) {
			if err != nil {
				return values, err
			}
			values = append(values, r.Value)
		}
		return values, nil
	}
	joined, done := map[string]string{}, map[int]int{}
	for i := range parts {
		m := &memory{index: i + 1, of: parts}
		shared, err := round(first, pool.Common(m), map[int]int{})
		if err != nil || !slices.Equal(shared, []int{0, 1, 4, 9}) {
			t.Fatalf("part %d: common pieces %v, %v", i, shared, err)
		}
		if _, err := round(second, m, done); !errors.Is(err, pool.ErrPart) || !pool.IsPart(m) {
			t.Fatalf("part %d reports no ErrPart: %v", i, err)
		}
		maps.Copy(joined, m.kept)
	}
	for n := range second {
		if done[n] != 1 {
			t.Errorf("piece %d is done %d times", n, done[n])
		}
	}
	whole, again := &memory{kept: joined, rounds: 1}, map[int]int{}
	values, err := round(second, whole, again)
	if err != nil || len(values) != second || values[49] != 49*49 || len(again) != 0 {
		t.Errorf("joined: %v, %v, and %d done again", values, err, len(again))
	}
	whole.rounds = 1
	values = nil
	for value, err := range pool.Kept[int](whole) {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if len(values) != second || values[49] != 49*49 {
		t.Errorf("kept: %v", values)
	}
}

// The value that is computed is the one that is kept: what gob loses is lost at once.
func TestResumedYieldsWhatIsKept(t *testing.T) {
	type half struct {
		Kept string
		lost string
	}
	work := func() pool.Work[int, half] {
		return func(context.Context, int, half) (half, error) { return half{"a", "b"}, nil }
	}
	for r, err := range pool.Resumed(t.Context(), 1, pool.Numbers(0, 1), work, new(memory)) {
		if err != nil || r.Value != (half{Kept: "a"}) || strings.Contains(r.Value.lost, "b") {
			t.Errorf("%+v, %v", r.Value, err)
		}
	}
}
