package privacy

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

const (
	sqrt2Pi     = 2.50662827463100050241576528481104525
	logSqrt2Pi  = 0.918938533204672741780329736405617640
	sqrtHalfPi  = 1.25331413731550025120788264240552263
	sqrt2OverPi = 0.797884560802865355879892119868763737 // mean of |Z|
)

// normalTail is Q(t), the probability that a standard normal exceeds t.
func normalTail(t float64) float64 { return 0.5 * math.Erfc(t/math.Sqrt2) }

// normalDensity is the standard normal density at t.
func normalDensity(t float64) float64 { return math.Exp(-t*t/2) / sqrt2Pi }

// mills is the Mills ratio R(t) = Q(t)/phi(t); it grows like exp(t^2/2) for negative t and overflows below t = -38.
func mills(t float64) float64 {
	if t < continuedFractionFrom {
		return sqrtHalfPi * math.Exp(t*t/2) * math.Erfc(t/math.Sqrt2)
	}
	return 1 / (t + millsFraction(t))
}

// millsDeficit is -R'(t) = 1 - t R(t), positive for every t, without the formula's cancellation for large t.
func millsDeficit(t float64) float64 {
	if t < continuedFractionFrom {
		return 1 - t*mills(t)
	}
	k := millsFraction(t)
	return k / (t + k)
}

// Laplace's continued fraction converges for every positive t; from 2 on, 160 levels are more than double precision
// needs, and below 2 the direct formulas lose less than a digit.
const (
	continuedFractionFrom   = 2
	continuedFractionLevels = 160
)

// millsFraction is K in R(t) = 1/(t+K), K = 1/(t+2/(t+3/(t+...)))
// (Abramowitz and Stegun 26.2.14), evaluated from the bottom.
func millsFraction(t float64) float64 {
	levels := continuedFractionLevels
	if t > 8 {
		levels = 40
	}
	f := t
	for k := levels; k >= 2; k-- {
		f = t + float64(k)/f
	}
	return 1 / f
}

// logNormalTail is log Q(t), finite where Q itself underflows.
func logNormalTail(t float64) float64 {
	if t < continuedFractionFrom {
		return math.Log(normalTail(t))
	}
	return -t*t/2 - logSqrt2Pi + math.Log(mills(t))
}

// normalTailInverse is Qinv(delta) for delta in (0,1): the library's quantile, improved by one Newton step on
// log Q, which is nearly quadratic in the tail.
func normalTailInverse(delta float64) float64 {
	t := -mathext.NormalQuantile(delta)
	if delta > 0.5 {
		// 1-delta is exact here, and log Q is flat on this side.
		return -normalTailInverse(1 - delta)
	}
	return t + (logNormalTail(t)-math.Log(delta))*mills(t)
}
