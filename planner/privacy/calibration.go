package privacy

import (
	"fmt"
	"math"
)

// Calibration names the formula from a guarantee to the standard deviation of Gaussian noise.
type Calibration string

const (
	// Classical is the paper's Lemma 1, sufficient but larger than needed.
	Classical Calibration = "classical"
	// Analytic is the exact smallest noise (Balle and Wang 2018).
	Analytic Calibration = "analytic"
)

func (c Calibration) check() error {
	if c != Classical && c != Analytic {
		return fmt.Errorf("privacy: calibration is %q; it must be %q or %q", string(c), Classical, Analytic)
	}
	return nil
}

// checkDelta accepts (0,1/2) for Classical, whose Lemma needs Qinv(delta) > 0, and (0,1) for Analytic.
func (c Calibration) checkDelta(delta float64) error {
	if err := c.check(); err != nil {
		return err
	}
	high := 1.0
	if c == Classical {
		high = 0.5
	}
	return checkBetween("delta", delta, 0, high)
}

// Sigma returns the standard deviation of the Gaussian noise that makes a query of the given L2 sensitivity (epsilon,
// delta)-differentially private, in the unit of the sensitivity.
//
// Both calibrations are sensitivity/(2 epsilon) (x + sqrt(x^2 + 2 epsilon)); Classical takes x = Qinv(delta) (Lemma 1),
// Analytic the x at which the exact privacy curve equals delta. epsilon and sensitivity must be finite and above 0,
// delta in (0, 1/2) for Classical and in (0, 1) for Analytic.
func (c Calibration) Sigma(epsilon, delta, sensitivity float64) (float64, error) {
	if err := checkEpsilon(epsilon); err != nil {
		return 0, err
	}
	if err := c.checkDelta(delta); err != nil {
		return 0, err
	}
	if err := checkPositive("sensitivity", sensitivity); err != nil {
		return 0, err
	}
	x := normalTailInverse(delta)
	if c == Analytic {
		x = analyticArgument(epsilon, delta)
	}
	sigma := sensitivity * noisePerSensitivity(x, epsilon)
	if sigma == 0 || math.IsInf(sigma, 1) {
		return 0, fmt.Errorf("privacy: sigma for epsilon %g and sensitivity %g leaves the floating-point range; rescale them",
			epsilon, sensitivity)
	}
	return sigma, nil
}

// Epsilon returns the smallest epsilon whose Sigma does not exceed sigma: the strongest privacy this calibration grants
// to that noise. For Analytic it is the attained epsilon, and 0 if sigma is enough for every epsilon. Arguments as for
// Sigma.
func (c Calibration) Epsilon(delta, sigma, sensitivity float64) (float64, error) {
	if err := c.checkDelta(delta); err != nil {
		return 0, err
	}
	if c == Analytic {
		return Epsilon(delta, sigma, sensitivity)
	}
	a, err := signalToNoise(sigma, sensitivity)
	if err != nil {
		return 0, err
	}
	return a * (normalTailInverse(delta) + a/2), nil
}

// analyticArgument solves the exact curve for x at a given epsilon.
func analyticArgument(epsilon, delta float64) float64 {
	start := -normalTailInverse((1 - delta) / 2) // the root as epsilon -> 0
	return rootOfLogDelta(delta, start, func(x float64) (value, slope float64) {
		y := math.Hypot(x, math.Sqrt(2*epsilon))
		a := 1 / noisePerSensitivity(x, epsilon)
		l := logDelta(x, a)
		// d delta/dx at fixed epsilon is -phi(x) a/y.
		return l, -math.Exp(-x*x/2-logSqrt2Pi-l) * a / y
	})
}

// noisePerSensitivity is (x + sqrt(x^2+2 epsilon))/(2 epsilon), in the form without cancellation for the sign of x.
func noisePerSensitivity(x, epsilon float64) float64 {
	root := math.Hypot(x, math.Sqrt(2*epsilon))
	if x < 0 {
		return 1 / (root - x)
	}
	return (x + root) / (2 * epsilon)
}
