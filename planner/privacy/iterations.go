package privacy

import (
	"context"
	"fmt"
	"math"
)

// Convergence is the precision of value iteration whose cost Theorems 4 and 6 count: discount gamma in (0, 1), and
// every value within eta/2 of its exact value, eta > 0 in reward units. One sweep visits the nm joint rewards once.
type Convergence struct {
	Gamma, Eta float64
}

func (v Convergence) check() error {
	if err := checkBetween("discount gamma", v.Gamma, 0, 1); err != nil {
		return err
	}
	return checkPositive("accuracy eta", v.Eta)
}

// sweeps is log(4 R/(eta (1-gamma)^2))/log(1/gamma), unrounded.
func (v Convergence) sweeps(largest float64) float64 {
	return (math.Log(4*largest/v.Eta) - 2*math.Log1p(-v.Gamma)) / -math.Log(v.Gamma)
}

// largestFor is the largest absolute reward that needs exactly k sweeps, unrounded: the inverse of sweeps.
func (v Convergence) largestFor(k float64) float64 {
	return math.Exp(2*math.Log1p(-v.Gamma)-k*math.Log(v.Gamma)) * v.Eta / 4
}

// Sweeps returns Theorem 4's number of sweeps for rewards of largest absolute value rmax > 0,
//
//	K = ceil( log(4 rmax/(eta (1-gamma)^2)) / log(1/gamma) ),
//
// K1 for the true rewards and K2 for the private ones. It is 0 if the formula is negative, because then no
// sweep is needed.
func (v Convergence) Sweeps(rmax float64) (int, error) {
	if err := v.check(); err != nil {
		return 0, err
	}
	if err := checkPositive("largest absolute reward", rmax); err != nil {
		return 0, err
	}
	return int(math.Max(0, math.Ceil(v.sweeps(rmax)))), nil
}

// Theorem6Form names a version of Theorem 6's bound on the expected extra sweeps E[C]/(nm); the versions differ
// in their value of E max|z| and in rounding.
type Theorem6Form string

const (
	// Statement is the theorem as stated. It drops the folded normal's mean sqrt(2/(N pi)) sigma and is false for small
	// nm (for nm = 1 it allows one extra sweep whatever the noise).
	Statement Theorem6Form = "statement"
	// Proof is what the appendix proves, with the mean. It holds.
	Proof Theorem6Form = "proof"
	// Plotted is the paper's figure: the statement without its two ceilings,
	// log(1 + sigma t/rmax)/log(1/gamma) + 1. It does not depend on eta.
	Plotted Theorem6Form = "plotted"
)

func (f Theorem6Form) check() error {
	if f != Statement && f != Proof && f != Plotted {
		return fmt.Errorf("privacy: form of Theorem 6 is %q; it must be %q, %q or %q", string(f), Statement, Proof, Plotted)
	}
	return nil
}

// ExtraSweepsBound returns Theorem 6's bound on the expected number of extra sweeps that a policy of input-perturbed
// rewards takes; times nm it is the paper's bound on E[C]. sigma is the agents' noise, rmax > 0 the largest absolute
// joint reward.
//
// (The paper swaps names between Theorems 4 and 6: here, as in Theorem 6, C is private minus non-private.)
func (v Convergence) ExtraSweepsBound(form Theorem6Form, agents, entries int, sigma, rmax float64) (float64, error) {
	if err := checkAgentsAndEntries(agents, entries); err != nil {
		return 0, err
	}
	if err := form.check(); err != nil {
		return 0, err
	}
	if err := v.checkNoise(sigma, rmax); err != nil {
		return 0, err
	}
	perSigma := arnoldSpread(entries)
	if form == Proof {
		perSigma += sqrt2OverPi
	}
	growth := sigma * perSigma / math.Sqrt(float64(agents))
	if form == Plotted {
		return math.Log1p(growth/rmax)/-math.Log(v.Gamma) + 1, nil
	}
	return math.Ceil(v.sweeps(rmax+growth)) + 1 - math.Ceil(v.sweeps(rmax)), nil
}

