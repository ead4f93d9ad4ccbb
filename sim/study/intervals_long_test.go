//go:build long

package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The intervals of quantiles cover where the quantile of either side is between two humps.
func TestContrastsOfQuantilesCover(t *testing.T) {
	const times, fewest = 300, 272 // of 300 intervals at 95 % fewer than 272 cover with probability 0.2 %
	draw := func(rng *rand.Rand, n int, near float64) (runs []Run) {
		for i := range n {
			km := 60 + rng.NormFloat64()/10
			if rng.Float64() < near {
				km = 18 + rng.NormFloat64()
			}
			runs = append(runs, Run{Run: i, Epsilon: 1, DetectionKm: km})
		}
		return runs
	}
	exactly := func(near float64, name string) float64 {
		return contrastOf(t, Contrasts(draw(rand.New(rand.NewPCG(9, 9)), 200_000, near), nil, Pairing{}, Confidence), name).A
	}
	for _, c := range []struct {
		name string
		a, b float64
	}{{"p10_km", 0.12, 0.08}, {"p10_km", 0.13, 0.13}, {"median_km", 0.53, 0.47}, {"p90_km", 0.88, 0.92}} {
		truth, covered := exactly(c.b, c.name)-exactly(c.a, c.name), 0
		for k := range times {
			rng := rand.New(rand.NewPCG(5, uint64(k)))
			d := contrastOf(t, Contrasts(draw(rng, 100, c.a), draw(rng, 100, c.b), Pairing{Paired: true}, Confidence), c.name)
			if !(d.Low > truth || d.High < truth) {
				covered++
			}
		}
		if covered < fewest {
			t.Errorf("%+v: %d of %d intervals cover %g", c, covered, times, truth)
		}
	}
}

// The coverages that MeanInterval and fewestForLikelihood quote, of the empirical likelihood alone, of Student's
// interval and of the two joined. 4000 trials tell a share of 95 % to 0.35 points (one standard error).
func TestCoverageOfTheLikelihoodAndOfStudents(t *testing.T) {
	const trials, tolerance = 4000, 1.4
	for _, c := range []struct {
		n                         int
		hump                      float64
		likelihood, student, mean float64 // per cent; 0 where nothing is quoted
	}{
		{10, 0.25, 92.6, 94.0, 0},
		{20, 0.25, 96.2, 91.9, 0},
		{200, 0.02, 0, 90.6, 97.8},
		{200, 0.05, 0, 93.0, 96.9},
	} {
		h := humps{rand.New(rand.NewPCG(7, uint64(c.n))), c.hump}
		var likelihood, student, mean int
		threshold := quantile95(c.n)
		for range trials {
			values := h.sorted(c.n)
			centre, std := meanStd(values)
			half := studentHalfWidth(std, c.n)
			inside := func(low, high float64) int { return count(low <= h.mean() && h.mean() <= high) }
			student += inside(centre-half, centre+half)
			mean += count(covers(t, values, h.mean(), threshold))
			if c.likelihood > 0 {
				l := newLikelihood(NewSample(values), centre)
				likelihood += inside(l.end(-threshold), l.end(threshold))
			}
		}
		for _, check := range []struct {
			name    string
			covered int
			want    float64
		}{{"likelihood", likelihood, c.likelihood}, {"Student", student, c.student}, {"MeanInterval", mean, c.mean}} {
			if got := 100 * float64(check.covered) / trials; check.want > 0 && math.Abs(got-check.want) > tolerance {
				t.Errorf("%d values, hump %g, %s: covers %.1f %%, want %.1f", c.n, c.hump, check.name, got, check.want)
			}
		}
	}
}
