package audit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sorting by digits gives what comparing gives, of values of every size and sign, many alike, and of none.
func TestSortedIsAscending(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 3, 255, 5000} {
		for name, draw := range map[string]func() float64{
			"normal": rng.NormFloat64,
			"any":    func() float64 { return math.Float64frombits(rng.Uint64()) },
			"few":    func() float64 { return []float64{math.Inf(-1), -2, 0, 3, math.Inf(1)}[rng.IntN(5)] },
			"one":    func() float64 { return 7 },
			"near":   func() float64 { return math.Float64frombits(math.Float64bits(-1) + rng.Uint64N(300)) },
		} {
			values := make([]float64, n)
			for i := range values {
				values[i] = draw()
			}
			got, want := sorted(values), slices.Sorted(slices.Values(values))
			if !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%d values, %s: %v, want %v", n, name, got, want)
			}
		}
	}
}

func BenchmarkSorted(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 100_000)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	b.Run("digits", func(b *testing.B) {
		for b.Loop() {
			sorted(values)
		}
	})
	b.Run("comparing", func(b *testing.B) {
		for b.Loop() {
			slices.Sort(slices.Clone(values))
		}
	})
}
