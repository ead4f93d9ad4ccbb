package audit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner/privacy"
)

// Claim is the promise of a mechanism: (Epsilon, Delta) differential privacy for tables that differ in one
// entry by at most Adjacency. Sigma is the standard deviation of its Gaussian noise, in reward units, or 0 for
// a mechanism that promises no more than (Epsilon, Delta).
type Claim struct {
	Epsilon, Delta, Adjacency, Sigma float64
}

// Check returns an error unless the promise makes sense: Epsilon and Adjacency above 0, Delta in [0, 1), above
// 0 for Gaussian noise.
func (c Claim) Check() error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case !positive(c.Epsilon):
		return fmt.Errorf("audit: epsilon is %g; it must be a finite number above 0", c.Epsilon)
	case !positive(c.Adjacency):
		return fmt.Errorf("audit: adjacency is %g; it must be a finite number above 0", c.Adjacency)
	case !(c.Delta >= 0 && c.Delta < 1):
		return fmt.Errorf("audit: delta is %g; it must be at least 0 and below 1", c.Delta)
	case c.Sigma != 0 && !positive(c.Sigma):
		return fmt.Errorf("audit: sigma is %g; it must be a finite number above 0, or 0 if no noise is "+
			"promised", c.Sigma)
	case c.Sigma > 0 && c.Delta == 0:
		return fmt.Errorf("audit: delta is 0; Gaussian noise needs a delta above 0")
	}
	return nil
}

// gaussian reports whether the promise includes Gaussian noise.
func (c Claim) gaussian() bool { return c.Sigma > 0 }

// Mu is b/sigma, the distance of neighbouring tables in standard deviations of the noise, which is the whole
// promise of Gaussian noise (Dong, Roth and Su 2022). NaN if no noise is promised.
func (c Claim) Mu() float64 {
	if !c.gaussian() {
		return math.NaN()
	}
	return c.Adjacency / c.Sigma
}

// Told is the largest probability with which any test tells which of two equally likely tables a release is of. Both
// errors of the best test are equal, because the trade-off curve is convex and symmetric.
func (c Claim) Told() float64 {
	if c.gaussian() {
		return distuv.UnitNormal.CDF(c.Mu() / 2)
	}
	return 1 - (1-c.Delta)/(1+math.Exp(c.Epsilon))
}

// Attained is the least epsilon of the promise at Delta: the exact epsilon of the noise, or Epsilon if no noise
// is promised.
func (c Claim) Attained() (float64, error) {
	if !c.gaussian() {
		return c.Epsilon, nil
	}
	return privacy.Epsilon(c.Delta, c.Sigma, c.Adjacency)
}

// FalseNegative is the least false negative rate of any test with the given false positive rate, in (0, 1): the
// trade-off curve of the promise.
func (c Claim) FalseNegative(falsePositive float64) float64 {
	if c.gaussian() {
		return distuv.UnitNormal.CDF(-distuv.UnitNormal.Quantile(falsePositive) - c.Mu())
	}
	// Of (Epsilon, Delta) alone: Kairouz, Oh and Viswanath 2015.
	return max(0, 1-c.Delta-math.Exp(c.Epsilon)*falsePositive, math.Exp(-c.Epsilon)*(1-c.Delta-falsePositive))
}
