package audit

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// share is k successes in n trials.
type share struct{ k, n int }

// lower returns a lower confidence bound on the probability; it is wrong with probability at most level
// (Clopper and Pearson 1934).
func (s share) lower(level float64) float64 {
	switch s.k {
	case 0:
		return 0
	case s.n:
		return math.Pow(level, 1/float64(s.n))
	}
	return mathext.InvRegIncBeta(float64(s.k), float64(s.n-s.k+1), level)
}

// upper returns an upper confidence bound on the probability; it is wrong with probability at most level.
func (s share) upper(level float64) float64 {
	if s.k == 0 {
		return -math.Expm1(math.Log(level) / float64(s.n))
	}
	return 1 - share{s.n - s.k, s.n}.lower(level)
}

// middle is the share, kept away from 0 and 1 by half a trial.
func (s share) middle() float64 {
	return min(max(float64(s.k), 0.5), float64(s.n)-0.5) / float64(s.n)
}

// event is the outcome by which a test decides between two inputs: right counts the releases of the input that it
// indicates, wrong those of the other input.
type event struct {
	right, wrong share
	// same says that right and wrong are two outcomes of the same releases, which exclude each other.
	same bool
}

// level is the level of each of the two shares in the reported bounds, so that both hold together at 95 %.
const level = 0.025

// epsilonLow is a lower bound on epsilon at delta, 0 or more: ln((right - delta)/wrong), with the bounds of both.
func (e event) epsilonLow(delta, level float64) float64 {
	gain := e.right.lower(level) - delta
	if gain <= 0 {
		return 0
	}
	return max(0, math.Log(gain/e.wrong.upper(level)))
}

// muLow is a lower bound on mu, 0 or more.
func (e event) muLow(level float64) float64 {
	right, wrong := e.right.lower(level), e.wrong.upper(level)
	if right <= wrong {
		return 0
	}
	return distuv.UnitNormal.Quantile(right) - distuv.UnitNormal.Quantile(wrong)
}

// expected is the event that so many times as many releases are expected to show. One more release counts as wrong, so
// that an event is not preferred because it happened to be never wrong.
func (e event) expected(times int) event {
	wrong := share{min(e.wrong.k+1, e.wrong.n) * times, e.wrong.n * times}
	return event{right: share{e.right.k * times, e.right.n * times}, wrong: wrong}
}

// mu estimates the distance, in standard deviations of a normal, between the two inputs, with its standard error.
func (e event) mu() (mu, standardError float64) {
	variance := 0.0
	for i, s := range []share{e.right, e.wrong} {
		p := s.middle()
		z := distuv.UnitNormal.Quantile(p)
		slope := distuv.UnitNormal.Prob(z)
		variance += p * (1 - p) / float64(s.n) / (slope * slope)
		mu += z * float64(1-2*i)
	}
	return mu, math.Sqrt(variance)
}

// muBeyond returns an upper bound on the probability of an event like this one if mu is at most the given one.
func (e event) muBeyond(mu float64) float64 {
	return e.beyond(
		func(q float64) float64 { return distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(q) + mu) },
		func(right, wrong float64) float64 {
			return distuv.UnitNormal.Quantile(right) - distuv.UnitNormal.Quantile(wrong)
		})
}

// epsilonBeyond returns an upper bound on the probability of an event like this one under (epsilon, delta). Events are
// compared by how many standard errors right - exp(epsilon) wrong is above delta.
func (e event) epsilonBeyond(epsilon, delta float64) float64 {
	times := math.Exp(min(epsilon, 300)) // squares do not overflow
	errors := func(right, wrong float64) float64 {
		variance := right*(1-right)/float64(e.right.n) + times*times*wrong*(1-wrong)/float64(e.wrong.n)
		return (right - times*wrong - delta) / math.Sqrt(variance)
	}
	if !(errors(e.right.middle(), e.wrong.middle()) > 0) {
		return 1
	}
	return e.beyond(func(q float64) float64 { return min(1, delta+times*q) }, errors)
}

// outside is the probability that the range of beyond does not contain the true value, and the least that it returns.
const outside = 1e-9

// beyond returns an upper bound on the probability of shares at least as far apart as those of the event, if right has
// the probability allowed(q) where wrong has q. It is the largest probability over the values of q that the share of
// wrong allows (Berger and Boos 1994). apart rises with right and falls with wrong.
func (e event) beyond(allowed func(q float64) float64, apart func(right, wrong float64) float64) float64 {
	const steps = 24
	low, high := e.wrong.lower(outside/2), e.wrong.upper(outside/2)
	largest := 0.0
	for i := range steps + 1 {
		q := low + (high-low)*float64(i)/steps
		if q <= 0 || q >= 1 {
			continue
		}
		p := allowed(q)
		if e.same {
			p = min(p, 1-q)
		}
		largest = max(largest, e.asFarApart(p, q, apart))
	}
	return min(1, largest+outside)
}

// asFarApart is the probability that two shares with probabilities p and q are at least as far apart as the shares of
// the event.
func (e event) asFarApart(p, q float64, apart func(right, wrong float64) float64) float64 {
	between := func(k, l int) float64 {
		return apart(share{k, e.right.n}.middle(), share{l, e.wrong.n}.middle())
	}
	const rounding = 1e-12
	observed := between(e.right.k, e.wrong.k)
	observed -= rounding * max(1, math.Abs(observed))
	right := distuv.Binomial{N: float64(e.right.n), P: p}
	first, last := likely(e.right.n, p)
	sum := unlikely
	l := sort.Search(e.wrong.n+1, func(l int) bool { return between(first, l) < observed })
	for k := first; k <= last; k++ {
		// The largest count of wrong that is as far apart from k rises with k.
		for l <= e.wrong.n && between(k, l) >= observed {
			l++
		}
		switch {
		case l == 0:
		case p < 1:
			sum += right.Prob(float64(k)) * e.atMost(l-1, k, p, q)
		case k == e.right.n:
			sum += e.atMost(l-1, k, p, q)
		}
	}
	return sum
}

// atMost is the probability of at most l wrong releases, given k right ones.
func (e event) atMost(l, k int, p, q float64) float64 {
	n := e.wrong.n
	if e.same {
		n, q = n-k, min(1, q/(1-p))
	}
	if l >= n {
		return 1
	}
	return distuv.Binomial{N: float64(n), P: q}.CDF(float64(l))
}

// unlikely is an upper bound on the probability of the counts outside the range of likely.
const unlikely = 1e-12

// likely returns the range of the likely counts of successes in n trials with probability p.
func likely(n int, p float64) (first, last int) {
	// Bernstein's inequality: both tails together have less than 2 exp(-t).
	t := -math.Log(unlikely / 2)
	far := math.Sqrt(2*float64(n)*p*(1-p)*t) + 2*t/3
	return max(0, int(float64(n)*p-far)), min(n, int(math.Ceil(float64(n)*p+far)))
}
