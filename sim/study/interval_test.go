package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// An interval is known if both of its ends are numbers.
func TestKnownIntervals(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for e, want := range map[*Estimate]bool{{2, 1, 3}: true, {2, 1, inf}: false, {2, -inf, 3}: false, {2, nan, 3}: false,
		{2, 1, nan}: false, {2, -inf, inf}: false} {
		if e.Known() != want {
			t.Errorf("%v is known: %t", *e, !want)
		}
	}
}

// Newcombe (1998, Statistics in Medicine 17, 857-872, table I, method 3) prints four digits.
func TestShareIntervalMatchesNewcombesTable(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		low, high := shareInterval(c.k, c.n, 0.95)
		if math.Abs(low-c.low) > 5.1e-5 || math.Abs(high-c.high) > 5.1e-5 {
			t.Errorf("%d of %d: %.5f .. %.5f, want %.4f .. %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func TestShareIntervalHoldsItsShare(t *testing.T) {
	for n := 1; n <= 5000; n++ {
		if low, high := shareInterval(0, n, 0.95); low != 0 || !(high > 0 && high < 1) {
			t.Fatalf("0 of %d: %v .. %v, want from 0", n, low, high)
		}
		if low, high := shareInterval(n, n, 0.95); high != 1 || !(low > 0 && low < 1) {
			t.Fatalf("%d of %d: %v .. %v, want to 1", n, n, low, high)
		}
	}
}

// Wilson's interval covers 95 % on average, not at every probability: the exact sum over the outcomes of 50 trials.
func TestShareIntervalCoversOnAverage(t *testing.T) {
	const trials = 50
	covers := func(p float64) float64 {
		share := 0.0
		for k := 0; k <= trials; k++ {
			if low, high := shareInterval(k, trials, 0.95); low <= p && p <= high {
				share += distuv.Binomial{N: trials, P: p}.Prob(float64(k))
			}
		}
		return share
	}
	if share := covers(0.01); math.Abs(share-0.911) > 5e-4 {
		t.Errorf("covers %.2f %% at 1 %%", 100*share)
	}
	const points = 2000
	mean := 0.0
	for i := range points {
		mean += covers((float64(i)+0.5)/points) / points
	}
	if math.Abs(mean-0.95) > 0.005 {
		t.Errorf("covers %.2f %% on average", 100*mean)
	}
}

// The interval of a quantile covers at least what it says, whatever the distribution, and not much more.
func TestQuantileIntervalCovers(t *testing.T) {
	const trials, n = 2000, 200
	for _, p := range []float64{0.1, 0.5, 0.9} {
		r, covered := rand.New(rand.NewPCG(9, 9)), 0
		for range trials {
			values := make([]float64, n)
			for i := range values {
				values[i] = -math.Log(r.Float64()) // exponential
			}
			slices.Sort(values)
			if low, high := quantileInterval(values, p, 0.95); low <= -math.Log1p(-p) && -math.Log1p(-p) <= high {
				covered++
			}
		}
		// 2000 trials tell a share to 0.5 points (one standard error); order statistics are discrete.
		if share := float64(covered) / trials; share < 0.94 || share > 0.985 {
			t.Errorf("%g-quantile: covers %.1f %%, want 95 or a little more", p, 100*share)
		}
	}
}

// For the median of ten values, 95 % need the second to the ninth: 1 - 2 (1 + 10)/1024 = 97.9 %; the third
// to the eighth have 89.1 %.
func TestQuantileIntervalOfTenValues(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if low, high := quantileInterval(values, 0.5, 0.95); low != 2 || high != 9 {
		t.Errorf("median: %g .. %g, want 2 .. 9", low, high)
	}
	if low, high := quantileInterval(values, 0.9, 0.95); !math.IsInf(high, 1) || low != 6 && low != 7 {
		t.Errorf("0.9-quantile: %g .. %g, want an open upper end", low, high)
	}
}

// Where planned flights differ from run to run, noise that moved no run so far may move one: by as far as flights are
// plausibly recognised.
func TestNoiseLeavesRoomWherePlannedFlightsDiffer(t *testing.T) {
	tally := NewTally([]float64{1}, []float64{1})
	for i := range 20 {
		km := 60 + float64(i%2)
		tally.Add([]Run{{Epsilon: 1, Run: i, DetectionKm: km, PlannedKm: km}})
	}
	// No distance is known to be the farthest but what runs show, and none lies below the target.
	if s := tally.Summaries()[0]; s.NoiseKm != 0 || !(s.NoiseLowKm < -8 && s.NoiseLowKm > -20) {
		t.Errorf("noise moves the mean by %g (%g .. %g)", s.NoiseKm, s.NoiseLowKm, s.NoiseHighKm)
	}
}

// Where groups differ by the same number of standard errors at every epsilon, intervals at single epsilons hold
// together as often as one of them; where they are independent from epsilon to epsilon, as often as the product of all.
func TestPointwiseConfidence(t *testing.T) {
	const groups, knots, together = 250, 64, 1 - bandCorrection*(1-Confidence)
	random := rand.New(rand.NewPCG(8, 8))
	same, independent := make([][]float64, groups), make([][]float64, groups)
	for i := range groups {
		x := random.NormFloat64()
		for k := range knots {
			same[i] = append(same[i], 50+float64(1+k)*x)
			independent[i] = append(independent[i], 50+float64(1+k)*random.NormFloat64())
		}
	}
	for _, c := range []struct {
		means [][]float64
		want  float64
	}{{same, together}, {independent, math.Pow(together, 1./knots)}} {
		// The quantile of 1,000 draws has an error probability of 3 % with a standard error of 0.5 %, a sixth.
		if got := pointwise(c.means, Confidence); math.Abs((1-got)/(1-c.want)-1) > 4./6 {
			t.Errorf("confidence at one epsilon %.5f, want %.5f", got, c.want)
		}
	}
}
