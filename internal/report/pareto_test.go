package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestParetoFrontAgainstItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	better := func(a, b float64, g Goal) bool { return g == Lower && a < b || g == Higher && a > b }
	for range 2000 {
		x, y := make([]float64, random.IntN(12)), []float64{}
		for i := range x {
			x[i] = float64(random.IntN(6)) // small numbers make ties
			y = append(y, float64(random.IntN(6)))
			if random.IntN(10) == 0 {
				y[i] = math.NaN()
			}
		}
		xGoal, yGoal := Goal(random.IntN(2)), Goal(random.IntN(2))
		var want []int
		for i := range x {
			on := !math.IsNaN(y[i])
			for j := range x {
				if math.IsNaN(y[j]) {
					continue
				}
				worse := better(x[i], x[j], xGoal) || better(y[i], y[j], yGoal)
				if !worse && (x[i] != x[j] || y[i] != y[j]) {
					on = false
				}
			}
			if on {
				want = append(want, i)
			}
		}
		got := ParetoFront(x, y, xGoal, yGoal)
		if !slices.IsSortedFunc(got, func(a, b int) int { return int(x[a] - x[b]) }) {
			t.Fatalf("front %v of %v, %v is not in order of x", got, x, y)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("front of %v, %v for goals %v, %v: %v, want %v", x, y, xGoal, yGoal, got, want)
		}
	}
}

func ExampleParetoFront() {
	cost := []float64{5, 8, 9, 30, 40}         // of privacy, %
	detection := []float64{59, 60, 56, 53, 54} // km from the target
	fmt.Println(ParetoFront(cost, detection, Lower, Lower))
	// Output: [0 2 3]
}
