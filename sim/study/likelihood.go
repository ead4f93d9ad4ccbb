package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// MeanInterval returns the ends of a confidence interval for the mean of a distribution, from sorted values
// drawn from it. least and most are bounds on all possible values, or -Inf and +Inf. A bound is moved to the
// most extreme value beyond it. Both ends are NaN for fewer than two values.
//
// For each end, a value at that bound is added, and all values get random weights; all weights with sum 1 are
// equally likely. The end is the quantile of the weighted mean (Gaffke 2005; Phan, Thomas & Learned-Miller
// 2021). So it allows for values that have not occurred yet. For two different values it is the exact end of
// Clopper and Pearson, and no distribution between the bounds is known for which it covers less often than
// stated. The quantile is computed with the saddlepoint approximation, whose error probability has a relative
// error of 3 %.
//
// On a side without a bound, the end is that of the empirical likelihood (Owen 1988, 2001): the set of means
// that a reweighting of the values can have without becoming too unlikely, with the threshold t^2 of n-1
// degrees of freedom. Its shape comes from the values, where Student's interval assumes a normal distribution,
// but it cannot allow for values that have not occurred. Below fewestForLikelihood values it is Student's,
// because the empirical likelihood never leaves the range of the values.
func MeanInterval(sorted []float64, least, most, confidence float64) (low, high float64) {
	return NewSample(sorted).MeanInterval(least, most, confidence)
}

// MeanInterval is [MeanInterval] for the numbers of the sample.
func (s Sample) MeanInterval(least, most, confidence float64) (low, high float64) {
	return s.meanInterval(least, most, confidence, studentsT(s.Len(), confidence))
}

// studentsT returns Student's t for the interval of the mean of n values; NaN for fewer than two.
func studentsT(n int, confidence float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + confidence) / 2)
}

// meanInterval is MeanInterval for a known t.
func (s Sample) meanInterval(least, most, confidence, t float64) (low, high float64) {
	if s.Len() < 2 {
		return math.NaN(), math.NaN()
	}
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	end := func(bound, sign float64) float64 {
		if math.IsInf(bound, 0) {
			return s.unboundedEnd(sign * t)
		}
		return s.boundedEnd(bound, sign*z)
	}
	return end(min(least, s.Values[0]), -1), end(max(most, s.Values[len(s.Values)-1]), 1)
}

// boundedEnd is an end of the interval with one additional value at a bound: the lower end for z below 0. It
// leaves the normal probability beyond z outside.
func (s Sample) boundedEnd(bound, z float64) float64 {
	all := Sample{slices.Clone(s.Values), slices.Clone(s.Counts)}
	all.add(bound, 1)
	mean, std := all.meanStd()
	if std == 0 {
		return mean
	}
	l := newLikelihood(all, mean)
	l.exact = true
	return l.end(z)
}

// unboundedEnd is an end of the interval from the values alone: the lower end for t below 0.
func (s Sample) unboundedEnd(t float64) float64 {
	mean, std := s.meanStd()
	if n := s.Len(); n < fewestForLikelihood || std == 0 {
		return mean + t*std/math.Sqrt(float64(n))
	}
	return newLikelihood(s, mean).end(t)
}

// fewestForLikelihood is the number of values from which the empirical likelihood replaces Student's interval
// on a side without a bound. With a quarter of the values in the second hump, intervals of 95 % cover 92.6 %
// (likelihood) and 94.0 % (Student) with 10 values, 96.2 % and 91.9 % with 20.
const fewestForLikelihood = 20

// likelihood is the empirical likelihood of a mean, over the distinct values and their counts. Among all
// weights with a given mean, the most likely are proportional to 1/(1 + tilt deviation), and each tilt has its
// mean. So the statistic is a function of the tilt: 0 at a tilt of 0, rising on both sides.
type likelihood struct {
	deviations, counts []float64 // from the values' mean
	mean, total        float64
	spread             float64 // square root of the sum of squared deviations
	exact              bool    // roots are those of the distribution of the mean with random weights
}

