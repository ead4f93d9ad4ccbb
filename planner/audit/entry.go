package audit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/pool"
)

// Entry is the evidence from releases of a table and of its neighbour, which differ in one entry.
type Entry struct {
	Samples int // releases of each table
	// Mu is measured at the threshold that is optimal for Gaussian noise: Phi^-1(TPR) - Phi^-1(FPR), with its
	// standard error. Anything computed from the reward has at most the mu of the reward.
	Mu, MuStandardError float64
	// EpsilonLow is a lower bound on epsilon at the claim's delta, with 95 % confidence: ln((TPR - delta)/FPR)
	// with the Clopper-Pearson bounds of both, at the half-line, or the repeated value, at which the two samples
	// differ most. EpsilonCeiling is this bound for two samples without a common value, the largest that this
	// number of samples can show.
	EpsilonLow, EpsilonCeiling float64
	// MuLow is a lower bound on mu with 95 % confidence, at the half-line or value with the largest mu.
	MuLow float64
	// Curve is the measured trade-off between the two errors.
	Curve []TradeOff
	// Events are the other events that distinguish releases best, chosen among EventsTried; for policies and
	// routes only.
	Events      []Event
	EventsTried int

	forEpsilon, forMu event  // of the releases that are kept for the bounds
	halfway           event  // of all releases, at the threshold of Mu
	pooled            bool   // the samples include several entries of one release, which may depend on each other
	apart             *Entry // from one entry of each release; nil if there are too few, or if none is pooled
	law               *Test  // test of the noise's distribution; may be nil
}

// Pooled reports whether the samples are entries of whole tables, several of one release. They are independent only
// if the noise of the entries is.
func (e *Entry) Pooled() bool { return e.pooled }

// TradeOff is one test of a table against its neighbour: its false positive and false negative rates, and the
// mu of two normals with these error rates, with its standard error.
type TradeOff struct{ FalsePositive, FalseNegative, Mu, MuStandardError float64 }

// LeastSamples is the least number of releases of each table from which an entry is judged.
const LeastSamples = 100

// trained is the inverse of the fraction of the releases that choose the thresholds.
const trained = 10

// JudgeEntry compares a number per release of a table and of its neighbour, in which one entry is higher by the
// adjacency; the numbers tend to be higher for the neighbour. Both samples have the same size, at least
// LeastSamples; threshold lies halfway between them.
func (c Claim) JudgeEntry(table, neighbour []float64, threshold float64) (*Entry, error) {
	n := len(table)
	if len(neighbour) != n || n < LeastSamples {
		return nil, fmt.Errorf("audit: %d releases of a table and %d of its neighbour; want equally many, at "+
			"least %d", n,
			len(neighbour), LeastSamples)
	}
	e := &Entry{Samples: n}
	e.halfway = event{above(neighbour, threshold), above(table, threshold)}
	e.Mu, e.MuStandardError = e.halfway.mu()

	chosen := n / trained
	training, kept := newSplit(table[:chosen], neighbour[:chosen]), newSplit(table[chosen:], neighbour[chosen:])
	best := training.best(func(b bounds) float64 { return b.epsilon(c.Delta) }, bounds.mu)
	e.forEpsilon, e.forMu = kept.at(best[0]), kept.at(best[1])
	e.MuLow = e.forMu.muLow(level)
	e.bound(c, level)
	e.Curve = kept.curve()
	return e, nil
}

// bound computes the lower bound on epsilon, and the largest that so many samples can show.
func (e *Entry) bound(c Claim, level float64) {
	rest := e.Samples - e.Samples/trained
	e.EpsilonLow = e.forEpsilon.epsilonLow(c.Delta, level)
	e.EpsilonCeiling = event{share{rest, rest}, share{0, rest}}.epsilonLow(c.Delta, level)
}

// sure returns the samples of an entry that bound epsilon for any mechanism, nil if there are none.
func (e *Entry) sure() *Entry {
	if e != nil && e.pooled {
		return e.apart
	}
	return e
}

// above counts values above a threshold.
func above(values []float64, threshold float64) share {
	k := 0
	for _, v := range values {
		if v > threshold {
			k++
		}
	}
	return share{k, len(values)}
}

// split holds the two samples, sorted.
type split struct{ table, neighbour []float64 }

func newSplit(table, neighbour []float64) split {
	s := split{slices.Clone(table), slices.Clone(neighbour)}
	slices.Sort(s.table)
	slices.Sort(s.neighbour)
	return s
}

// half is an event for the bounds: the values above a threshold, which indicate the neighbour, or the values
// below, which indicate the table. If alone is set it is the value equal to the threshold, which is released
// repeatedly.
type half struct {
	threshold float64
	below     bool
	alone     bool
}

