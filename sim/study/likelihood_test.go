package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"veilpath/planner/privacy"
)

// humps draws from a caricature of the detection distance: with probability p between 15 and 25 km, and
// otherwise near 60.7 km.
type humps struct {
	r *rand.Rand
	p float64
}

func (h humps) draw() float64 {
	if h.r.Float64() < h.p {
		return 15 + 10*h.r.Float64()
	}
	return 60.6 + 0.2*h.r.Float64()
}

func (h humps) mean() float64 { return h.p*20 + (1-h.p)*60.7 }

func (h humps) values(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = h.draw()
	}
	return values
}

func (h humps) sorted(n int) []float64 {
	values := h.values(n)
	slices.Sort(values)
	return values
}

// covers reports whether MeanInterval of values, none below 0 possible, holds a mean. The interval holds the means
// whose statistic is at most the square of its threshold, which is looked at without the search for the ends. One in 64
// intervals and those that seem not to hold it are searched for all the same; the two are to agree. It sorts the values
// then.
func covers(t *testing.T, values []float64, mean, threshold float64) bool {
	t.Helper()
	holds := len(values) >= fewestForLikelihood && statistic(values, mean) <= threshold*threshold
	if searched := math.Float64bits(values[0])%64 == 0; holds && !searched {
		return true
	}
	slices.Sort(values)
	low, high := MeanInterval(values, 0, math.Inf(1), 0.95)
	inside := low <= mean && mean <= high
	if holds && !inside {
		t.Errorf("the mean %g of %d values does not lie in %g .. %g, and its statistic is below %g", mean, len(values), low,
			high, threshold*threshold)
	}
	return inside
}

// statistic is -2 log R(mu) of Owen 2001, equation 2.9: twice the sum of log(1 + x (value - mu)), whose derivative by x
// is 0 there; infinite outside the values' range.
func statistic(values []float64, mu float64) float64 {
	n := float64(len(values))
	least, most := slices.Min(values)-mu, slices.Max(values)-mu
	if !(least < 0 && most > 0) {
		return math.Inf(1)
	}
	low, high := (1/n-1)/most, (1/n-1)/least
	for x, step := 0.0, math.Inf(1); ; {
		sum, f, slope, product := 0.0, 0.0, 0.0, 1.0
		for i, v := range values {
			factor := 1 + x*(v-mu)
			q := (v - mu) / factor
			f += q
			slope += q * q
			if product *= factor; i%16 == 15 { // factors lie between 1/n and the values' range times n
				sum, product = sum+math.Log(product), 1
			}
		}
		if math.Abs(step) <= 1e-5*math.Abs(x) { // so that the sum, which is flat there, is known to 1e-10
			return 2 * (sum + math.Log(product))
		}
		if f > 0 {
			low = x
		} else {
			high = x
		}
		next := x + f/slope
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		x, step = next, next-x
	}
}

// quantile95 is the threshold of 95 % intervals of n values.
func quantile95(n int) float64 { return studentHalfWidth(math.Sqrt(float64(n)), n) }

// The interval covers at least what it says on two-humped distributions as the studies meet them, and not much more
// where the small hump is seldom missed. With 600 trials the share is known to 0.9 points (one standard error).
func TestMeanIntervalCoversOnTwoHumps(t *testing.T) {
	for _, n := range []int{20, 50, 200, 600} {
		threshold := quantile95(n)
		for _, p := range []float64{0.01, 0.02, 0.03, 0.05, 0.1, 0.25} {
			h := humps{rand.New(rand.NewPCG(100, uint64(n))), p}
			trials, covered := 600, 0
			for range trials {
				covered += count(covers(t, h.values(n), h.mean(), threshold))
			}
			share := float64(covered) / float64(trials)
			t.Logf("%d values, small hump %g: covers %.2f %%", n, p, 100*share)
			if share < 0.93 || share > 0.99 && p*float64(n) > 5 {
				t.Errorf("%d values, small hump %g: covers %.2f %%, want 93 to 99", n, p, 100*share)
			}
		}
	}
}

// studentHalfWidth is that of the mean of n values of sample standard deviation std, at 95 %.
func studentHalfWidth(std float64, n int) float64 {
	return privacy.SampleMean{StandardError: std / math.Sqrt(float64(n)), Draws: n}.HalfWidth(0.95)
}

// For two values a and b, k and n-k times, the empirical likelihood is the binomial one, whose statistic
// has a closed form.
func TestMeanIntervalIsTheBinomialLikelihoodRatioForTwoValues(t *testing.T) {
	const n, k = 200, 30
	values := make([]float64, n)
	for i := n - k; i < n; i++ {
		values[i] = 1
	}
	low, high := MeanInterval(values, math.Inf(-1), math.Inf(1), 0.95)
	const t199 = 1.971956544249395 // 97.5 % quantile of Student's t, 199 degrees of freedom
	share := float64(k) / n
	for _, p := range []float64{low, high} {
		statistic := 2 * n * (share*math.Log(share/p) + (1-share)*math.Log((1-share)/(1-p)))
		if math.Abs(statistic-t199*t199) > 1e-8 {
			t.Errorf("at %v the statistic is %v, want %v", p, statistic, t199*t199)
		}
	}
	if !(low < share && share < high) {
		t.Errorf("interval %v .. %v does not hold the mean %v", low, high, share)
	}
}

