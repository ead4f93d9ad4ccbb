package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRepeatedKeepsNumbersAndTheirOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, different := range []int{1, 300, 70_000} {
		var r repeated
		want := []float64{0, math.Copysign(0, -1)}
		for range 100_000 {
			want = append(want, float64(rng.IntN(different))/3)
		}
		for i, x := range want {
			r.add(x)
			if r.len() != i+1 {
				t.Fatalf("%d numbers after %d", r.len(), i+1)
			}
		}
		if got := r.all(); !slices.Equal(got, want) || !math.Signbit(got[1]) {
			t.Errorf("of %d different numbers others came back", different)
		}
		if different < 1000 && len(r.short) != len(want) {
			t.Errorf("%d different numbers take more than two bytes each", different)
		}
	}
}
