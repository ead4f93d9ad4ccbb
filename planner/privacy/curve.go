package privacy

import (
	"fmt"
	"math"
)

// The exact privacy curve of the Gaussian mechanism (Balle and Wang 2018, Theorem 8). With a = sensitivity/sigma, and
//
//	x = epsilon/a - a/2,   y = epsilon/a + a/2 = sqrt(x^2 + 2 epsilon),
//
// it reads delta = Q(x) - exp(epsilon) Q(y). Since exp(epsilon) phi(y) = phi(x),
//
//	delta = phi(x) [R(x) - R(y)],   R = Q/phi the Mills ratio,
//
// which needs no large exponential. The classical calibration keeps Q(x) only;
// both calibrations therefore are the same formula at a different x.

// Delta returns the smallest delta for which Gaussian noise of standard deviation sigma makes a query of the given L2
// sensitivity (epsilon, delta)-differentially private (Balle and Wang 2018, Theorem 8), relative accuracy 1e-12 for
// epsilon up to 1e3 and delta down to 1e-12. epsilon must be finite and at least 0, sigma and sensitivity above 0 in
// the same unit.
func Delta(epsilon, sigma, sensitivity float64) (float64, error) {
	if err := checkNonNegative("epsilon", epsilon); err != nil {
		return 0, err
	}
	a, err := signalToNoise(sigma, sensitivity)
	if err != nil {
		return 0, err
	}
	return math.Exp(logDelta(epsilon/a-a/2, a)), nil
}

// Epsilon returns the smallest epsilon >= 0 for which Gaussian noise of standard deviation sigma makes a query of the
// given L2 sensitivity (epsilon, delta)-differentially private: the privacy truly attained, the inverse of Delta. It is
// 0 when even epsilon = 0 is met. delta must lie in (0, 1), sigma and sensitivity above 0 in the same unit.
func Epsilon(delta, sigma, sensitivity float64) (float64, error) {
	if err := checkBetween("delta", delta, 0, 1); err != nil {
		return 0, err
	}
	a, err := signalToNoise(sigma, sensitivity)
	if err != nil {
		return 0, err
	}
	if logDelta(-a/2, a) <= math.Log(delta) {
		return 0, nil
	}
	x := rootOfLogDelta(delta, -a/2, func(x float64) (value, slope float64) {
		l := logDelta(x, a)
		// d delta/dx at fixed a is -a exp(epsilon) Q(y) = -a phi(x) R(y).
		return l, -a * math.Exp(logNormalTail(x+a)+a*(x+a/2)-l)
	})
	return a * (x + a/2), nil
}

// signalToNoise is a = sensitivity/sigma, the parameter mu of Gaussian differential privacy (Dong, Roth and Su 2022).
func signalToNoise(sigma, sensitivity float64) (float64, error) {
	if err := checkPositive("sigma", sigma); err != nil {
		return 0, err
	}
	if err := checkPositive("sensitivity", sensitivity); err != nil {
		return 0, err
	}
	a := sensitivity / sigma
	if a == 0 || math.IsInf(a, 1) {
		return 0, fmt.Errorf("privacy: sensitivity %g over sigma %g leaves the floating-point range; rescale them",
			sensitivity, sigma)
	}
	return a, nil
}

// logDelta is log(phi(x) [R(x) - R(x+a)]), the log of the curve at x.
func logDelta(x, a float64) float64 {
	switch {
	case x >= 0:
		return -x*x/2 - logSqrt2Pi + math.Log(millsDrop(x, a))
	case a < narrow:
		return math.Log(normalDensity(x) * millsDrop(x, a))
	}
	// For negative x, R(x) may overflow, but Q(x) is at least one half.
	return math.Log(normalTail(x) - normalDensity(x)*mills(x+a))
}

// narrow is the width below which R(x)-R(x+a) is integrated rather than
// subtracted: above it the difference loses at most a factor 2x/a of precision.
const narrow = 1

// millsDrop is R(x) - R(x+a) for a > 0, to full relative precision.
func millsDrop(x, a float64) float64 {
	if a >= narrow {
		return mills(x) - mills(x+a)
	}
	return gaussLegendre(millsDeficit, x, a)
}

// rootOfLogDelta solves value(x) = log(delta) for a decreasing value by Newton steps kept inside a bracket. The root is
// below Qinv(delta), since the curve is below Q(x), and above low or, failing that, above what doubling finds.
func rootOfLogDelta(delta, low float64, curve func(x float64) (value, slope float64)) float64 {
	target := math.Log(delta)
	high := normalTailInverse(delta)
	if low >= high {
		low = high - 1
	}
	for step := 1.0; ; step *= 2 {
		if v, _ := curve(low); v >= target {
			break
		}
		low -= step
	}
	x := high
	for range maxRootSteps {
		v, slope := curve(x)
		if v >= target {
			low = x
		} else {
			high = x
		}
		next := x - (v-target)/slope
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-x) <= rootTolerance*math.Max(1, math.Abs(x)) {
			return next
		}
		x = next
	}
	return x
}

// A step this small no longer changes delta by more than rounding does; plain
// bisection alone would need about 60 steps.
const (
	rootTolerance = 4e-16
	maxRootSteps  = 200
)
