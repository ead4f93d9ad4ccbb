package privacy

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Guarantee is the guarantee for a reward table: (Epsilon, Delta) differential privacy for tables that differ
// in one entry by at most Adjacency (the paper's Definition 3), and the calibration of the noise.
type Guarantee struct {
	Epsilon, Delta, Adjacency float64
	Calibration               Calibration
	// Range holds all rewards, in public; for mechanisms that keep to it.
	Range Range
	// Rows says which rows of probabilities are neighbours; for mechanisms on those.
	Rows Rows
}

// Range is an interval.
type Range struct{ Low, High float64 }

// At returns the guarantee with another epsilon.
func (g Guarantee) At(epsilon float64) Guarantee {
	g.Epsilon = epsilon
	return g
}

// Sigma is the standard deviation of the Gaussian noise for the guarantee if one agent's own reward is
// perturbed (Algorithm 1).
func (g Guarantee) Sigma() (float64, error) {
	if err := checkPositive("adjacency", g.Adjacency); err != nil {
		return 0, err
	}
	return g.Calibration.Sigma(g.Epsilon, g.Delta, g.Adjacency)
}

// suggestedSteps is the least number of grid steps per sigma of a suggested grid: rounding then adds almost
// nothing to the noise.
const suggestedSteps = 1024

// Grid suggests a grid step for Release: the largest Adjacency/2^k that is at most sigma/1024. The adjacency is
// then an integer number of steps.
func (g Guarantee) Grid() (float64, error) {
	sigma, err := g.Sigma()
	if err != nil {
		return 0, err
	}
	grid := g.Adjacency
	for grid*suggestedSteps > sigma {
		grid /= 2
	}
	return grid, nil
}

// Released is a private reward table; all of its fields may be published.
type Released struct {
	Guarantee
	// Grid is the step; entry i is Steps[i] Grid.
	Grid  float64
	Steps []int64
	// Sensitivity is the largest difference of neighbouring tables in an entry, in steps, rounded up, and Moved
	// is the number of entries in which they differ: 1, or more for ReleaseJoint.
	Sensitivity int64
	Moved       int
	// SigmaNumerator/SigmaDenominator is the exact sigma of the noise in steps.
	SigmaNumerator, SigmaDenominator uint64
	// CertifiedDelta is a proven upper bound on the delta attained at Epsilon; it is at most Delta.
	CertifiedDelta float64
}

// Values returns the private rewards, Steps times Grid.
func (r Released) Values() []float64 {
	values := make([]float64, len(r.Steps))
	for i, k := range r.Steps {
		values[i] = float64(k) * r.Grid
	}
	return values
}

// Errors of rewards that cannot be released. They name neither the entry nor its value, because they may be published.
var (
	errNotFinite = errors.New("privacy: a reward is not finite")
	errOffGrid   = errors.New("privacy: a reward is more than 2^52 steps of the grid from zero; use a coarser grid")
)

// Release privatizes one agent's reward table for publication: every entry is rounded to the grid and gets
// discrete Gaussian noise drawn exactly from the system's randomness. Unlike the floating-point noise of
// Perturb, the result satisfies the guarantee on a real computer, and so does everything computed from it.
//
// The sensitivity on the grid is exactly ceil(b/grid) steps. Entries round to k(r) = floor(r/grid + 1/2), in exact
// rational arithmetic; k is monotone and k(r + K grid) = k(r) + K for integer K. If |r - r'| <= b and K = ceil(b/grid),
// then r' <= r + K grid, so k(r') <= k(r) + K, and the same with r and r' exchanged. (Rounding halves to even would not
// commute with odd K and could cost one more step.) Neighbouring tables differ in one entry and the noise of entries is
// independent, so the guarantee is that of one integer of sensitivity K: DiscreteGaussian.Delta. sigma starts from the
// calibration at sensitivity K grid and grows until its delta is certified to be at most Delta.
//
// grid must be at most sigma and at most the adjacency (a coarser grid would add more noise than privacy needs)
// and above sigma/2^27. Entries must be finite and within 2^52 steps of zero. Delta must be at
// least 1e-300; smaller values cannot be certified. No error reveals a reward or names an entry. The running time
// depends on the noise drawn; do not let an adversary measure it.
func Release(reward []float64, guarantee Guarantee, grid float64, entropy *Entropy) (Released, error) {
	if err := checkAtLeast("number of rewards", len(reward), 1); err != nil {
		return Released{}, err
	}
	r := Released{Guarantee: guarantee, Grid: grid, Moved: 1}
	noise, err := r.calibrate(1)
	if err != nil {
		return Released{}, err
	}
	r.Steps = make([]int64, len(reward))
	for i, v := range reward {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Released{}, errNotFinite
		}
		var within bool
		if r.Steps[i], within = roundToGrid(v, grid); !within {
			return Released{}, errOffGrid
		}
	}
	r.add(noise, entropy)
	return r, nil
}

