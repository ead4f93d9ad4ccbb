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

// event is the outcome by which a test decides between two tables: right counts releases of the table that it
// indicates, wrong those of the other table.
type event struct{ right, wrong share }

// level is the level of each of the two shares in the reported bounds, so that both hold together at 95 %.
const level = 0.025

// epsilonLow is a lower bound on epsilon at delta, 0 or more.
func (e event) epsilonLow(delta, level float64) float64 { return e.bounds(level).epsilon(delta) }

// muLow is a lower bound on mu, 0 or more.
func (e event) muLow(level float64) float64 { return e.bounds(level).mu() }

// bounds are a lower bound on the probability of right and an upper bound on the probability of wrong.
type bounds struct{ right, wrong float64 }

func (e event) bounds(level float64) bounds {
	return bounds{e.right.lower(level), e.wrong.upper(level)}
}

func (b bounds) epsilon(delta float64) float64 {
	gain := b.right - delta
	if gain <= 0 {
		return 0
	}
	return max(0, math.Log(gain/b.wrong))
}

func (b bounds) mu() float64 {
	if b.right <= b.wrong {
		return 0
	}
	return distuv.UnitNormal.Quantile(b.right) - distuv.UnitNormal.Quantile(b.wrong)
}

// mu estimates the distance, in standard deviations of a normal, between the two tables, with its standard
// error.
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

// muBeyond returns an upper bound on the probability of measuring a mu at least this large if the true mu is
// the given one. It is the largest probability, over the values of the wrong probability that the wrong share
// allows, for two binomial shares at distance mu (Berger and Boos 1994).
func (e event) muBeyond(mu float64) float64 {
	const steps = 16
	low, high := e.wrong.lower(outside/2), e.wrong.upper(outside/2)
	largest := 0.0
	for i := range steps + 1 {
		q := low + (high-low)*float64(i)/steps
		if q <= 0 || q >= 1 {
			continue
		}
		p := distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(q) + mu)
		largest = max(largest, e.asFarApart(p, q))
	}
	return min(1, largest+outside)
}

// outside is the probability that the range of muBeyond does not contain the true value, and the least that it returns.
const outside = 1e-6

// asFarApart is the probability that two shares with probabilities p and q are at least as far apart, in normal
// quantiles, as the shares of the event.
func (e event) asFarApart(p, q float64) float64 {
	apart := func(k, l int) float64 {
		return distuv.UnitNormal.Quantile(share{k, e.right.n}.middle()) - distuv.UnitNormal.Quantile(share{l,
			e.wrong.n}.middle())
	}
	const rounding = 1e-12
	observed := apart(e.right.k, e.wrong.k) - rounding
	first, last := likely(e.right.n, p)
	second := distuv.Binomial{N: float64(e.wrong.n), P: q}
	right := distuv.Binomial{N: float64(e.right.n), P: p}
	sum := unlikely
	l := sort.Search(e.wrong.n+1, func(l int) bool { return apart(first, l) < observed })
	for k := first; k <= last; k++ {
		// The largest count of the second that is as far apart from k rises with k.
		for l <= e.wrong.n && apart(k, l) >= observed {
			l++
		}
		if l > 0 {
			sum += right.Prob(float64(k)) * second.CDF(float64(l-1))
		}
	}
	return sum
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

// surety is the least probability with which chance moves a bound beyond a limit. The bound depends on the
// level of its two shares; surety is the smallest level, for both together, at which the bound still exceeds
// the limit, or 1. It is at least leastSurety.
func surety(beyond func(level float64) bool) float64 {
	low, high := math.Log(leastSurety/2), math.Log(0.5)
	if !beyond(0.5) {
		return 1
	}
	if beyond(math.Exp(low)) {
		return leastSurety
	}
	for range 40 {
		middle := (low + high) / 2
		if beyond(math.Exp(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return min(1, 2*math.Exp(high))
}

const leastSurety = 1e-12
