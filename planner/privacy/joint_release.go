package privacy

import (
	"fmt"
	"math"
	"math/big"
)

// A discrete Gaussian of sigma steps around an integer m, with sigma^2 = tau^2 + smoothing^2, is a randomly
// rounded continuous Gaussian of standard deviation tau: draw x from N(m, tau^2), and y from the discrete
// Gaussian of standard deviation smoothing around x. The probability of y is
//
//	integral of g_tau(x-m) exp(-(y-x)^2/(2 smoothing^2)) / Z(x) dx,
//	Z(x) = sum over whole k of exp(-(k-x)^2/(2 smoothing^2)),
//
// and by Poisson summation Z is sqrt(2 pi) smoothing (1 + 2 sum over j > 0 of exp(-2 pi^2 smoothing^2 j^2) cos(2 pi j
// x)), constant within a factor of 1 +- 1.1e-34 at smoothing 2. Without that factor the integral is the normal density
// of variance sigma^2 at y-m, and so is the discrete Gaussian's probability within another such factor. So every
// property of independent normals of tau, for anything computed from them and for any number of consecutive releases,
// also holds for independent discrete Gaussians of sigma, up to a factor of exp(1e-33) for every entry in which
// neighbouring tables differ (Peikert 2010 has the lattices). For one entry in 10^9 tables the factor is exp(1e-24).
const (
	smoothing = 2.0
	// smoothingMargin is far larger than those factors and the rounding of the evaluation.
	smoothingMargin = 1e-9
	// leastSmoothed limits the reduction of sigma by smoothing to 4 %.
	leastSmoothed = 8.0
)

// normal returns the tau of a discrete Gaussian, which is at least as private as normals of that standard deviation.
func (g DiscreteGaussian) normal() (tau float64, err error) {
	sigma := g.sigma()
	if sigma < leastSmoothed {
		return 0, fmt.Errorf("privacy: sigma on the grid is %g steps; it must be at least %g; use a finer grid", sigma,
			leastSmoothed)
	}
	return math.Sqrt(sigma*sigma - smoothing*smoothing), nil
}

// movedDelta is a certified upper bound on the delta of the noise for tables that differ in at most moved
// entries by at most the given number of steps each.
func (g DiscreteGaussian) movedDelta(epsilon float64, steps int64, moved int) (float64, error) {
	if moved == 1 {
		return g.Delta(epsilon, steps)
	}
	tau, err := g.normal()
	if err != nil {
		return 0, err
	}
	delta, err := Delta(max(0, epsilon-smoothingMargin), tau, float64(steps)*math.Sqrt(float64(moved)))
	return min(1, max(leastCertified, delta*(1+smoothingMargin))), err
}

// Mu returns a certified mu at which the release is mu-Gaussian differentially private (Dong, Roth and Su
// 2022): it is at least as hard to distinguish neighbouring tables as N(0, 1) and N(mu, 1). Such releases of
// the same rewards compose exactly, to the root of the sum of their squares, also if each is chosen after
// seeing those before. It returns an error if the noise is below 8 steps of the grid.
func (r Released) Mu() (float64, error) {
	noise := discreteGaussian(r.SigmaNumerator, r.SigmaDenominator)
	tau, err := noise.normal()
	if err != nil {
		return 0, err
	}
	const rounding = 1e-15
	return float64(r.Sensitivity) * math.Sqrt(float64(r.Moved)) / tau * (1 + rounding), nil
}

// MuLeft returns the largest mu of a further release with which all releases together spend at most (epsilon,
// delta); 0 if nothing is left.
func MuLeft(epsilon, delta float64, mus ...float64) (float64, error) {
	spent := 0.0
	for _, mu := range mus {
		spent = math.Hypot(spent, mu)
	}
	sigma, err := Analytic.Sigma(max(epsilon-2*smoothingMargin, epsilon/2), delta/(1+2*smoothingMargin), 1)
	if err != nil || 1/sigma <= spent {
		return 0, err
	}
	return math.Sqrt((1/sigma - spent) * (1/sigma + spent)), nil
}

// JointGrid suggests a grid step for ReleaseJoint: the largest b/(N 2^k), k > 0, that is at most sigma/1024.
func (g Guarantee) JointGrid(s Shape) (float64, error) {
	sigma, err := g.SigmaOf(OutputPerturbation{ExactL2}, s)
	if err != nil {
		return 0, err
	}
	share := g.Adjacency / float64(s.Agents())
	// The adjacency must be at most an integer number of steps.
	if math.FMA(share, float64(s.Agents()), -g.Adjacency) < 0 {
		share = math.Nextafter(share, math.Inf(1))
	}
	grid := share / 2
	for grid*suggestedSteps > sigma {
		grid /= 2
	}
	return grid, nil
}

// ReleaseJoint privatizes the joint reward of a team for publication, at the listed entries, as Release does an
// agent's own table; Algorithm 2 adds noise to the same reward. It forms the mean of the agents' rewards and
// rounds it to the grid, both exactly. A change of one agent's reward by the adjacency b moves up to Mu joint
// rewards by b/N each, hence by ceil(b/(N grid)) steps, see Release; the noise is at least as private as
// normals, for which only the L2 distance counts.
//
// For a team of several agents, sigma must be at least 8 steps of the grid and the grid at most b/N.
func ReleaseJoint(rewards *Rewards, entries []int, guarantee Guarantee, grid float64, entropy *Entropy) (Released,
	error) {
	if err := checkAtLeast("number of rewards", len(entries), 1); err != nil {
		return Released{}, err
	}
	r := Released{Guarantee: guarantee, Grid: grid, Moved: rewards.Mu(), Steps: make([]int64, len(entries))}
	noise, err := r.calibrate(rewards.Agents())
	if err != nil {
		return Released{}, err
	}
	step := new(big.Rat).SetFloat64(grid)
	step.Mul(step, big.NewRat(int64(rewards.Agents()), 1))
	for i, entry := range entries {
		if math.IsInf(rewards.Joint[entry], 0) || math.IsNaN(rewards.Joint[entry]) {
			return Released{}, errNotFinite
		}
		steps := roundHalfUp(new(big.Rat).Quo(rewards.sum(entry), step))
		if !steps.IsInt64() || steps.Int64() > farthestEntry || steps.Int64() < -farthestEntry {
			return Released{}, errOffGrid
		}
		r.Steps[i] = steps.Int64()
	}
	r.add(noise, entropy)
	return r, nil
}

// sum returns the exact sum of the agents' rewards at a joint entry.
func (r *Rewards) sum(entry int) *big.Rat {
	state, action := entry/r.JointActions(), entry%r.JointActions()
	sum, one := new(big.Rat), new(big.Rat)
	for i := r.Agents() - 1; i >= 0; i-- {
		m := r.Actions(i)
		sum.Add(sum, one.SetFloat64(r.Tables[i][state*m+action%m]))
		action /= m
	}
	return sum
}
