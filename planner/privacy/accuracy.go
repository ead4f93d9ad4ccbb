package privacy

import "math"

// The distance by which input perturbation moves the joint reward: the expected largest absolute error E max_{s,a}
// |r~(s,a) - r(s,a)|. The error of each joint entry is normal with standard deviation sigma/sqrt(N), so all results
// here are in units of sigma. Entries that share a local action share its noise; MaxErrorIndependent ignores this and
// is slightly larger than the true value, which Shape.SimulatedMaxError estimates.

// MaxErrorBound returns Theorem 3's constant
//
//	C = sqrt(2/(N pi)) + sqrt((1-2/pi)(nm-1)/N),
//
// so that the expected largest error is at most C sigma, for N agents and nm joint entries, both at least 1.
func MaxErrorBound(agents, entries int) (float64, error) {
	if err := checkAgentsAndEntries(agents, entries); err != nil {
		return 0, err
	}
	return (sqrt2OverPi + arnoldSpread(entries)) / math.Sqrt(float64(agents)), nil
}

// arnoldSpread is sqrt((1-2/pi)(k-1)), the most by which the largest of k
// folded normals may exceed its mean on average (Arnold and Groeneveld 1979).
func arnoldSpread(entries int) float64 {
	return math.Sqrt((1 - 2/math.Pi) * float64(entries-1))
}

// MaxErrorLogBound returns sqrt(2 ln(2 nm)/N): the expected largest error is at most this times sigma, by the maximal
// inequality for 2nm sub-Gaussians whatever their correlation. It grows with sqrt(log nm) instead of sqrt(nm).
func MaxErrorLogBound(agents, entries int) (float64, error) {
	if err := checkAgentsAndEntries(agents, entries); err != nil {
		return 0, err
	}
	return math.Sqrt(2 * (math.Ln2 + math.Log(float64(entries))) / float64(agents)), nil
}

// MaxErrorIndependent returns the expected largest error of nm independent
// entries in units of sigma, to 1e-13 relative:
//
//	1/sqrt(N) times the integral over t > 0 of 1 - (1-2Q(t))^nm.
func MaxErrorIndependent(agents, entries int) (float64, error) {
	if err := checkAgentsAndEntries(agents, entries); err != nil {
		return 0, err
	}
	by := make([]float64, agents+1)
	by[agents] = float64(entries)
	return maxErrorIndependent(by), nil
}

// maxErrorIndependent is MaxErrorIndependent for entries that may have the noise of fewer than all agents, and
// so smaller errors: entries[k] is the number of joint entries with the noise of k agents.
func maxErrorIndependent(entries []float64) float64 {
	agents, all := float64(len(entries)-1), 0.0
	for _, count := range entries[1:] {
		all += count
	}
	exceeds := func(t float64) float64 {
		log := 0.0
		for active, count := range entries {
			if active > 0 && count > 0 {
				log += count * math.Log1p(-2*normalTail(t*math.Sqrt(agents/float64(active))))
			}
		}
		return -math.Expm1(log)
	}
	end := normalTailInverse(negligible / (2 * all))
	return integrate(exceeds, 0, end, quadraturePanel, quadratureTolerance) / math.Sqrt(agents)
}

// Quadrature in units of the noise: probabilities below negligible cannot change a double near 1; half a standard
// deviation resolves the steepest distribution of an extreme, which narrows only with sqrt(log); the tolerance leaves a
// hundredfold margin to the promised 1e-12.
const (
	negligible          = 1e-18
	quadraturePanel     = 0.5
	quadratureTolerance = 1e-14
)

func checkAgentsAndEntries(agents, entries int) error {
	if err := checkAtLeast("number of agents", agents, 1); err != nil {
		return err
	}
	return checkAtLeast("number of joint entries", entries, 1)
}

// CorollaryEpsilon returns Corollary 1's smallest epsilon that keeps the bound
// of Theorem 3 at or below maxError (in reward units),
//
//	C^2 b^2/(2 A^2) + C b Qinv(delta)/A,
//
// delta in (0, 1/2). It is EpsilonForError for Classical and MaxErrorBound.
func CorollaryEpsilon(maxError, delta, adjacency float64, agents, entries int) (float64, error) {
	bound, err := MaxErrorBound(agents, entries)
	if err != nil {
		return 0, err
	}
	return EpsilonForError(Classical, bound, maxError, delta, adjacency)
}

// EpsilonForError returns the smallest epsilon, so the largest privacy, that keeps an error of perSigma standard
// deviations at or below maxError (in reward units): the epsilon of sigma = maxError/perSigma. perSigma is any of the
// measures above; delta as the calibration allows.
func EpsilonForError(c Calibration, perSigma, maxError, delta, adjacency float64) (float64, error) {
	if err := checkPositive("error per sigma", perSigma); err != nil {
		return 0, err
	}
	if err := checkPositive("largest allowed error", maxError); err != nil {
		return 0, err
	}
	if err := checkPositive("adjacency", adjacency); err != nil {
		return 0, err
	}
	return c.Epsilon(delta, maxError/perSigma, adjacency)
}