// At its ends the statistic is the square of the threshold, which another way to find Lagrange's multiplier tells; and
// a limit next to an end is on the side that it is on.
func TestEndsAreWhereTheStatisticIsTheThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	for trial := range 300 {
		n := 20 + r.IntN(200)
		values := humps{r, 0.3 * r.Float64()}.sorted(n)
		switch trial % 4 {
		case 0: // as flights repeat
			for i := range values {
				values[i] = math.Round(values[i])
			}
		case 1: // all but one are the same
			values = append(make([]float64, n-1), 1)
		}
		confidence := []float64{0.5, 0.95, 0.999999}[trial%3]
		threshold := studentsT(n, confidence)
		low, high := MeanInterval(values, math.Inf(-1), math.Inf(1), confidence)
		if values[0] == values[n-1] {
			continue
		}
		for _, end := range []float64{low, high} {
			if got, want := statistic(values, end), threshold*threshold; math.Abs(got-want) > 1e-8*want {
				t.Errorf("%d values, confidence %g: at %.17g the statistic is %.17g, want %.17g", n, confidence, end, got, want)
			}
		}
	}
}

func TestMeanIntervalOfManyBellShapedValuesIsStudents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 20_000)
	for i := range values {
		values[i] = 50 + 10*r.NormFloat64()
	}
	slices.Sort(values)
	low, high := MeanInterval(values, math.Inf(-1), math.Inf(1), 0.95)
	mean, std := meanStd(values)
	half := studentHalfWidth(std, len(values))
	// The two differ by the skewness over sqrt(n), some 1e-2 / 141 of the half-width squared.
	if tolerance := 0.01 * half; math.Abs(low-(mean-half)) > tolerance || math.Abs(high-(mean+half)) > tolerance {
		t.Errorf("interval %v .. %v, want %v .. %v", low, high, mean-half, mean+half)
	}
}

// For values of two kinds at the bounds the ends are those of Clopper and Pearson, to 3 % of their error probability.
func TestMeanIntervalOfTwoKindsIsClopperAndPearsons(t *testing.T) {
	for _, c := range []struct{ n, k int }{{5, 0}, {5, 2}, {20, 1}, {20, 20}, {200, 3}, {200, 120}} {
		values := slices.Concat(slices.Repeat([]float64{0}, c.n-c.k), slices.Repeat([]float64{1}, c.k))
		for _, bounds := range [][2]float64{{0, 1}, {0.4, 0.6}} { // the latter are moved to the values beyond them
			if bounds[1] < 1 && (c.k == 0 || c.k == c.n) {
				continue
			}
			low, high := MeanInterval(values, bounds[0], bounds[1], 0.95)
			const outside, tolerance = 0.025, 0.03 * 0.025
			below, above := outside, outside
			if c.k > 0 {
				below = mathext.RegIncBeta(float64(c.k), float64(c.n-c.k+1), low)
			}
			if c.k < c.n {
				above = 1 - mathext.RegIncBeta(float64(c.k+1), float64(c.n-c.k), high)
			}
			if math.Abs(below-outside) > tolerance || math.Abs(above-outside) > tolerance || c.k == 0 && low != 0 ||
				c.k == c.n && high != 1 {
				t.Errorf("%d of %d: %g .. %g fail with %.5f and %.5f", c.k, c.n, low, high, below, above)
			}
		}
	}
	// What no value has shown may lie at a bound: the end leaves room for one.
	low, high := MeanInterval(slices.Repeat([]float64{60}, 5), 0, 80, 0.95)
	if share := math.Pow(0.025, 1./5); math.Abs(low-60*share) > 1 || math.Abs(high-(80-20*share)) > 1 {
		t.Errorf("five equal values: %g .. %g, want %g .. %g", low, high, 60*share, 80-20*share)
	}
}

func TestMeanIntervalAtTheEdges(t *testing.T) {
	if low, high := MeanInterval([]float64{3}, 0, math.Inf(1), 0.95); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("one value: %v .. %v, want NaN", low, high)
	}
	if low, high := MeanInterval(slices.Repeat([]float64{3}, 50), math.Inf(-1), math.Inf(1), 0.95); low != 3 || high != 3 {
		t.Errorf("equal values: %v .. %v, want 3 .. 3", low, high)
	}
	low, high := MeanInterval(append(slices.Repeat([]float64{0}, 49), 1), 0, math.Inf(1), 0.95)
	if !(0 < low && low < 0.02 && 0.02 < high && high < 0.2) {
		t.Errorf("one in fifty: %v .. %v, want both sides of 0.02 within 0 .. 0.2", low, high)
	}
}
