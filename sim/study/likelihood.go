package study

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MeanInterval returns the ends of a confidence interval for the mean of a distribution from values drawn
// from it, sorted: that of the empirical likelihood (Owen 1988, 2001), the set of means that a reweighting
// of the values can have without becoming too unlikely, with the threshold t^2 of n-1 degrees of freedom.
//
// It takes its shape from the values, where Student's interval supposes a bell. The detection distance
// is bimodal, with one hump sometimes small; with 200 values and a hump of 2 to 5 % Student's 95 % cover 90.6
// to 93.0 %, these 97.1 to 94.9 %. Below fewestForLikelihood values it is Student's all the same, because these
// ends never leave the values' range. Both are NaN for fewer than two values.
//
// A hump that no value came from is unknown to either. So where no value lies nearer to least, the least
// value possible, than to the mean, the lower end leaves room for one there: for the largest share of the
// distribution that so many values still miss with the tail's probability. Least is -Inf where there is none.
func MeanInterval(sorted []float64, least, confidence float64) (low, high float64) {
	return NewSample(sorted).MeanInterval(least, confidence)
}

// MeanInterval is [MeanInterval] of the numbers.
func (s Sample) MeanInterval(least, confidence float64) (low, high float64) {
	return s.meanInterval(least, confidence, studentsT(s.Len(), confidence))
}

// studentsT returns Student's t of the interval of the mean of n values; NaN for fewer than two.
func studentsT(n int, confidence float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + confidence) / 2)
}

// meanInterval is MeanInterval where t is known.
func (s Sample) meanInterval(least, confidence, t float64) (low, high float64) {
	n := s.Len()
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	mean, std := s.meanStd()
	low, high = s.seenInterval(mean, std, t)
	if math.IsInf(least, -1) {
		return low, high
	}
	if s.Values[0] > (least+mean)/2 {
		unseen := -math.Expm1(math.Log((1-confidence)/2) / float64(n))
		low -= unseen * (low - least)
	}
	return max(low, least), high
}

// seenInterval is the interval as far as the values tell, with Student's t.
func (s Sample) seenInterval(mean, std, t float64) (low, high float64) {
	n := s.Len()
	half := t * std / math.Sqrt(float64(n))
	if n < fewestForLikelihood || std == 0 {
		return mean - half, mean + half
	}
	l := newLikelihood(s)
	return l.end(mean, mean-half, -t), l.end(mean, mean+half, t)
}

// fewestForLikelihood is the number of values from which the empirical likelihood is preferred to Student's
// interval. Where a quarter of the values lie in the second hump, their 95 % cover 92.6 and 94.0 % at 10 values,
// 96.2 and 91.9 % at 20; where the hump is rarer, 20 values miss it so often that both cover less, and the room
// left for it makes up for that.
const fewestForLikelihood = 20

// likelihood is the empirical likelihood of a mean, over distinct values and how often each came.
type likelihood struct {
	values, counts []float64
	total          float64
	multiplier     float64 // Lagrange's, of the last mean asked for
}

func newLikelihood(s Sample) *likelihood {
	l := &likelihood{values: s.Values, counts: make([]float64, len(s.Counts)), total: float64(s.Len())}
	for i, n := range s.Counts {
		l.counts[i] = float64(n)
	}
	return l
}

// root returns the signed root of -2 log R(mu), the statistic of Owen 2001, equation 2.9: infinite
// outside the values' range and nearly linear in mu within.
func (l *likelihood) root(mean, mu float64) float64 {
	least, most := l.values[0]-mu, l.values[len(l.values)-1]-mu
	if least >= 0 || most <= 0 {
		return math.Inf(int(math.Copysign(1, mu-mean)))
	}
	l.solve(mu, (1/l.total-1)/most, (1/l.total-1)/least)
	sum := 0.0
	for i, v := range l.values {
		sum += l.counts[i] * math.Log1p(l.multiplier*(v-mu))
	}
	return math.Copysign(math.Sqrt(2*max(0, sum)), mu-mean)
}

// solve finds the multiplier: the zero of the falling function sum d/(1 + lambda d), d = value - mu,
// between low and high, by Newton's steps kept inside a shrinking bracket.
func (l *likelihood) solve(mu, low, high float64) {
	x := l.multiplier
	if !(x > low && x < high) {
		x = 0
	}
	for range maxNewtonSteps {
		f, slope := 0.0, 0.0
		for i, v := range l.values {
			q := (v - mu) / (1 + x*(v-mu))
			f += l.counts[i] * q
			slope -= l.counts[i] * q * q
		}
		if f > 0 {
			low = x
		} else {
			high = x
		}
		next := x - f/slope
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		step := math.Abs(next - x)
		x = next
		if step <= multiplierTolerance*math.Abs(x) {
			break
		}
	}
	l.multiplier = x
}

const (
	maxNewtonSteps      = 100  // bisection alone needs 60
	multiplierTolerance = 1e-8 // relative; the likelihood is flat there, so its error is the square
	endTolerance        = 1e-7 // of an interval's width: far below its own uncertainty
	overshoot           = 1.01 // so that the scaled guess falls outside
)

// end finds the mean whose root is the target, between the sample mean, where the root is 0, and the
// last value on that side, where it is infinite. The root is nearly proportional to the distance from the
// sample mean, so scaling that distance brackets the end, and false position (Illinois) closes in.
func (l *likelihood) end(mean, guess, target float64) float64 {
	near, far := mean, l.values[0]
	if target > 0 {
		far = l.values[len(l.values)-1]
	}
	fNear, fFar := -target, math.Copysign(math.Inf(1), target)
	width := math.Abs(guess - mean)
	for x := guess; math.Abs(far-near) > endTolerance*width; {
		if !(x > min(near, far) && x < max(near, far)) {
			x = (near + far) / 2
			if x == near || x == far {
				break
			}
		}
		f := l.root(mean, x) - target
		if math.Abs(f) <= endTolerance*math.Abs(target) {
			return x
		}
		inside := f*target < 0
		switch {
		case inside && math.IsInf(fFar, 0):
			near, fNear = x, f
			x = mean + (x-mean)*target/(target+f)*overshoot
			continue
		case inside:
			near, fNear, fFar = x, f, fFar/2
		default:
			far, fFar = x, f
			if near != mean {
				fNear /= 2
			}
		}
		x = far - fFar*(far-near)/(fFar-fNear)
	}
	return far
}
