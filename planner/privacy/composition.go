package privacy

import "math"

// Gaussian mechanisms compose exactly (Dong, Roth and Su 2022, Corollary 2): releases with noise sigma_1, ..., sigma_k
// of the same data at the same sensitivity are together as private as one release with noise
//
//	sigma = 1/sqrt(1/sigma_1^2 + ... + 1/sigma_k^2),
//
// also when each release is chosen after seeing the ones before. k releases with fresh noise are therefore one
// mechanism at sigma/sqrt(k), and their budget is read off the same exact curve; adding epsilons up would charge more.

// ReleasesSigma returns the standard deviation that each of k independent releases of the same reward needs so
// that all of them together are (epsilon, delta)-differentially private: sqrt(k) times that of a single
// release. The other arguments are those of Sigma.
func (c Calibration) ReleasesSigma(releases int, epsilon, delta, sensitivity float64) (float64, error) {
	if err := checkAtLeast("number of releases", releases, 1); err != nil {
		return 0, err
	}
	sigma, err := c.Sigma(epsilon, delta, sensitivity)
	return sigma * math.Sqrt(float64(releases)), err
}

// ReleasesEpsilon returns the epsilon that k independent releases, each with standard deviation sigma, spend
// together at a given delta. The other arguments are those of Epsilon.
func ReleasesEpsilon(releases int, delta, sigma, sensitivity float64) (float64, error) {
	if err := checkAtLeast("number of releases", releases, 1); err != nil {
		return 0, err
	}
	return Epsilon(delta, sigma/math.Sqrt(float64(releases)), sensitivity)
}

// ReleasesAllowed returns the number of independent releases, each with standard deviation sigma, that an (epsilon,
// delta) budget allows by the exact curve; 0 if it allows none. The result saturates at the largest int.
func ReleasesAllowed(epsilon, delta, sigma, sensitivity float64) (int, error) {
	single, err := Analytic.Sigma(epsilon, delta, sensitivity)
	if err != nil {
		return 0, err
	}
	if err := checkPositive("sigma", sigma); err != nil {
		return 0, err
	}
	// A budget meant for exactly k releases must not lose one to rounding.
	const rounding = 1e-12
	releases := sigma / single * (sigma / single) * (1 + rounding)
	if releases >= math.MaxInt {
		return math.MaxInt, nil
	}
	return int(releases), nil
}

// Sharing is a guarantee shared among several independent releases of the same rewards.
type Sharing struct {
	// Sigma is the noise of each release with which all together keep the guarantee.
	Sigma float64
	// Epsilon is the joint epsilon of all releases, at the guarantee's delta, if each has the noise of a single
	// release.
	Epsilon float64
	// Allowed is the number of releases with the noise of a single release that the guarantee allows.
	Allowed int
}

// Share shares the guarantee among k >= 1 releases.
func (g Guarantee) Share(releases int) (Sharing, error) {
	alone, err := g.Sigma()
	if err != nil {
		return Sharing{}, err
	}
	var s Sharing
	if s.Sigma, err = g.Calibration.ReleasesSigma(releases, g.Epsilon, g.Delta, g.Adjacency); err != nil {
		return Sharing{}, err
	}
	if s.Epsilon, err = ReleasesEpsilon(releases, g.Delta, alone, g.Adjacency); err != nil {
		return Sharing{}, err
	}
	s.Allowed, err = ReleasesAllowed(g.Epsilon, g.Delta, alone, g.Adjacency)
	return s, err
}
