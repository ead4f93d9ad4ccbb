package privacy

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// Two tables are as far apart as their distance: k entries by b like one entry by sqrt(k) b.
func TestGroupPrivacyIsThatOfOneEntryFartherAway(t *testing.T) {
	const sigma, delta = 2.0, 0.01
	for _, k := range []int{1, 4, 9} {
		one, other := make([]float64, 12), make([]float64, 12)
		for i := range k {
			other[i] = 1.5 * math.Pow(-1, float64(i))
		}
		got, err := GroupPrivacy(one, other, delta, sigma)
		if err != nil {
			t.Fatal(err)
		}
		mu := math.Sqrt(float64(k)) * 1.5 / sigma
		want, err := Epsilon(delta, 1, mu)
		if err != nil {
			t.Fatal(err)
		}
		if got.Entries != k || relative(got.Mu, mu) > 1e-15 || relative(got.Epsilon, want) > 1e-12 {
			t.Errorf("%d entries: %+v, want mu %g and epsilon %g", k, got, mu, want)
		}
		// A test that is right with probability p has odds of at most e^epsilon beyond delta.
		if p := got.Distinguished; p > math.Exp(want)*(1-p)+delta || relative(p,
			0.5*math.Erfc(-mu/2/math.Sqrt2)) > 1e-15 {
			t.Errorf("%d entries: told with %g at epsilon %g", k, p, want)
		}
	}
	_, err := GroupPrivacy([]float64{1}, []float64{1, 2}, 0.1, 1)
	checkOneLine(t, err, "1 and 2 entries")
	_, err = GroupPrivacy([]float64{1}, []float64{1}, 0.1, 1)
	checkOneLine(t, err, "sensitivity")
	_, err = GroupPrivacy([]float64{1}, []float64{math.NaN()}, 0.1, 1)
	checkOneLine(t, err, "entry 0")
}

// One rival is distinguished with Phi(d/2 sigma), k rivals at right angles with that to the power of k.
func TestIdentifyAtRightAngles(t *testing.T) {
	const sigma, side = 1.3, 2.0
	ctx := context.Background()
	for _, k := range []int{1, 2, 5} {
		table, others := make([]float64, 5), make([][]float64, k)
		for i := range others {
			others[i] = make([]float64, 5)
			others[i][i] = side
		}
		var n Noise
		got, err := Identify(ctx, table, others, sigma, 100_000, &n, nil)
		if err != nil {
			t.Fatal(err)
		}
		alone := 0.5 * math.Erfc(-side/(2*sigma)/math.Sqrt2)
		want := math.Pow(alone, float64(k))
		if !(math.Abs(got.Probability.Mean-want) <= zLimit*got.Probability.StandardError) {
			t.Errorf("%d rivals: %+v, want %g", k, got, want)
		}
		if low := 1 - float64(k)*(1-alone); relative(got.High, alone) > 1e-14 ||
			!(math.Abs(got.Low-math.Max(0, low)) <= 1e-14) ||
			want < got.Low-1e-15 || want > got.High+1e-15 {
			t.Errorf("%d rivals: %g lies between %g and %g, want %g and %g", k, want, got.Low, got.High, low, alone)
		}
	}
	far, err := Identify(ctx, []float64{0}, [][]float64{{1000}}, 1, 2, new(Noise), nil)
	if err != nil || far.Low != 1 || far.High != 1 || far.Probability.Mean != 1 {
		t.Errorf("a rival that is far away: %+v, %v", far, err)
	}
}

// A share of few draws that the exact bounds exclude is not given: the estimate lies within them.
func TestIdentifiedWithinTheExactBounds(t *testing.T) {
	outside := 0
	for k := range uint64(40) {
		for _, far := range []float64{2, 4, 6} { // standard deviations of the noise, between which it is sometimes mistaken
			var n Noise
			n.Seek(Address{Seed: 1, Cell: k})
			got, err := Identify(t.Context(), []float64{0, 0}, [][]float64{{far, 0}, {0, 2 * far}}, 1, 10, &n, nil)
			if err != nil {
				t.Fatal(err)
			}
			if mean := got.Probability.Mean; !(got.Low <= mean && mean <= got.High) {
				t.Errorf("%g apart: %g is outside %g to %g", far, mean, got.Low, got.High)
			} else if mean == got.Low || mean == got.High {
				outside++
			}
		}
	}
	if outside == 0 {
		t.Error("no share was outside the bounds, so that nothing was tested")
	}
}

func TestIdentifyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Identify(ctx, []float64{0}, [][]float64{{1}}, 1, math.MaxInt, new(Noise), nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	_, err := Identify(context.Background(), []float64{0}, [][]float64{{1, 2}}, 1, 2, new(Noise), nil)
	checkOneLine(t, err, "1 and 2 entries")
	_, err = Identify(context.Background(), []float64{0}, nil, 1, 1, new(Noise), nil)
	checkOneLine(t, err, "draws")
}

func ExampleGroupPrivacy() {
	// Two rewards that differ in every one of 400 entries, each by b = 1, and noise for (1, 0.01) of one entry.
	here, there := make([]float64, 400), make([]float64, 400)
	for i := range there {
		there[i] = 1
	}
	sigma, _ := Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: Analytic}.Sigma()
	group, _ := GroupPrivacy(here, there, 0.01, sigma)
	fmt.Printf("mu %.2f, epsilon %.1f, distinguished with probability %.6f\n", group.Mu, group.Epsilon,
		group.Distinguished)
	// Output: mu 10.65, epsilon 80.6, distinguished with probability 1.000000
}
