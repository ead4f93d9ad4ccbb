package privacy

import (
	"math"
	"slices"
	"sync"
	"testing"
)

// Golden values: a change here silently changes every study ever recorded.
func TestNormalsGolden(t *testing.T) {
	cases := []struct {
		address Address
		want    []float64
	}{
		{Address{}, []float64{-0.5815181219874147, 2.0996349222026276, 0.59253311450427115, 1.1781889093345579}},
		{Address{Seed: 1, Cell: 2, Run: 3, Purpose: 4},
			[]float64{0.49474248504362489, -1.429783153842844, -1.2053132297279245, -0.66856579102474512}},
		{Address{Seed: math.MaxUint64, Run: 199}, []float64{1.1664708483871136, -0.73142515283824916, -0.08799471317796323,
			1.4665745055922244}},
	}
	var n Noise
	for _, c := range cases {
		got := make([]float64, len(c.want))
		n.Seek(c.address)
		n.Normals(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v gives %.17g, want %.17g", c.address, got, c.want)
		}
	}
}

// The 1000th value passes through wedges and tails on the way.
func TestNormalsGoldenFar(t *testing.T) {
	var n Noise
	n.Seek(Address{Seed: 7})
	dst := make([]float64, 100000)
	n.Normals(dst)
	sum, largest := 0.0, 0.0
	for _, z := range dst {
		sum += z
		largest = max(largest, math.Abs(z))
	}
	if got, want := [3]float64{dst[99999], largest, sum},
		[3]float64{1.4391184325787738, 4.633068367557021, 492.46769358990184}; got != want {
		t.Errorf("last, largest and sum of 100000 are %.17g, want %.17g", got, want)
	}
}

func TestNormalsDoNotDependOnHistoryOrChunks(t *testing.T) {
	address := Address{Seed: 11, Cell: 5, Run: 8}
	var fresh, used Noise
	whole := make([]float64, 1000)
	fresh.Seek(address)
	fresh.Normals(whole)

	used.Normals(make([]float64, 77))
	used.Seek(address)
	parts := make([]float64, 0, len(whole))
	for size := 1; len(parts) < len(whole); size++ {
		chunk := make([]float64, min(size, len(whole)-len(parts)))
		used.Normals(chunk)
		parts = append(parts, chunk...)
	}
	if !slices.Equal(whole, parts) {
		t.Error("the stream depends on what was drawn before or on the size of the slices")
	}
}

func TestZeroNoiseStandsAtZeroAddress(t *testing.T) {
	var zero, sought Noise
	a, b := make([]float64, 20), make([]float64, 20)
	zero.Normals(a)
	sought.Seek(Address{})
	sought.Normals(b)
	if !slices.Equal(a, b) {
		t.Errorf("zero value gives %v, the zero address %v", a, b)
	}
}

func TestEveryAddressFieldChangesTheStream(t *testing.T) {
	seen := map[float64]Address{}
	var n Noise
	for _, a := range []Address{
		{}, {Seed: 1}, {Cell: 1}, {Run: 1}, {Purpose: 1},
		{Seed: 1 << 63}, {Cell: 1 << 63}, {Run: 1 << 63}, {Purpose: 1 << 63},
	} {
		var first [1]float64
		n.Seek(a)
		n.Normals(first[:])
		if other, ok := seen[first[0]]; ok {
			t.Errorf("%+v and %+v begin alike", a, other)
		}
		seen[first[0]] = a
	}
}

func TestNormalsDoNotAllocate(t *testing.T) {
	var n Noise
	dst := make([]float64, 1000)
	run := uint64(0)
	allocations := testing.AllocsPerRun(100, func() {
		n.Seek(Address{Run: run})
		n.Normals(dst)
		run++
	})
	if allocations != 0 {
		t.Errorf("a run allocates %g times, want 0", allocations)
	}
}