// at counts how often the event happens in the two samples.
func (s split) at(h half) event {
	// A value can equal a threshold only if the threshold is itself a value; it counts as above.
	count := func(sorted []float64) share {
		below, _ := slices.BinarySearch(sorted, h.threshold)
		if h.alone {
			last, _ := slices.BinarySearch(sorted, math.Nextafter(h.threshold, math.Inf(1)))
			return share{last - below, len(sorted)}
		}
		if h.below {
			return share{below, len(sorted)}
		}
		return share{len(sorted) - below, len(sorted)}
	}
	if h.below {
		return event{count(s.table), count(s.neighbour)}
	}
	return event{count(s.neighbour), count(s.table)}
}

// best returns, for each of the gains, the first half-line with the largest gain.
func (s split) best(gains ...func(bounds) float64) []half {
	best, most := make([]half, len(gains)), make([]float64, len(gains))
	for i := range gains {
		best[i], most[i] = half{threshold: math.Inf(1)}, math.Inf(-1)
	}
	for _, h := range append(s.halves(), repeated(s.neighbour, false), repeated(s.table, true)) {
		b := s.at(h).bounds(level)
		for i, gain := range gains {
			if g := gain(b); g > most[i] {
				best[i], most[i] = h, g
			}
		}
	}
	return best
}

// halves returns the half-lines on both sides of the thresholds.
func (s split) halves() (all []half) {
	for _, t := range s.thresholds() {
		all = append(all, half{threshold: t}, half{threshold: t, below: true})
	}
	return all
}

// repeated returns the most frequent value of a sorted sample, as evidence of the table or of the neighbour. If
// all values differ it is one of them, which shows nothing.
func repeated(sorted []float64, ofTable bool) half {
	value, most := sorted[0], 0
	for first := 0; first < len(sorted); {
		end := first + 1
		for end < len(sorted) && sorted[end] == sorted[first] {
			end++
		}
		if end-first > most {
			value, most = sorted[first], end-first
		}
		first = end
	}
	return half{threshold: value, below: ofTable, alone: true}
}

// evenly is the approximate number of thresholds through the bulk of a sample.
const evenly = 48

