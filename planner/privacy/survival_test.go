package privacy

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func probability(t *testing.T, reward []float64, p, q int, sigma float64) float64 {
	t.Helper()
	g, err := NewGoals(reward, p, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Probability(sigma)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// survivalTolerance is the promised absolute accuracy.
const survivalTolerance = 1e-12

// With all entries tied every order is equally likely: the chain has
// probability L! M! U!/k!.
func TestSurvivalOfTiesIsChance(t *testing.T) {
	for k := 1; k <= 7; k++ {
		reward := make([]float64, k)
		for i := range reward {
			reward[i] = -3.25
		}
		for p := 0; p <= k; p++ {
			for q := 0; q <= k; q++ {
				lower, upper := min(q, k-p), min(p, k-q)
				want := factorial(lower) * factorial(upper) * factorial(k-lower-upper) / factorial(k)
				if got := probability(t, reward, p, q, 0.7); !(math.Abs(got-want) <= survivalTolerance) {
					t.Errorf("k=%d p=%d q=%d: %.17g, want %.17g", k, p, q, got, want)
				}
			}
		}
	}
}

func factorial(n int) float64 { return math.Gamma(float64(n) + 1) }

// Large tables of ties: 1/k for one goal, 1/(k(k-1)) for a goal and an avoid.
func TestSurvivalOfManyTies(t *testing.T) {
	for _, k := range []int{10, 1280, 6400, 1000000} {
		reward, n := make([]float64, k), float64(k)
		if got := probability(t, reward, 1, 0, 1); !(math.Abs(got-1/n) <= survivalTolerance) {
			t.Errorf("k=%d: goal %.17g, want %.17g", k, got, 1/n)
		}
		if got := probability(t, reward, 1, 1, 1); !(math.Abs(got-1/(n*(n-1))) <= survivalTolerance) {
			t.Errorf("k=%d: goal and avoid %.17g, want %.17g", k, got, 1/(n*(n-1)))
		}
	}
}

// Two entries: Phi(gap/(sqrt2 sigma)), where the bound is exact.
func TestSurvivalOfTwoEntries(t *testing.T) {
	for _, gap := range []float64{0, 1e-9, 0.1, 1, 3, 20, 1e6} {
		for _, sigma := range []float64{1e-9, 0.3, 1, 1e4} {
			g, err := NewGoals([]float64{5 + gap, 5}, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			got, err1 := g.Probability(sigma)
			bound, err2 := g.Bound(sigma)
			want := normalTail(-(5 + gap - 5) / (math.Sqrt2 * sigma))
			if err1 != nil || err2 != nil || !(math.Abs(got-want) <= survivalTolerance) || !(math.Abs(bound-want) <= 1e-15) {
				t.Errorf("gap %g sigma %g: %.17g (bound %.17g), want %.17g", gap, sigma, got, bound, want)
			}
		}
	}
}

// Three entries in a chain: P(X1 <= X2 <= X3) is the orthant probability of the
// two differences, whose correlation is -1/2. For equal steps d it is given by
// Owen's T function; the reference values were integrated with 30 digits.
func TestSurvivalOfThreeInAChain(t *testing.T) {
	for d, want := range map[float64]float64{0: 0.166666666666666667, 0.25: 0.245306345817941147, 1: 0.536151634126080859,
		2: 0.843012103189039313, 4: 0.995322265607470336} {
		if got := probability(t, []float64{0, 2 * d, d}, 1, 1, 1); !(math.Abs(got-want) <= survivalTolerance) {
			t.Errorf("step %g: %.17g, want %.17g", d, got, want)
		}
	}
}

// Noise far below the distances, down to the smallest double, keeps everything.
func TestSurvivalWithoutNoise(t *testing.T) {
	for _, sigma := range []float64{5e-324, 1e-300, 1e-20, 1e-3} {
		if got := probability(t, []float64{0, 2, 1, 0.5}, 1, 1, sigma); !(math.Abs(got-1) <= survivalTolerance) {
			t.Errorf("sigma %g: %.17g, want 1", sigma, got)
		}
	}
}

func gridworld(rmax float64) []float64 {
	reward := slices.Repeat([]float64{-1}, 1280)
	reward[777] = rmax
	return reward
}

// Simulation decides where no closed form reaches: general tables, ties across
// the sets, overlapping sets, unequal groups. Limit 4.4 standard errors, a
// false-reject rate of 1e-5 each.
func TestSurvivalAgainstSimulation(t *testing.T) {
	draws := 200000
	if testing.Short() {
		draws = 20000
	}
	var n Noise
	for i, c := range []struct {
		reward []float64
		p, q   int
	}{
		{[]float64{3, 1, 0, 0}, 1, 2}, {[]float64{3, 1, 0, 0}, 1, 1}, {[]float64{2, 2, 1, 1, 0, 0}, 1, 1},
		{[]float64{0, 0.5, 1, 1.5, 2, 2.5}, 2, 2}, {[]float64{0, 0.5, 1, 1.5}, 3, 3}, {[]float64{0, 1, 4}, 2, 2},
		{[]float64{0, 0, 0, 1, 1, 5, 5}, 2, 0}, {[]float64{0, 0, 0, 1, 1, 5, 5}, 0, 4}, {[]float64{-1, 0.3, 0.3, 2}, 4, 1},
	} {
		n.Seek(Address{Seed: 5, Run: uint64(i)})
		sigma := 0.8
		want := probability(t, c.reward, c.p, c.q, sigma)
		survived, rank, noisy := 0.0, ranks(c.reward), make([]float64, len(c.reward))
		for range draws {
			if survives(c.reward, rank, c.p, c.q, sigma, &n, noisy) {
				survived++
			}
		}
		got := survived / float64(draws)
		standardError := math.Sqrt(want * (1 - want) / float64(draws))
		if !(math.Abs(got-want) <= zLimit*standardError) {
			t.Errorf("%v p=%d q=%d: simulated %.5f, exact %.5f, %.1f standard errors apart", c.reward, c.p, c.q, got, want,
				(got-want)/standardError)
		}
	}
}

// survives draws once and applies the definition of B^p and B_q literally to entries of the given ranks.
func survives(reward []float64, rank []int, p, q int, sigma float64, n *Noise, noisy []float64) bool {
	perturb(noisy, reward, sigma, n)
	for _, above := range rank[:p] {
		for _, below := range rank[p:] {
			if noisy[above] < noisy[below] {
				return false
			}
		}
	}
	for _, below := range rank[len(rank)-q:] {
		for _, above := range rank[:len(rank)-q] {
			if noisy[below] > noisy[above] {
				return false
			}
		}
	}
	return true
}

// ranks orders entries by their rewards, the highest first and ties by index.
func ranks(reward []float64) []int {
	rank := make([]int, len(reward))
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int {
		switch {
		case reward[a] > reward[b]:
			return -1
		case reward[a] < reward[b]:
			return 1
		}
		return a - b
	})
	return rank
}

func ExampleGoals() {
	// A goal at 5 among 1279 entries at -1, at the paper's noise for epsilon 1.
	reward := slices.Repeat([]float64{-1}, 1280)
	reward[0] = 5
	goals, _ := NewGoals(reward, 1, 0)
	sigma, _ := Classical.Sigma(1, 0.1, 1)
	bound, _ := goals.Bound(sigma)
	exact, _ := goals.Probability(sigma)
	fmt.Printf("bound %.4f, exact %.4f\n", bound, exact)
	// Output: bound 0.9961, exact 0.6663
}