// The statistical tests below use a fixed seed, so they never flake; their
// limits are set as if the seed were random, at a false-reject rate of 1e-5.

const draws = 2_000_000

// normalSample is read by several tests and changed by none.
var normalSample = sync.OnceValue(func() []float64 {
	var n Noise
	n.Seek(Address{Seed: 20230921})
	dst := make([]float64, draws)
	n.Normals(dst)
	return dst
})

// zLimit is the two-sided normal limit at 1e-5.
const zLimit = 4.417

func TestNormalsDistribution(t *testing.T) {
	sample := slices.Clone(normalSample())
	slices.Sort(sample)

	// Kolmogorov-Smirnov: P(D sqrt(n) > 2.47) = 2 exp(-2 2.47^2) = 1e-5.
	largest := 0.0
	const classes = 1000
	var counts [classes]float64
	for i, z := range sample {
		f := 1 - normalTail(z)
		counts[min(int(f*classes), classes-1)]++
		largest = max(largest, f-float64(i)/draws, float64(i+1)/draws-f)
	}
	if d := largest * math.Sqrt(draws); d > 2.47 {
		t.Errorf("Kolmogorov-Smirnov distance is %.3f/sqrt(n), limit 2.47", d)
	}

	// Chi-square over 1000 classes of equal probability: a wrong layer of the
	// ziggurat shows in a few classes. Wilson-Hilferty limit.
	chi := 0.0
	for _, c := range counts {
		const expected = draws / classes
		chi += (c - expected) * (c - expected) / expected
	}
	if limit := chiSquareLimit(classes - 1); chi > limit {
		t.Errorf("chi-square is %.1f, limit %.1f", chi, limit)
	}
}

// chiSquareLimit is the Wilson-Hilferty quantile of chi-square at 1-1e-5.
func chiSquareLimit(degrees float64) float64 {
	const z = 4.265 // one-sided normal quantile at 1e-5
	c := 2 / (9 * degrees)
	return degrees * math.Pow(1-c+z*math.Sqrt(c), 3)
}

// The layers must have equal areas and inner edges on the density, and close at
// the mode; 1e-11 relative is what 256 steps, each up to twice as sensitive to
// rounding as the last near the mode, may leave.
func TestZigguratCloses(t *testing.T) {
	const tolerance = 1e-11
	positions := math.Ldexp(1, 63-layerBits)
	for i, l := range ziggurat {
		if got := l.scale * positions * (l.densityAbove - l.density); relative(got, zigguratArea) > tolerance {
			t.Errorf("layer %d has area %.17g, want %.17g", i, got, zigguratArea)
		}
		inner := float64(l.core) * l.scale
		if !(math.Abs(math.Exp(-inner*inner/2)-l.densityAbove) <= tolerance) {
			t.Errorf("layer %d ends at density %.17g, want %.17g", i, l.densityAbove, math.Exp(-inner*inner/2))
		}
	}
	tail := sqrt2Pi * normalTail(zigguratBase)
	if want := zigguratBase*math.Exp(-zigguratBase*zigguratBase/2) + tail; relative(zigguratArea, want) > 1e-14 {
		t.Errorf("area is %.17g, want %.17g", zigguratArea, want)
	}
}

// The portable functions against the library's, a few units in the last place.
func TestPortableFunctions(t *testing.T) {
	const tolerance = 1e-15
	for x := 0.0; x < 5; x += 0.01 {
		if got, want := halfSquareExp(x), math.Exp(-x*x/2); relative(got, want) > tolerance {
			t.Errorf("exp(-%g^2/2) = %.17g, want %.17g", x, got, want)
		}
	}
	for _, u := range []float64{1, 0x1p-53, 0.5, math.Sqrt2 / 2, 1 - 0x1p-53, 0.1, 0.9, 3, 1e-5} {
		if got, want := portableLog(u), math.Log(u); !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
			t.Errorf("log %g = %.17g, want %.17g", u, got, want)
		}
	}
}
