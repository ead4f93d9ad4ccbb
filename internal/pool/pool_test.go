package pool_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"veilpath/internal/pool"
)

// numbers yields 0 to n-1.
func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// squares returns a Work that squares its piece and takes longer for every seventh.
func squares() pool.Work[int, []int] {
	return func(_ context.Context, i int, storage []int) ([]int, error) {
		if i%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		return append(storage[:0], i*i), nil
	}
}

func TestResultsComeInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		next := 0
		for r, err := range pool.Ordered(context.Background(), workers, numbers(300), squares) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Piece != next || r.Value[0] != next*next {
				t.Fatalf("%d workers: piece %d gave %d where %d was due", workers, r.Piece, r.Value[0], next)
			}
			next++
		}
		if next != 300 {
			t.Errorf("%d workers: %d results", workers, next)
		}
	}
}

// The error of the first piece that fails comes after the results of the pieces before it, even if a later piece
// fails earlier in time.
func TestTheFirstErrorInOrderEndsIt(t *testing.T) {
	broken := errors.New("broken")
	work := func() pool.Work[int, int] {
		return func(_ context.Context, i, _ int) (int, error) {
			switch {
			case i == 10:
				time.Sleep(5 * time.Millisecond)
				return 0, broken
			case i > 10:
				return 0, errors.New("too soon")
			}
			return i, nil
		}
	}
	var got []int
	var last error
	for r, err := range pool.Ordered(context.Background(), 3, numbers(100), work) {
		if last = err; err == nil {
			got = append(got, r.Value)
		}
	}
	if !errors.Is(last, broken) || !slices.Equal(got, slices.Collect(numbers(10))) {
		t.Errorf("%v, then %v", got, last)
	}
}

// When the context ends, the results are the first pieces without a gap, and then the context's error.
func TestEndedContextYieldsFirstPieces(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	next := 0
	var last error
	for r, err := range pool.Ordered(ctx, 2, numbers(1<<40), squares) {
		if last = err; err != nil {
			break
		}
		if r.Piece != next {
			t.Fatalf("piece %d where %d was due", r.Piece, next)
		}
		if next++; next == 20 {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) || next < 20 {
		t.Errorf("%d results, then %v", next, last)
	}
	for range pool.Ordered(ctx, 2, numbers(3), squares) {
		next = -1
	}
	if next != -1 {
		t.Error("an ended context yields no error")
	}
}

// A caller that breaks out of the loop stops the work, and no goroutine is left.
func TestBreakStopsTheWork(t *testing.T) {
	before := runtime.NumGoroutine()
	var done atomic.Int64
	work := func() pool.Work[int, int] {
		return func(_ context.Context, i, _ int) (int, error) { done.Add(1); return i, nil }
	}
	for r := range pool.Ordered(context.Background(), 4, numbers(1<<40), work) {
		if r.Piece == 5 {
			break
		}
	}
	if n := done.Load(); n < 6 || n > 6+16 { // 4 pieces ahead for each of 4 workers
		t.Errorf("%d pieces were done, want 6 and at most 16 ahead", n)
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func BenchmarkOrdered(b *testing.B) {
	work := func() pool.Work[int, int] {
		return func(_ context.Context, i, _ int) (int, error) { return i, nil }
	}
	for _, err := range pool.Ordered(context.Background(), 2, numbers(b.N), work) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

// Work rests before every piece, and only where that is asked for.
func TestWorkRests(t *testing.T) {
	for _, rests := range []bool{false, true} {
		n := 0
		ctx := t.Context()
		if rests {
			ctx = pool.WithRest(ctx, func() { n++ })
		}
		work := func() pool.Work[int, int] {
			return func(ctx context.Context, i, _ int) (int, error) { pool.Rest(ctx); return i, nil }
		}
		for _, err := range pool.Ordered(ctx, 1, pool.Numbers(0, 7), work) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := map[bool]int{true: 14}[rests]; n != want {
			t.Errorf("asked for rests: %t, it rests %d times, want %d", rests, n, want)
		}
	}
}

func TestInterruptible(t *testing.T) {
	working := make(chan struct{})
	defer close(working)
	canceled, stop := context.WithCancel(context.Background())
	stop()
	if n, err := pool.Interruptible(canceled, func() (int, error) { <-working; return 1, nil }); n != 0 ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("work that does not look at its context: %d, %v", n, err)
	}
	failed := errors.New("failed")
	n, err := pool.Interruptible(context.Background(), func() (int, error) { return 2, failed })
	if n != 2 || err != failed {
		t.Errorf("work that fails: %d, %v", n, err)
	}
}

// Squares come in the order of the numbers, whatever the workers do.
func ExampleOrdered() {
	square := func(_ context.Context, n int, _ int) (int, error) { return n * n, nil }
	for r, err := range pool.Ordered(context.Background(), 4, slices.Values([]int{1, 2, 3}),
		func() pool.Work[int, int] { return square }) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Piece, r.Value)
	}
	// Output:
	// 1 1
	// 2 4
	// 3 9
}
