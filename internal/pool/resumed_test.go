package pool_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"veilpath/internal/pool"
)

// share is a Sharer of numbers.
type share struct {
	kept            []int
	read            int
	index, of, next int
}

func (m *share) Kept(result any) (bool, error) {
	if m.read == len(m.kept) {
		return false, nil
	}
	*result.(*int) = m.kept[m.read]
	m.read++
	return true, nil
}

func (m *share) Keep(result any) error {
	m.kept = append(m.kept, result.(int))
	m.read++
	return nil
}

// Own implements pool.Sharer.
func (m *share) Own(common bool) bool {
	m.next++
	return common || (m.next-1)%m.of == m.index
}

// The work has two rounds, and all parts need the first. Every part does the first round and its own pieces of the
// second. All pieces of the second round are done once, and every part reports that it is incomplete.
func TestPartsDoEveryPieceOnce(t *testing.T) {
	const parts, first, second = 3, 4, 11
	square := func() pool.Work[int, int] {
		return func(_ context.Context, n, _ int) (int, error) { return n * n, nil }
	}
	round := func(pieces int, keeper pool.Keeper) (values []int, err error) {
		for r, err := range pool.Resumed(context.Background(), 2, pool.Numbers(0, pieces), square, keeper) {
			if err != nil {
				return values, err
			}
			values = append(values, r.Value)
		}
		return values, nil
	}
	var done []int
	for i := range parts {
		m := &share{index: i, of: parts}
		for session := range 2 { // the second reads what the first kept
			m.read, m.next = 0, 0
			shared, err := round(first, pool.Common(m))
			if err != nil || !slices.Equal(shared, []int{0, 1, 4, 9}) {
				t.Fatalf("part %d: common pieces %v, %v", i, shared, err)
			}
			own, err := round(second, m)
			if !errors.Is(err, pool.ErrPart) {
				t.Fatalf("part %d reports no ErrPart: %v", i, err)
			}
			if session == 1 {
				done = append(done, own...)
			}
		}
		if len(m.kept) > first+second/parts+1 {
			t.Errorf("part %d keeps %v", i, m.kept)
		}
	}
	slices.Sort(done)
	whole, err := round(second, nil)
	if err != nil || !slices.Equal(done, whole) {
		t.Errorf("the parts did %v, want %v", done, whole)
	}
	if all, err := round(second, pool.Common(&plain{})); err != nil || len(all) != second {
		t.Errorf("common pieces of undivided work: %v, %v", all, err)
	}
}

// plain keeps nothing and shares nothing.
type plain struct{}

func (*plain) Kept(any) (bool, error) { return false, nil }
func (*plain) Keep(any) error         { return nil }
