package privacy

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
)

var promise = Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: 2, Calibration: Analytic}

// The released table is the rounded reward plus the sampler's noise, and carries
// a certificate no larger than what was requested.
func TestRelease(t *testing.T) {
	reward := []float64{-1, 5, 0.123456, 1e6, -0.5}
	for _, calibration := range []Calibration{Classical, Analytic} {
		for _, epsilon := range []float64{1e-3, 0.1, 1, 10, 1e3} {
			for _, delta := range []float64{1e-12, 1e-5, 0.1, 0.4} {
				g := Guarantee{Epsilon: epsilon, Delta: delta, Adjacency: 2, Calibration: calibration}
				sigma, err := g.Sigma()
				if err != nil {
					t.Fatal(err)
				}
				grid, err := g.Grid()
				if err != nil {
					t.Fatal(err)
				}
				r, err := Release(reward, g, grid, seededEntropy(1))
				if err != nil {
					t.Fatalf("%+v: %v", g, err)
				}
				noise := discreteGaussian(r.SigmaNumerator, r.SigmaDenominator)
				certified, err := noise.Delta(epsilon, r.Sensitivity)
				if err != nil || certified != r.CertifiedDelta || certified > delta {
					t.Errorf("%+v: certified %g (recomputed %g), %v", g, r.CertifiedDelta, certified, err)
				}
				// The price of the grid: 2^-13 for the fraction, and less for
				// the discreteness at 1024 steps per sigma.
				if excess := noise.sigma()*grid/sigma - 1; excess < 0 || excess > 2e-4 {
					t.Errorf("%+v: sigma on the grid is %.3g above the continuous one", g, excess)
				}
				e := seededEntropy(1)
				for i, k := range r.Steps {
					want := int64(math.Floor(reward[i]/grid+0.5)) + noise.Sample(e)
					if k != want || r.Values()[i] != float64(k)*grid {
						t.Errorf("%+v: entry %d is step %d, want %d", g, i, k, want)
					}
				}
			}
		}
	}
}

// Coarse grids stay private: the certificate holds where discreteness matters.
func TestReleaseOnCoarseGrids(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 10} {
		g := Guarantee{Epsilon: epsilon, Delta: 1e-3, Adjacency: 2, Calibration: Analytic}
		sigma, err := g.Sigma()
		if err != nil {
			t.Fatal(err)
		}
		for _, grid := range []float64{0.3, 0.7, 1, 1.9, 2} {
			if grid > sigma {
				continue
			}
			r, err := Release([]float64{1}, g, grid, new(Entropy))
			if err != nil || r.CertifiedDelta > g.Delta || r.Sensitivity != int64(math.Ceil(2/grid)) {
				t.Errorf("epsilon %g grid %g: %+v, %v", epsilon, grid, r, err)
			}
			// A tenth less noise must not pass: the search stops early enough.
			if r.CertifiedDelta < g.Delta/2 {
				t.Errorf("epsilon %g grid %g: certified %g, wastefully below %g", epsilon, grid, r.CertifiedDelta, g.Delta)
			}
		}
	}
}

// Rounded neighbours differ by at most ceil(b/grid) steps, and some do by
// exactly that: random pairs at the worst distance, decimal and binary grids.
func TestRoundingSensitivity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ adjacency, grid float64 }{{1, 1}, {1, 0.1}, {1, 0.3}, {2, 0.7}, {0.1, 0.1}, {0.3, 0.1},
		{1, 0.0009765625}} {
		steps, err := stepsOf(c.adjacency, c.grid, 1)
		if err != nil {
			t.Fatal(err)
		}
		largest := int64(0)
		for range 5000 {
			v := (r.Float64() - 0.5) * 20
			if r.IntN(4) == 0 {
				v = (float64(r.IntN(100)) + 0.5) * c.grid // halves
			}
			w := v + c.adjacency
			if exact := new(big.Rat).Sub(new(big.Rat).SetFloat64(w),
				new(big.Rat).SetFloat64(v)); exact.Cmp(new(big.Rat).SetFloat64(c.adjacency)) > 0 {
				w = math.Nextafter(w, v) // not neighbours: the sum was rounded up
			}
			a, near1 := roundToGrid(v, c.grid)
			b, near2 := roundToGrid(w, c.grid)
			if !near1 || !near2 {
				t.Fatalf("%g or %g is too far from zero", v, w)
			}
			largest = max(largest, b-a)
		}
		if largest != steps {
			t.Errorf("adjacency %g grid %g: rounded neighbours differ by up to %d steps, sensitivity is %d", c.adjacency, c.grid,
				largest, steps)
		}
	}
}

func TestRoundToGrid(t *testing.T) {
	for _, c := range []struct {
		value, grid float64
		want        int64
	}{
		{0.5, 1, 1}, {-0.5, 1, 0}, {1.5, 1, 2}, {2.5, 1, 3}, {-1.5, 1, -1}, {0, 0.1, 0}, {math.Copysign(0, -1), 0.1, 0},
		{0.1, 0.1, 1}, {0.25, 0.1, 2}, // 0.1 is a little above a tenth: 2.4999...
		{5e-324, 1, 0}, {-5e-324, 1, 0}, {1 << 52, 1, 1 << 52},
	} {
		if got, within := roundToGrid(c.value, c.grid); got != c.want || !within {
			t.Errorf("%g on %g: %d, %v; want %d", c.value, c.grid, got, within, c.want)
		}
	}
}

