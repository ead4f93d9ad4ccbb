package privacy

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// seededEntropy makes tests repeatable; only this package can.
func seededEntropy(seed byte) *Entropy {
	source := rand.NewChaCha8([32]byte{seed})
	return &Entropy{fill: func(b []byte) {
		for ; len(b) > 0; b = b[8:] {
			binary.LittleEndian.PutUint64(b, source.Uint64())
		}
	}}
}

// probabilities are the exact pmf from -reach to reach, by the definition.
func probabilities(sigma float64, reach int) []float64 {
	p := make([]float64, 2*reach+1)
	sum := 0.0
	for i := range p {
		y := float64(i - reach)
		p[i] = math.Exp(-y * y / (2 * sigma * sigma))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Chi-square of 10^6 draws against the exact pmf, false-reject rate 1e-5 each.
// Neighbouring integers are pooled into classes of at least 1/2000.
func TestDiscreteGaussianDistribution(t *testing.T) {
	draws := 300_000
	if testing.Short() {
		draws = 100_000
	}
	for i, sigma := range []float64{1, 1.3, 2.75, 41, 1000.3, 20000} {
		g, err := NewDiscreteGaussian(sigma)
		if err != nil {
			t.Fatal(err)
		}
		reach := int(math.Ceil(9 * sigma))
		counts := make([]float64, 2*reach+1)
		e := seededEntropy(byte(i))
		for range draws {
			y := int(g.Sample(e))
			if y < -reach || y > reach {
				t.Fatalf("sigma %g: drew %d, beyond 9 sigma", sigma, y)
			}
			counts[y+reach]++
		}
		chi, classes := 0.0, 0.0
		expected, observed := 0.0, 0.0
		leftover := 1.0
		for j, p := range probabilities(g.sigma(), reach) {
			expected, observed, leftover = expected+p, observed+counts[j], leftover-p
			if expected > 1.0/2000 && leftover > 1.0/2000 || j == len(counts)-1 {
				mean := expected * float64(draws)
				chi += (observed - mean) * (observed - mean) / mean
				classes++
				expected, observed = 0, 0
			}
		}
		if limit := chiSquareLimit(classes - 1); chi > limit {
			t.Errorf("sigma %g: chi-square %.1f on %g classes, limit %.1f", sigma, chi, classes, limit)
		}
	}
}

// exp(-d^2/q) with more than one whole unit, and the building blocks.
func TestBernoullis(t *testing.T) {
	const count = 200000
	e := seededEntropy(99)
	for _, c := range []struct {
		name string
		draw func() bool
		want float64
	}{
		{"3/7", func() bool { return e.bernoulli(3, 7) }, 3.0 / 7},
		{"0/5", func() bool { return e.bernoulli(0, 5) }, 0},
		{"5/5", func() bool { return e.bernoulli(5, 5) }, 1},
		{"half of 2^63+1", func() bool { return e.bernoulli(1<<62, 1<<63+1) }, 0.5},
		{"exp(0)", func() bool { return e.bernoulliExp(0, 3) }, 1},
		{"exp(-1/3)", func() bool { return e.bernoulliExp(1, 3) }, math.Exp(-1.0 / 3)},
		{"exp(-1)", func() bool { return e.bernoulliExp(4, 4) }, math.Exp(-1)},
		{"exp(-25/11)", func() bool { return e.bernoulliExpSquare(5, 11) }, math.Exp(-25.0 / 11)},
		{"exp(-big)", func() bool { return e.bernoulliExpSquare(1<<49, 1<<57) }, 0},
		{"exp(-2)", func() bool { return e.bernoulliExpSquare(1<<40, 1<<60) }, 0},
		{"exp(-1/2)", func() bool { return e.bernoulliExpSquare(1<<29, 1<<59) }, math.Exp(-0.5)},
	} {
		hits := 0.0
		for range count {
			if c.draw() {
				hits++
			}
		}
		limit := zLimit * math.Sqrt(c.want*(1-c.want)*count)
		if !(math.Abs(hits-c.want*count) <= limit) {
			t.Errorf("%s: %g hits of %d, want %.1f +- %.1f", c.name, hits, count, c.want*count, limit)
		}
	}
}

// The system's randomness comes in, and is not the same twice.
func TestZeroEntropyIsTheSystems(t *testing.T) {
	var e Entropy
	seen := map[uint64]bool{}
	for range 1000 {
		seen[e.word()] = true
	}
	if len(seen) != 1000 {
		t.Errorf("1000 words hold %d different ones", len(seen))
	}
}

// Every constant of the sampler against its defining fraction in big integers,
// and the bounds that keep its products within 64 and 128 bits.
func TestDiscreteGaussianConstants(t *testing.T) {
	for _, sigma := range []float64{1, 1.0001, 1.5, 1.9999, 2, 3.3, 100, 4095.9, 8191.9, 8192, 8192.5, 1e6, 1 << 28} {
		g, err := NewDiscreteGaussian(sigma)
		if err != nil {
			t.Fatal(err)
		}
		if s := g.sigma(); s < sigma || s > sigma*(1+1.0/(1<<sigmaBits)) {
			t.Errorf("sigma %g became %g", sigma, s)
		}
		// (slope y - offset)^2/denominator = (y - sigma^2/t)^2/(2 sigma^2) for all y
		// means slope^2/denominator = 1/(2 sigma^2) and offset/slope = sigma^2/t.
		variance := big.NewRat(int64(g.a), int64(g.c))
		variance.Mul(variance, variance)
		square := new(big.Int).Mul(big.NewInt(int64(g.slope)), big.NewInt(int64(g.slope)))
		left := new(big.Rat).SetFrac(square, new(big.Int).SetUint64(g.denominator))
		if want := new(big.Rat).Inv(new(big.Rat).Mul(variance, big.NewRat(2, 1))); left.Cmp(want) != 0 {
			t.Errorf("sigma %g: slope^2/denominator is %v, want %v", sigma, left, want)
		}
		if got, want := big.NewRat(int64(g.offset), int64(g.slope)),
			new(big.Rat).Quo(variance, big.NewRat(int64(g.t), 1)); got.Cmp(want) != 0 {
			t.Errorf("sigma %g: offset/slope is %v, want %v", sigma, got, want)
		}
		if g.denominator >= 1<<62 || float64(g.t)*(longestRun+2)*float64(g.slope) >= 1<<52 {
			t.Errorf("sigma %g: constants leave the range the sampler was proved for: %+v", sigma, g)
		}
		if next := g.next(); !(next.sigma() > g.sigma()) || next.sigma() > g.sigma()*(1+2.0/(1<<sigmaBits)) ||
			next.denominator >= 1<<62 {
			t.Errorf("sigma %g: next is %g", g.sigma(), next.sigma())
		}
	}
	for _, sigma := range []float64{0, 0.99, -1, math.NaN(), math.Inf(1), 1<<28 + 1} {
		_, err := NewDiscreteGaussian(sigma)
		checkOneLine(t, err, "sigma")
	}
}

// The certified delta against the definition: the largest over all events of
// P(S) - exp(epsilon) P(S - steps), which is the sum of the positive parts. It
// must never be below, and above only by the margin (summed) or by little
// (integral).
func TestDiscreteDelta(t *testing.T) {
	for _, c := range []struct {
		sigma   float64
		epsilon float64
		steps   int
		slack   float64
	}{
		{1, 1, 1, 1e-8}, {1, 0, 1, 1e-8}, {2.5, 0.3, 4, 1e-8}, {1.2, 10, 3, 1e-8}, {50, 1, 30, 1e-8},
		{50, 0.001, 1, 1e-8}, {700, 3, 1000, 1e-8}, {1, 30, 7, 1e-8}, {20, 2, 100, 1e-8},
		{5000, 1, 3000, 1e-2}, {20000, 0.1, 2000, 1e-2}, {6000, 5, 20000, 1e-2}, {9000, 0, 9000, 1e-3},
	} {
		g, err := NewDiscreteGaussian(c.sigma)
		if err != nil {
			t.Fatal(err)
		}
		reach := int(30*c.sigma) + c.steps + 100
		p := probabilities(g.sigma(), reach)
		want := 0.0
		for y := c.steps; y < len(p); y++ {
			if gain := p[y-c.steps] - math.Exp(c.epsilon)*p[y]; gain > 0 {
				want += gain
			}
		}
		for y := len(p) - c.steps; y < len(p); y++ {
			want += p[y]
		}
		got, err := g.Delta(c.epsilon, int64(c.steps))
		if err != nil || got < want || relative(got, want) > c.slack {
			t.Errorf("%+v: certified %.12g, %v; exact %.12g", c, got, err, want)
		}
		smaller, err := g.Delta(c.epsilon, int64(max(1, c.steps-1)))
		if err != nil || smaller > got {
			t.Errorf("%+v: a smaller sensitivity has delta %g, %v, above %g", c, smaller, err, got)
		}
	}
	g, err := NewDiscreteGaussian(3)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Delta(-1, 1)
	checkOneLine(t, err, "epsilon")
	_, err = g.Delta(1, 0)
	checkOneLine(t, err, "steps")
}

// A bound on a probability that is too small for a double is not 0.
func TestDiscreteDeltaIsNeverZero(t *testing.T) {
	for _, c := range []struct{ sigma, epsilon float64 }{{1, 800}, {1, 1e6}, {3000, 1e9}, {5000, 1e5}, {1 << 28, 1e300}} {
		g, err := NewDiscreteGaussian(c.sigma)
		if err != nil {
			t.Fatal(err)
		}
		if delta, err := g.Delta(c.epsilon, 1); err != nil || delta != leastCertified {
			t.Errorf("sigma %g, epsilon %g: certified %g, %v", c.sigma, c.epsilon, delta, err)
		}
	}
}

// scripted is Entropy of given words.
func scripted(words ...uint64) *Entropy {
	next := 0
	return &Entropy{fill: func(b []byte) {
		for at := len(b) - 8; at >= 0; at -= 8 { // words are taken from the end
			w := uint64(0)
			if next < len(words) {
				w = words[next]
			}
			next++
			binary.LittleEndian.PutUint64(b[at:], w)
		}
	}}
}

// Of 2^64 words 2 are too many for 7 equal shares, those whose product with 7 has 0 or 1 for its low word.
// They are drawn again; their neighbours are not.
func TestBelowDrawsSurplusWordsAgain(t *testing.T) {
	const n = 7
	inverse := uint64(7905747460161236407) // of 7 modulo 2^64, so that inverse*n = 1
	if x := inverse; x*n != 1 {
		t.Fatalf("7 times %d is %d modulo 2^64", x, x*n)
	}
	const fifth = 5*(math.MaxUint64/n) + 1<<60 // of share 5, which none of the others is of
	for _, c := range []struct{ word, want uint64 }{{0, 5}, {inverse, 5}, {2 * inverse, 6}, {1, 0}, {math.MaxUint64, 6}} {
		if got := scripted(c.word, fifth).below(n); got != c.want {
			t.Errorf("word %d: drew %d, want %d", c.word, got, c.want)
		}
	}
	for _, n := range []uint64{1, 2, 1 << 40} { // powers of two leave no surplus
		if got := scripted(0, math.MaxUint64).below(n); got != 0 {
			t.Errorf("word 0 for n %d: drew %d", n, got)
		}
	}
}
