package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Samples are numbers read from releases of two inputs that a mechanism may not tell apart, one from each release:
// A of a table and B of its neighbour, for which the numbers tend to be higher.
type Samples struct {
	A, B      []float64
	Threshold float64 // halfway between the two
	// Shift is how much higher the neighbour's input is, if a number is the input plus noise; otherwise 0.
	Shift float64
	// Pooled says that several numbers come from one release. They are independent only if the noise of its entries is.
	Pooled bool
	// Part says that the numbers are a part of pooled ones, so that only the promise is tested with them.
	Part bool
}

// add adds a number of the neighbour, which is raised, or of the table.
func (s *Samples) add(v float64, raised bool) {
	if raised {
		s.B = append(s.B, v)
	} else {
		s.A = append(s.A, v)
	}
}

// even leaves equally many numbers of both inputs.
func (s *Samples) even() {
	n := min(len(s.A), len(s.B))
	s.A, s.B = s.A[:n], s.B[:n]
}

// noise returns what the numbers have more than their inputs, of which the neighbour's is higher by a shift.
func (s *Samples) noise(shift float64) []float64 {
	return slices.Concat(s.A, read(s.B, func(v float64) float64 { return v - shift }))
}

// Evidence says how well releases of two inputs can be told apart.
type Evidence struct {
	Samples int // releases of each input; of the one with fewer
	// Pooled says that the samples are entries of whole tables, several of one release. They are independent only if the
	// noise of the entries is.
	Pooled bool
	// Mu is measured at the threshold: Phi^-1(TPR) - Phi^-1(FPR), with its standard error. The threshold halfway is the
	// best one for Gaussian noise. Anything computed from a release has at most the mu of the release.
	Mu, MuStandardError float64
	// EpsilonLow is a lower bound on epsilon at the claim's delta, with 95 % confidence: ln((TPR - delta)/FPR) with the
	// Clopper-Pearson bounds of both. The event is the one by which a tenth of the releases differ most, measured by the
	// rest; or that noise repeats. EpsilonCeiling is this bound for releases that never agree: the largest that this
	// number can show.
	EpsilonLow, EpsilonCeiling float64
	// MuLow is a lower bound on mu with 95 % confidence, for the event with the largest mu.
	MuLow float64
	// Curve is the measured trade-off between the two errors.
	Curve []TradeOff

	name       string // is added to those of the tests; empty for the first evidence of a report, as are by and short
	by, short  string // what was compared, and the same for tables
	part       bool
	forEpsilon event // of the releases that were not used for choosing
	forMu      event
	halfway    event // at the threshold
	repeats    event // by noise that is the same again and again; without releases if Shift is 0
	kept       [2]int
}

// TradeOff is one test of a table against its neighbour: its false positive and false negative rates, and the
// mu of two normals with these error rates, with its standard error.
type TradeOff struct{ FalsePositive, FalseNegative, Mu, MuStandardError float64 }

const (
	// LeastSamples is the least number of releases of each input from which some choose what is compared.
	LeastSamples = 100
	// fewestSamples is the least number that is compared at all.
	fewestSamples = 8
	// trained is the inverse of the share of the releases that choose.
	trained = 10
)

// errNaN reports a release that cannot be judged.
var errNaN = errors.New("audit: a release is not a number")

// Compare measures how well two inputs can be told apart by releases, at least 8 of each. With fewer than LeastSamples
// the threshold is the only event that is tried.
func (c Claim) Compare(s Samples) (*Evidence, error) {
	n := min(len(s.A), len(s.B))
	if n < fewestSamples {
		return nil, fmt.Errorf("audit: %d releases of a table and %d of its neighbour; want at least %d of each", len(s.A),
			len(s.B), fewestSamples)
	}
	if slices.ContainsFunc(s.A, math.IsNaN) || slices.ContainsFunc(s.B, math.IsNaN) {
		return nil, errNaN
	}
	e := &Evidence{Samples: n, Pooled: s.Pooled, part: s.Part}
	all := newSplit(s.A, s.B)
	halfway := half{threshold: s.Threshold}
	e.halfway = all.at(halfway)
	e.Mu, e.MuStandardError = e.halfway.mu()
	if n < LeastSamples {
		e.forEpsilon, e.forMu, e.repeats, e.Curve = e.halfway, e.halfway, all.again(s.Shift, 0), all.curve()
		e.kept = [2]int{len(s.A), len(s.B)}
	} else {
		chosen := n / trained
		training, kept := newSplit(s.A[:chosen], s.B[:chosen]), newSplit(s.A[chosen:], s.B[chosen:])
		e.kept = [2]int{len(kept.a), len(kept.b)}
		e.repeats, e.Curve = kept.again(s.Shift, training.mostRepeated(s.Shift)), kept.curve()
		e.forEpsilon = kept.at(training.best(halfway, func(e event) float64 { return e.epsilonLow(c.Delta, level) }))
		e.forMu = kept.at(training.best(halfway, func(e event) float64 { return e.muLow(level) }))
	}
	e.MuLow = e.forMu.muLow(level)
	e.bound(c, level)
	return e, nil
}

