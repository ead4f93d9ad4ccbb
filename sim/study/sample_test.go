package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A sample counts what all numbers come to, to the bit, in whatever order they came.
func TestSampleIsItsNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 11))
	for n := range 60 {
		numbers, counted := make([]float64, n), counter{}
		for i := range numbers {
			numbers[i] = math.Floor(10*random.Float64()) / 7
			counted.add(numbers[i])
		}
		s := counted.sample()
		sum := 0.0
		for _, x := range numbers {
			sum += x
		}
		if counted.sum != sum || counted.n != n || s.Len() != n {
			t.Fatalf("%d numbers of sum %v, counted %d and %d of sum %v", n, sum, counted.n, s.Len(), counted.sum)
		}
		sorted := slices.Sorted(slices.Values(numbers))
		var all []float64
		for x, count := range s.All() {
			all = append(all, slices.Repeat([]float64{x}, count)...)
		}
		if !slices.Equal(all, sorted) || !slices.Equal(NewSample(sorted).Counts, s.Counts) {
			t.Fatalf("%v is counted as %v", sorted, all)
		}
		if n == 0 {
			continue
		}
		for _, p := range []float64{0, 0.1, 1. / 3, 0.5, 0.99, 1} {
			if got, want := s.Quantile(p), Quantile(sorted, p); got != want {
				t.Errorf("%d numbers: the %g-quantile is %v, want %v", n, p, got, want)
			}
		}
		wantMean, wantStd := meanStd(sorted)
		mean, std := s.meanStd()
		if mean != wantMean || std != wantStd && !(math.IsNaN(std) && n == 1) {
			t.Errorf("%d numbers: mean %v and deviation %v, want %v and %v", n, mean, std, wantMean, wantStd)
		}
	}
}

// What gathers the runs of a study takes no more memory for more runs of the same flights.
func TestTalliesDoNotGrowWithRuns(t *testing.T) {
	epsilons := make([]float64, 20)
	for i := range epsilons {
		epsilons[i] = 0.2 * float64(i+1)
	}
	once := func(runs int) float64 {
		return testing.AllocsPerRun(1, func() {
			tally, curve := NewTally(epsilons, epsilons), NewMeanCurve(Range{Low: 0.2, High: 4}, 0)
			records := make([]Run, len(epsilons))
			for run := range runs {
				for i, epsilon := range epsilons {
					records[i] = Run{Epsilon: epsilon, Run: run, DetectionKm: float64((run*7 + i) % 101)}
				}
				tally.Add(records)
				curve.Add(records)
			}
		})
	}
	// Others of the process may allocate meanwhile.
	gather := func(runs int) float64 { return min(once(runs), once(runs), once(runs)) }
	const few = 300 // after which all flights were flown
	if a, b := gather(few), gather(20*few); b > a {
		t.Errorf("%v allocations for %d runs, %v for %d", a, few, b, 20*few)
	}
}

// meanStd returns the mean and the sample standard deviation of values in two passes.
func meanStd(values []float64) (mean, std float64) {
	mean = meanOf(values)
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / float64(len(values)-1))
}