// Published noise must look like noise: mean and variance of many releases.
func TestReleaseMoments(t *testing.T) {
	const count = 20000
	grid, err := promise.Grid()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Release(make([]float64, count), promise, grid, seededEntropy(3))
	if err != nil {
		t.Fatal(err)
	}
	sigma, err := promise.Sigma()
	if err != nil {
		t.Fatal(err)
	}
	var e Sample
	squares := 0.0
	for _, v := range r.Values() {
		e.Add(v)
		squares += v * v
	}
	if mean := e.Mean().Mean; math.Abs(mean) > zLimit*sigma/math.Sqrt(count) {
		t.Errorf("mean %g for sigma %g", mean, sigma)
	}
	// The 2e-4 by which sigma on the grid may exceed counts twice in variance.
	if z := (squares/count/(sigma*sigma) - 1) / math.Sqrt(2.0/count); math.Abs(z) > zLimit+0.04 {
		t.Errorf("variance is %.1f standard errors off", z)
	}
}

// A study's generator cannot become the randomness of a release: it reads no
// bytes, and Entropy can be built from nothing outside this package.
func TestSeededNoiseIsNotEntropy(t *testing.T) {
	if _, ok := any(new(Noise)).(io.Reader); ok {
		t.Error("Noise is an io.Reader")
	}
	entropy := reflect.TypeFor[Entropy]()
	for i := range entropy.NumField() {
		if f := entropy.Field(i); f.IsExported() {
			t.Errorf("Entropy exports its field %s", f.Name)
		}
	}
	if n := reflect.TypeFor[*Entropy]().NumMethod(); n != 0 {
		t.Errorf("Entropy exports %d methods; none may set its source", n)
	}
	if got := reflect.TypeOf(Release).In(3); got != reflect.TypeFor[*Entropy]() {
		t.Errorf("Release takes its randomness from %v", got)
	}
}

func TestReleaseRefusesBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		reward []float64
		change func(*Guarantee)
		grid   float64
		want   string
	}{
		{nil, nil, 0.01, "number of rewards"}, {[]float64{nan}, nil, 0.01, "a reward is not finite"},
		{[]float64{0, inf}, nil, 0.01, "a reward is not finite"},
		{[]float64{1}, nil, 0, "grid"}, {[]float64{1}, nil, nan, "grid"}, {[]float64{1}, nil, inf, "grid"},
		{[]float64{1}, nil, 2.5, "grid"}, {[]float64{1}, nil, 1e-9, "grid"},
		{[]float64{0, 1e300}, nil, 0.01, "a reward is more than 2^52 steps"},
		{[]float64{1}, func(g *Guarantee) { g.Epsilon = 0 }, 0.01, "epsilon"},
		{[]float64{1}, func(g *Guarantee) { g.Delta = 1 }, 0.01, "delta"},
		{[]float64{1}, func(g *Guarantee) { g.Delta = 1e-310 }, 0.01, "to be certified"},
		{[]float64{1}, func(g *Guarantee) { g.Adjacency = nan }, 0.01, "adjacency"},
		{[]float64{1}, func(g *Guarantee) { g.Calibration = "" }, 0.01, "calibration"},
	} {
		g := promise
		if c.change != nil {
			c.change(&g)
		}
		_, err := Release(c.reward, g, c.grid, new(Entropy))
		checkOneLine(t, err, c.want)
	}
	_, err := Guarantee{Epsilon: 1, Delta: 0.1, Calibration: Classical}.Grid()
	checkOneLine(t, err, "adjacency")
}

// The error for a reward that cannot be released has neither its value nor its entry.
func TestReleaseErrorsTellNoReward(t *testing.T) {
	for _, reward := range []float64{-7.1234567e290, math.Inf(-1), math.NaN()} {
		_, err := Release([]float64{3, reward}, promise, 0.01, new(Entropy))
		if !errors.Is(err, errOffGrid) && !errors.Is(err, errNotFinite) {
			t.Errorf("%g: error %v", reward, err)
		}
	}
}

func BenchmarkRelease(b *testing.B) {
	grid, err := promise.Grid()
	if err != nil {
		b.Fatal(err)
	}
	reward := make([]float64, 1280)
	var e Entropy
	for b.Loop() {
		if _, err := Release(reward, promise, grid, &e); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleRelease() {
	guarantee := Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: 1, Calibration: Analytic}
	grid, _ := guarantee.Grid()
	released, err := Release([]float64{-1, -1, 5, -1}, guarantee, grid, new(Entropy))
	fmt.Println(len(released.Values()), released.CertifiedDelta <= guarantee.Delta, err)
	// Output: 4 true <nil>
}