func newLikelihood(s Sample, mean float64) *likelihood {
	n := len(s.Values)
	room := make([]float64, 2*n)
	l := &likelihood{deviations: room[:n], counts: room[n:], mean: mean, total: float64(s.Len())}
	squares := 0.0
	for i, v := range s.Values {
		l.deviations[i], l.counts[i] = v-mean, float64(s.Counts[i])
		squares += l.counts[i] * (v - mean) * (v - mean)
	}
	l.spread = math.Sqrt(squares)
	return l
}

// tilted describes the values with the weights of a tilt.
type tilted struct {
	mean  float64 // minus the mean of the unweighted values
	root  float64 // of -2 log R of the mean, the statistic of Owen 2001, equation 2.9; corrected where l is exact
	slope float64 // derivative of root by the tilt
	moves float64 // derivative of mean by the tilt
}

// at tilts the values. The root is infinite if the tilt leaves no positive weights.
func (l *likelihood) at(tilt float64) tilted {
	weights, moment, squares, cubes, logs, product := 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
	for i, d := range l.deviations {
		factor, count := 1+tilt*d, l.counts[i]
		if !(factor > 0) {
			return tilted{root: math.Inf(1)}
		}
		q := 1 / factor
		weights += count * q
		moment += count * q * d
		squares += count * q * q * d
		cubes += count * q * q * q * d
		// One logarithm of a product is faster than those of its factors.
		if count > 1 {
			logs += count * math.Log(factor)
		} else if product *= factor; product < 1e-100 || product > 1e100 {
			logs, product = logs+math.Log(product), 1
		}
	}
	logs += math.Log(product)
	// The sum of the weights minus their number is -tilt moment.
	root := math.Sqrt(2 * max(0, logs+l.total*math.Log1p(-tilt*moment/l.total)))
	t := tilted{mean: moment / weights, root: root, slope: (moment - l.total*squares/weights) / root}
	t.moves = -t.slope * root / (tilt * weights)
	if l.exact {
		t.correct(l.total, weights, weights-tilt*squares, squares, cubes)
	}
	return t
}

// correct replaces the root r by r + log(u/r)/r, whose probability under the normal distribution is that of the
// mean under random weights, with u^2 the sum of the squared differences of the tilted weights from 1
// (Barndorff-Nielsen 1986). With q the tilting factors of the weights: sum and sumSquares are the sums of q and
// q^2, squares and cubes those of q^2 and q^3 times the deviations.
func (t *tilted) correct(total, sum, sumSquares, squares, cubes float64) {
	u2 := total * (total*sumSquares - sum*sum) / (sum * sum)
	slopeOfU2 := 2 * total * total / (sum * sum) * (sumSquares*squares/sum - cubes)
	r, logRatio := t.root, math.Log(u2)/2-math.Log(t.root)
	t.slope = t.slope*(1-(1+logRatio)/(r*r)) + slopeOfU2/(2*u2*r)
	t.root = r + logRatio/r
}

const (
	maxTilts      = 200  // bisection alone needs some 60
	rootTolerance = 1e-5 // relative; the rest is corrected to first order, so the error is its square
)

// end returns the mean with a given root; it is below the mean of the values for a root below 0. The root is nearly
// proportional to the tilt, so Newton's steps, kept within a shrinking bracket, are few.
func (l *likelihood) end(root float64) float64 {
	farthest := l.deviations[len(l.deviations)-1] // limits the roots on this side
	if root < 0 {
		farthest = l.deviations[0]
	}
	tilt, target := -root/l.spread, math.Abs(root)
	inside, outside := 0.0, -1/farthest
	for range maxTilts {
		if !(min(inside, outside) < tilt && tilt < max(inside, outside)) {
			if tilt = (inside + outside) / 2; tilt == inside || tilt == outside {
				break
			}
		}
		t := l.at(tilt)
		miss := target - t.root
		if math.Abs(miss) <= rootTolerance*target {
			return l.mean + t.mean + miss*t.moves/t.slope
		}
		if t.root < target {
			inside = tilt
		} else {
			outside = tilt
		}
		tilt += miss / t.slope
	}
	return l.mean + farthest
}
