package study

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// factorial draws runs of a function of the levels of three factors, with noise that all cells share and
// noise of their own.
func factorial(r *rand.Rand, runs int, f func(a, b, c float64) float64) ([]Factor, []Dealt) {
	factors := []Factor{{"a", 3}, {"b", 2}, {"c", 4}}
	cells := make([]Dealt, 3*2*4)
	for range runs {
		shared := 3 * r.NormFloat64()
		for i := range cells {
			a, b, c := float64(i/8), float64(i/4%2), float64(i%4)
			cells[i].add(f(a, b, c) + shared*(1+a/4) + 2*r.NormFloat64())
		}
	}
	return factors, cells
}

// With a + 2b + 3bc, a over 0..2, b over 0, 1 and c over 0..3, the variances are 2/3 for a, (2+4.5)^2/4
// for b, (1.5)^2 x 5/4 for c and as much for bc jointly; nothing else.
func TestSensitivitiesOfAKnownFunction(t *testing.T) {
	va, vb, vc := 2./3, 6.5*6.5/4, 1.5*1.5*1.25
	vbc := vc
	v := va + vb + vc + vbc
	want := map[string][2]float64{"a": {va / v, va / v}, "b": {vb / v, (vb + vbc) / v}, "c": {vc / v, (vc + vbc) / v}}
	inside, total := 0, 0
	for trial := range 100 {
		factors, cells := factorial(rand.New(rand.NewPCG(1, uint64(trial))), 400,
			func(a, b, c float64) float64 { return a + 2*b + 3*b*c })
		indices, err := Sensitivities(factors, cells, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range indices {
			w := want[s.Factor]
			// The noise of a cell mean is 3.6/20; the indices are known to a few hundredths.
			if math.Abs(s.First.Value-w[0]) > 0.1 || math.Abs(s.Total.Value-w[1]) > 0.1 {
				t.Errorf("trial %d, %s: first %.3f, total %.3f; want %.3f, %.3f", trial, s.Factor, s.First.Value, s.Total.Value,
					w[0], w[1])
			}
			for i, e := range []Estimate{s.First, s.Total} {
				total++
				if e.Low <= w[i] && w[i] <= e.High {
					inside++
				}
			}
		}
	}
	// 600 intervals, six to a trial and not independent of each other.
	if share := float64(inside) / float64(total); share < 0.9 || share > 0.99 {
		t.Errorf("the 95 %% intervals covered %.1f %%", 100*share)
	}
}

// Noise alone is no sensitivity: over many trials the indices of an inert factor average to 0.
func TestNoiseIsNotSensitivity(t *testing.T) {
	sum, trials := 0.0, 200
	for trial := range trials {
		factors, cells := factorial(rand.New(rand.NewPCG(2, uint64(trial))), 40,
			func(a, _, _ float64) float64 { return 5 * a })
		indices, err := Sensitivities(factors, cells, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range indices {
			if s.Factor == "c" {
				sum += s.Total.Value
			}
		}
	}
	// One trial scatters by some 0.01, the mean of 200 by 0.001; the naive estimate would be some 0.02.
	if mean := sum / float64(trials); math.Abs(mean) > 0.004 {
		t.Errorf("the total index of an inert factor averages %.4f, want 0", mean)
	}
}

// Shares of a variance that is not there are shares of noise, or of rounding.
func TestNoSensitivityWithoutVariance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	alike := make([]float64, 100)
	for i := range alike {
		alike[i] = 60 + r.NormFloat64()
	}
	if s, err := Sensitivities([]Factor{{"a", 3}}, []Dealt{deal(alike), deal(alike), deal(alike)}, 0.95); !errors.Is(err,
		ErrNoVariance) {
		t.Errorf("got %v, %v for cells that are all alike", s, err)
	}
	const trials = 400
	told := 0
	for trial := range trials {
		factors, cells := factorial(rand.New(rand.NewPCG(4, uint64(trial))), 40, func(_, _, _ float64) float64 { return 60 })
		if _, err := Sensitivities(factors[:1], cells[:3], 0.95); err == nil {
			told++
		}
	}
	if share := float64(told) / trials; share > 0.06 {
		t.Errorf("%.1f %% of noise passed for sensitivity, want some 2.5", 100*share)
	}
}

func TestNoSensitivityOfFewRuns(t *testing.T) {
	_, cells := factorial(rand.New(rand.NewPCG(5, 1)), 9, func(a, _, _ float64) float64 { return 100 * a })
	if s, err := Sensitivities([]Factor{{"a", 3}, {"b", 2}, {"c", 4}}, cells, 0.95); !errors.Is(err, ErrFewRuns) {
		t.Errorf("got %v, %v from nine runs", s, err)
	}
}

// deal deals numbers.
func deal(numbers []float64) (d Dealt) {
	for _, x := range numbers {
		d.add(x)
	}
	return d
}