// bound computes the lower bound on epsilon, and the largest that so many samples can show. If noise can repeat, the
// two events share the level.
func (e *Evidence) bound(c Claim, level float64) {
	if e.repeats.right.n > 0 {
		level /= 2
	}
	e.EpsilonLow = e.forEpsilon.epsilonLow(c.Delta, level)
	if e.repeats.right.n > 0 {
		e.EpsilonLow = max(e.EpsilonLow, e.repeats.epsilonLow(c.Delta, level))
	}
	apart := event{right: share{e.kept[1], e.kept[1]}, wrong: share{0, e.kept[0]}} // as if releases never agreed
	e.EpsilonCeiling = max(e.EpsilonLow, apart.epsilonLow(c.Delta, level))
}

// Told returns how often the threshold tells which of two equally likely inputs a release is of, with a 95 % interval;
// 0.5 is guessing.
func (e *Evidence) Told() (share, low, high float64) {
	right, wrong := e.halfway.right, e.halfway.wrong
	half := func(right, wrong float64) float64 { return (right + 1 - wrong) / 2 }
	return half(float64(right.k)/float64(right.n), float64(wrong.k)/float64(wrong.n)),
		half(right.lower(level/2), wrong.upper(level/2)), half(right.upper(level/2), wrong.lower(level/2))
}

// split holds two samples, sorted.
type split struct{ a, b []float64 }

func newSplit(a, b []float64) split {
	s := split{slices.Clone(a), slices.Clone(b)}
	slices.Sort(s.a)
	slices.Sort(s.b)
	return s
}

// half is an event: the values above a threshold, which indicate B, or the others, which indicate A.
type half struct {
	threshold float64
	below     bool
}

// countIn counts the values of a sorted sample from low to high, both included.
func countIn(sorted []float64, low, high float64) int {
	first, _ := slices.BinarySearch(sorted, low)
	last, _ := slices.BinarySearch(sorted, math.Nextafter(high, math.Inf(1)))
	return last - first
}

// at counts how often the event happens in the two samples.
func (s split) at(h half) event {
	count := func(sorted []float64) share {
		below, _ := slices.BinarySearch(sorted, math.Nextafter(h.threshold, math.Inf(1)))
		if h.below {
			return share{below, len(sorted)}
		}
		return share{len(sorted) - below, len(sorted)}
	}
	if h.below {
		return event{right: count(s.a), wrong: count(s.b)}
	}
	return event{right: count(s.b), wrong: count(s.a)}
}

// best returns the half-line with the largest gain expected of the releases that do not choose; otherwise if none has
// a larger one.
func (s split) best(otherwise half, gain func(event) float64) (best half) {
	best, most := otherwise, gain(s.at(otherwise).expected(trained-1))
	for _, t := range s.thresholds() {
		for _, h := range []half{{threshold: t}, {threshold: t, below: true}} {
			if g := gain(s.at(h).expected(trained - 1)); g > most {
				best, most = h, g
			}
		}
	}
	return best
}

// mode returns the most frequent value of a sorted sample and how often it comes, up to a tolerance from one value to
// the next.
func mode(sorted []float64, tolerance float64) (value float64, most int) {
	for first := 0; first < len(sorted); {
		end := first + 1
		for end < len(sorted) && sorted[end]-sorted[end-1] <= tolerance {
			end++
		}
		if end-first > most {
			value, most = sorted[first], end-first
		}
		first = end
	}
	return value, most
}