// add adds noise to every entry.
func (r *Released) add(noise DiscreteGaussian, entropy *Entropy) {
	for i := range r.Steps {
		r.Steps[i] += noise.Sample(entropy)
	}
}

// calibrate finds the noise for tables whose entries move by at most Adjacency/shares, and sets the certified fields.
func (r *Released) calibrate(shares int) (DiscreteGaussian, error) {
	if err := checkPositive("grid", r.Grid); err != nil {
		return DiscreteGaussian{}, err
	}
	if r.Delta < leastCertified {
		return DiscreteGaussian{}, fmt.Errorf("privacy: delta is %g; it must be at least %g to be certified", r.Delta,
			leastCertified)
	}
	spread := math.Sqrt(float64(r.Moved))
	if err := checkPositive("adjacency", r.Adjacency); err != nil {
		return DiscreteGaussian{}, err
	}
	continuous, err := r.Calibration.Sigma(r.Epsilon, r.Delta, r.Adjacency/float64(shares)*spread)
	if err != nil {
		return DiscreteGaussian{}, err
	}
	finest, coarsest := 2*continuous/largestSigma, math.Min(continuous, r.Adjacency/float64(shares))
	if !(r.Grid > finest && r.Grid <= coarsest) {
		return DiscreteGaussian{}, fmt.Errorf("privacy: grid is %g; with noise of %g and adjacency %g it must be above %g "+
			"and at most %g", r.Grid, continuous, r.Adjacency, finest, coarsest)
	}
	if r.Sensitivity, err = stepsOf(r.Adjacency, r.Grid, shares); err != nil {
		return DiscreteGaussian{}, err
	}
	sigma, err := r.Calibration.Sigma(r.Epsilon, r.Delta, float64(r.Sensitivity)*spread)
	if err != nil {
		return DiscreteGaussian{}, err
	}
	if r.Moved > 1 {
		sigma = math.Hypot(sigma, smoothing)
	}
	noise, err := NewDiscreteGaussian(sigma)
	if err != nil {
		return DiscreteGaussian{}, err
	}
	for ; ; noise = noise.next() {
		if r.CertifiedDelta, err = noise.movedDelta(r.Epsilon, r.Sensitivity, r.Moved); err != nil {
			return DiscreteGaussian{}, err
		}
		if r.CertifiedDelta <= r.Delta {
			break
		}
	}
	r.SigmaNumerator, r.SigmaDenominator = noise.Sigma()
	return noise, nil
}

// stepsOf is ceil(length/(shares grid)), exactly.
func stepsOf(length, grid float64, shares int) (int64, error) {
	ratio := new(big.Rat).Quo(new(big.Rat).SetFloat64(length), new(big.Rat).SetFloat64(grid))
	ratio.Quo(ratio, big.NewRat(int64(shares), 1))
	steps := new(big.Int).Neg(ratio.Num())
	steps.Neg(steps.Div(steps, ratio.Denom())) // Div rounds down
	if !steps.IsInt64() || steps.Int64() > largestSteps {
		return 0, fmt.Errorf("privacy: adjacency %g is more than %d steps of the grid %g; use a coarser grid", length,
			int64(largestSteps), grid)
	}
	return steps.Int64(), nil
}

// farthestEntry keeps a rounded entry plus its noise exact as a float64.
const farthestEntry = 1 << 52

// roundToGrid returns floor(value/grid + 1/2), exactly, and whether the value is within farthestEntry steps of zero.
func roundToGrid(value, grid float64) (steps int64, within bool) {
	if math.Abs(value) > farthestEntry*grid {
		return 0, false
	}
	ratio := new(big.Rat).Quo(new(big.Rat).SetFloat64(value), new(big.Rat).SetFloat64(grid))
	return roundHalfUp(ratio).Int64(), true
}

// roundHalfUp is floor(ratio + 1/2); it changes the ratio.
func roundHalfUp(ratio *big.Rat) *big.Int {
	ratio.Add(ratio, big.NewRat(1, 2))
	return new(big.Int).Div(ratio.Num(), ratio.Denom()) // Div rounds down
}
