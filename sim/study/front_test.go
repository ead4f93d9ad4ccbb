package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFrontAgainstItsDefinition(t *testing.T) {
	cost := []float64{5, 8, 9, 30, 40}         // of privacy, %
	detection := []float64{59, 60, 56, 53, 54} // km from the target
	front := func(x, y []float64) []int {
		return Front(len(x), func(i int) []float64 { return []float64{x[i], y[i]} })
	}
	if got := front(cost, detection); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("front %v, want [0 2 3]", got)
	}
	random := rand.New(rand.NewPCG(2, 3))
	for range 2000 {
		x, y := make([]float64, random.IntN(12)), []float64{}
		for i := range x {
			x[i] = float64(random.IntN(6)) // small numbers make ties
			y = append(y, float64(random.IntN(6)))
			if random.IntN(10) == 0 {
				y[i] = math.NaN()
			}
		}
		var want []int
		for i := range x {
			on := !math.IsNaN(y[i])
			for j := range x {
				if math.IsNaN(y[j]) {
					continue
				}
				if x[i] >= x[j] && y[i] >= y[j] && (x[i] != x[j] || y[i] != y[j]) {
					on = false
				}
			}
			if on {
				want = append(want, i)
			}
		}
		if got := front(x, y); !slices.Equal(got, want) {
			t.Fatalf("front of %v, %v: %v, want %v", x, y, got, want)
		}
	}
}