// alike is the largest difference of equal noise, relative to the shift: rewards are added to noise and taken off
// again.
const alike = 1e-9

// mostRepeated returns the noise that repeats most often; 0, which releases the input itself, if none does.
func (s split) mostRepeated(shift float64) float64 {
	noise := slices.Clone(s.a)
	for _, v := range s.b {
		noise = append(noise, v-shift)
	}
	slices.Sort(noise)
	if value, n := mode(noise, alike*shift); n > 1 {
		return value
	}
	return 0
}

// again is the event that an input is released with a certain noise, such as none. What would be the other input with
// this noise is wrong. It has no releases if the shift is 0.
func (s split) again(shift, noise float64) event {
	if shift == 0 {
		return event{}
	}
	count := func(sorted []float64, at float64) int { return countIn(sorted, at-alike*shift, at+alike*shift) }
	n := len(s.a) + len(s.b)
	return event{right: share{count(s.a, noise) + count(s.b, noise+shift), n},
		wrong: share{count(s.a, noise+shift) + count(s.b, noise), n}, same: true}
}

// evenly is the approximate number of thresholds through the bulk of a sample.
const evenly = 48

// thresholds returns the thresholds at which the samples are cut, ascending: between values, evenly through the
// bulk and denser towards the ends.
func (s split) thresholds() []float64 {
	all := slices.Concat(s.a, s.b)
	slices.Sort(all)
	n := len(all)
	var ranks []int
	for i := 1; i < evenly; i++ {
		ranks = append(ranks, i*n/evenly)
	}
	for r := n / evenly; r > 0; r = r * 2 / 3 {
		ranks = append(ranks, r, n-r)
	}
	for _, sample := range [][]float64{s.a, s.b} { // the range that the other sample never reaches
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

// tests returns the tests of the evidence. Those of mu are for Gaussian noise.
func (e *Evidence) tests(c Claim) []Test {
	independent := ""
	if e.Pooled {
		independent = ", if the noise of all entries is independent"
	}
	of := func(name string) string {
		if e.name == "" {
			return name
		}
		return name + "_" + e.name
	}
	p, because := e.forEpsilon.epsilonBeyond(c.Epsilon, c.Delta), ""
	if e.repeats.right.n > 0 {
		if repeats := e.repeats.epsilonBeyond(c.Epsilon, c.Delta); repeats < p {
			p = repeats
			because = fmt.Sprintf(", and %d of %d releases have the same noise", e.repeats.right.k, e.repeats.right.n)
		}
		p = min(1, 2*p)
	}
	tests := []Test{{
		Name: of("epsilon_low"), Measure: "epsilon" + e.short, Promise: !e.Pooled, Statistic: e.EpsilonLow, Limit: c.Epsilon,
		Claim: fmt.Sprintf("epsilon is at most %.4g at delta %g%s%s", c.Epsilon, c.Delta, e.by, independent),
		Finding: fmt.Sprintf("epsilon is at least %s at delta %g with 95 %% confidence%s%s; %.4g is promised%s",
			lowerBound(e.EpsilonLow, c.Epsilon), c.Delta, e.by, independent, c.Epsilon, because),
		P: p,
	}}
	if mu := c.Mu(); c.gaussian() && !e.part {
		tests = append(tests, Test{
			Name: of("mu"), Measure: "mu" + e.short, Statistic: e.Mu, Limit: mu,
			Claim: fmt.Sprintf("mu is at most %.4g: the noise has a sigma of at least %.4g for b = %g", mu, c.Sigma,
				c.Adjacency),
			Finding: fmt.Sprintf("the noise is about %.0f %% of what sigma %.4g says: mu is %.3g%s, and this "+
				"sigma promises %.3g",
				100*mu/e.Mu, c.Sigma, e.Mu, e.by, mu),
			P: e.halfway.muBeyond(mu),
		}, Test{
			Name: of("mu_low"), Measure: "largest mu" + e.short, Statistic: e.MuLow, Limit: mu,
			Claim: fmt.Sprintf("mu is at most %.4g everywhere on the trade-off curve", mu),
			Finding: fmt.Sprintf("mu is at least %.3g somewhere on the trade-off curve%s, and sigma %.4g promises %.3g", e.MuLow,
				e.by, c.Sigma, mu),
			P: e.forMu.muBeyond(mu),
		})
	}
	return tests
}