// thresholds returns the thresholds at which the samples are cut, ascending: between values, evenly through the
// bulk and denser towards the ends.
func (s split) thresholds() []float64 {
	all := merged(s.table, s.neighbour)
	n := len(all)
	var ranks []int
	for i := 1; i < evenly; i++ {
		ranks = append(ranks, i*n/evenly)
	}
	for r := n / evenly; r > 0; r = r * 2 / 3 {
		ranks = append(ranks, r, n-r)
	}
	for _, sample := range [][]float64{s.table, s.neighbour} { // the range that the other sample never reaches
		low, _ := slices.BinarySearch(all, sample[0])
		high, _ := slices.BinarySearch(all, math.Nextafter(sample[len(sample)-1], math.Inf(1)))
		ranks = append(ranks, low, high)
	}
	slices.Sort(ranks)
	var cuts []float64
	for _, r := range slices.Compact(ranks) {
		if r <= 0 || r >= n {
			continue
		}
		// Between two values that differ, at or above the rank.
		for r < n && all[r] == all[r-1] {
			r, _ = slices.BinarySearch(all, math.Nextafter(all[r], math.Inf(1)))
		}
		if r < n {
			cuts = append(cuts, all[r-1]+(all[r]-all[r-1])/2)
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// merged returns the values of two sorted samples, sorted.
func merged(a, b []float64) []float64 {
	all := make([]float64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
}

// curve measures the trade-off at all thresholds, from no false positive to no false negative.
func (s split) curve() []TradeOff {
	var points []TradeOff
	for _, t := range slices.Backward(s.thresholds()) {
		e := s.at(half{threshold: t})
		mu, standardError := e.mu()
		points = append(points, TradeOff{float64(e.wrong.k) / float64(e.wrong.n), 1 - float64(e.right.k)/float64(e.right.n),
			mu, standardError})
	}
	return points
}

// testOfMu is the name of the test of mu.
const testOfMu = "mu"

// tests returns the tests of an entry.
func (e *Entry) tests(c Claim) ([]Test, error) {
	attained, err := c.Attained()
	if err != nil {
		return nil, err
	}
	low := func(name, measure string, epsilon float64, promise bool) Test {
		claim := fmt.Sprintf("epsilon is at most %.4g at delta %g", epsilon, c.Delta)
		finding := fmt.Sprintf("epsilon is at least %.3g, where %s is %.4g", e.EpsilonLow, measure, epsilon)
		if e.pooled && promise {
			measure = "epsilon, entries independent" // which is no part of the promise
		}
		if e.pooled {
			claim += ", if the noise of all entries is independent"
			finding += ", if the noise of all entries is independent"
		}
		return Test{
			Name: name, Measure: measure, Claim: claim, Finding: finding,
			Promise:   promise && !e.pooled,
			Statistic: e.EpsilonLow, Limit: epsilon,
			P: surety(func(level float64) bool { return e.forEpsilon.epsilonLow(c.Delta, level) > epsilon }),
		}
	}
	tests := []Test{low("epsilon_low", "the promised epsilon", c.Epsilon, true)}
	if e.apart != nil {
		tests = append(tests, e.apart.testApart(c))
	}
	if mu := c.Mu(); c.gaussian() {
		tests = append(tests, low("epsilon_attained", "the epsilon that sigma gives", attained, false), Test{
			Name: testOfMu, Measure: "mu that sigma gives",
			Claim: fmt.Sprintf("mu is at most %.4g: the noise has a sigma of at least %.4g for b = %g", mu, c.Sigma,
				c.Adjacency),
			Finding: fmt.Sprintf("the noise is about %.0f %% of what sigma %.4g says: mu is %.3g, and this sigma promises %.3g",
				100*mu/e.Mu, c.Sigma, e.Mu, mu),
			Statistic: e.Mu, Limit: mu, P: e.halfway.muBeyond(mu), least: outside,
		}, Test{
			Name: "curve", Measure: "mu in the tails too",
			Claim: fmt.Sprintf("mu is at most %.4g everywhere, in the tails too, as for normal noise", mu),
			Finding: fmt.Sprintf("mu is at least %.3g somewhere on the trade-off curve, and sigma %.4g promises %.3g", e.MuLow,
				c.Sigma, mu),
			Statistic: e.MuLow, Limit: mu,
			P: surety(func(level float64) bool { return e.forMu.muLow(level) > mu }),
		})
	}
	if e.law != nil {
		tests = append(tests, *e.law)
	}
	if len(e.Events) > 0 {
		t := c.testEvents(e.Events, attained)
		t.Promise = !c.gaussian() && !e.pooled
		tests = append(tests, t)
	}
	return tests, nil
}

// testApart tests the promise with the samples of an entry that are independent of each other.
func (e *Entry) testApart(c Claim) Test {
	return Test{
		Name: "epsilon_apart", Measure: "epsilon by an entry per release", Promise: true, Statistic: e.EpsilonLow,
		Limit: c.Epsilon,
		Claim: fmt.Sprintf("epsilon is at most %.4g at delta %g, by one entry of each release", c.Epsilon, c.Delta),
		Finding: fmt.Sprintf("epsilon is at least %.3g by one entry of each release, and %.4g is promised", e.EpsilonLow,
			c.Epsilon),
		P: surety(func(level float64) bool { return e.forEpsilon.epsilonLow(c.Delta, level) > c.Epsilon }),
	}
}

// Sampler makes release number i of a table, or of its neighbour, and returns one number read from it. It
// serves one goroutine.
type Sampler func(i int, neighbour bool) (float64, error)

// Watch makes the given number of releases of a table and of its neighbour on several goroutines, each with its
// own Sampler. It calls progress with the number of releases made since the last call. The numbers do not
// depend on the number of workers. The keeper, which may be nil, holds the releases made before and stores the
// new ones.
func Watch(ctx context.Context, samples, workers int, newSampler func() (Sampler, error), keeper pool.Keeper,
	progress func(int)) (table, neighbour []float64, err error) {
	if samples < LeastSamples {
		return nil, nil, fmt.Errorf("audit: %d samples; want at least %d", samples, LeastSamples)
	}
	all := make([]float64, 0, 2*samples)
	newWork := func() pool.Work[int, []float64] { return (&sampling{samples: samples, newSampler: newSampler}).do }
	for r, err := range pool.Resumed(ctx, workers, pool.Numbers(0, (2*samples+batch-1)/batch), newWork, keeper) {
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r.Value...)
		progress(len(r.Value))
	}
	return all[:samples], all[samples:], nil
}

// batch is the number of releases in one piece of work.
const batch = 256

// sampling makes batches of releases, first of the table and then of its neighbour.
type sampling struct {
	samples    int // of each table
	newSampler func() (Sampler, error)
	sampler    Sampler // nil before the first batch
}

// do makes the releases of batch number k.
func (s *sampling) do(ctx context.Context, k int, values []float64) ([]float64, error) {
	if s.sampler == nil {
		var err error
		if s.sampler, err = s.newSampler(); err != nil {
			return nil, err
		}
	}
	values = values[:0]
	for i := k * batch; i < min((k+1)*batch, 2*s.samples); i++ {
		if i%16 == 0 && ctx.Err() != nil { // one plan takes long
			return nil, ctx.Err()
		}
		v, err := s.sampler(i%s.samples, i >= s.samples)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// errNaN reports a release that cannot be judged.
var errNaN = errors.New("audit: a release is not a number")