func (v Convergence) checkNoise(sigma, rmax float64) error {
	if err := v.check(); err != nil {
		return err
	}
	if err := checkPositive("sigma", sigma); err != nil {
		return err
	}
	return checkPositive("largest absolute reward", rmax)
}

// Growth is the expected number of extra sweeps, E[K~] - K: Sweeps with the ceilings of Theorem 4, as a solver
// that follows the formula counts them, and WithoutCeilings without them, which does not depend on eta.
type Growth struct {
	Sweeps, WithoutCeilings float64
}

// ExtraSweepsIndependent returns the exact expected extra sweeps when independent normals of standard deviation
// sigma/sqrt(agents) are added to the joint reward, to 1e-10 of a sweep or the rounding of K. It is the exact value for
// Theorem 6 except for the correlation of entries that share a local action, which Shape.SimulatedExtraSweeps includes.
// It may be negative: noise much smaller than a single largest entry lowers the mean of its log. joint must not be all
// zero, and sigma at least 1e-12 of its largest entry. The time grows with the number of distinct entries.
func (v Convergence) ExtraSweepsIndependent(joint []float64, agents int, sigma float64) (Growth, error) {
	if err := checkFinite("joint reward", joint); err != nil {
		return Growth{}, err
	}
	if err := checkAtLeast("number of agents", agents, 1); err != nil {
		return Growth{}, err
	}
	rmax := largestAbsolute(joint)
	if err := v.checkNoise(sigma, rmax); err != nil {
		return Growth{}, err
	}
	if err := checkLeastNoise(sigma, rmax); err != nil {
		return Growth{}, err
	}
	return v.growth(foldedMaximum{newFoldedGroup(joint, sigma/math.Sqrt(float64(agents)))}, rmax), nil
}

// growth returns the expected sweeps for a private joint reward with that largest absolute value, minus those for rmax.
func (v Convergence) growth(largest foldedMaximum, rmax float64) Growth {
	return Growth{
		Sweeps:          largest.meanSteps(v) - math.Ceil(v.sweeps(rmax)),
		WithoutCeilings: largest.meanLog(rmax) / -math.Log(v.Gamma),
	}
}

func checkLeastNoise(sigma, rmax float64) error {
	if sigma < leastNoise*rmax {
		return fmt.Errorf("privacy: sigma is %g, below %g of the largest reward %g; such noise cannot change the "+
			"sweeps; remove it", sigma, leastNoise, rmax)
	}
	return nil
}

// leastNoise keeps the noise well above the rounding error of the rewards.
const leastNoise = 1e-12

// SimulatedExtraSweeps estimates the expected extra sweeps of input perturbation with the true correlations of
// the joint reward, for several solvers on the same draws, with ceilings as in Growth.Sweeps or without.
// rewards holds one table per agent.
func (s Shape) SimulatedExtraSweeps(ctx context.Context, solvers []Convergence, rewards [][]float64, sigma float64,
	ceilings bool, draws int, noise *Noise) ([]SampleMean, error) {
	if err := s.checkRewards(rewards); err != nil {
		return nil, err
	}
	rmax := s.largestAbsolute(rewards)
	for _, v := range solvers {
		if err := v.checkNoise(sigma, rmax); err != nil {
			return nil, err
		}
	}
	extra := make([]Sample, len(solvers))
	err := s.simulateLargest(ctx, rewards, sigma, draws, noise, func(largest float64) {
		for i, v := range solvers {
			if ceilings {
				extra[i].Add(math.Ceil(v.sweeps(largest)) - math.Ceil(v.sweeps(rmax)))
			} else {
				extra[i].Add(v.sweeps(largest) - v.sweeps(rmax))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	means := make([]SampleMean, len(solvers))
	for i := range extra {
		means[i] = extra[i].Mean()
	}
	return means, nil
}
