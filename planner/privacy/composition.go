package privacy

import "math"

// Gaussian mechanisms compose exactly (Dong, Roth and Su 2022, Corollary 2):
// releases with noise sigma_1, ..., sigma_k of the same data at the same
// sensitivity are together as private as one release with noise
//
//	sigma = 1/sqrt(1/sigma_1^2 + ... + 1/sigma_k^2),
//
// also when each release is chosen after seeing the ones before. A campaign of
// k flights with fresh noise is therefore one mechanism at sigma/sqrt(k), and
// its budget is read off the same exact curve; adding epsilons up would charge
// more.

// ComposedSigma returns the standard deviation of the single release that is as
// private as releases with the given standard deviations together.
func ComposedSigma(sigmas ...float64) (float64, error) {
	if err := checkAtLeast("number of releases", len(sigmas), 1); err != nil {
		return 0, err
	}
	composed := math.Inf(1)
	for _, sigma := range sigmas {
		if err := checkPositive("sigma", sigma); err != nil {
			return 0, err
		}
		// Two at a time and without squares, so that nothing overflows.
		composed = math.Min(composed, sigma) / math.Hypot(1, math.Min(composed, sigma)/math.Max(composed, sigma))
	}
	return composed, nil
}

// CampaignSigma returns the standard deviation each of k independent releases
// of the same reward needs for all of them together to be
// (epsilon, delta)-differentially private: sqrt(k) times the one of a single
// release. Other arguments as for Sigma.
func (c Calibration) CampaignSigma(releases int, epsilon, delta, sensitivity float64) (float64, error) {
	if err := checkAtLeast("number of releases", releases, 1); err != nil {
		return 0, err
	}
	sigma, err := c.Sigma(epsilon, delta, sensitivity)
	return sigma * math.Sqrt(float64(releases)), err
}

// CampaignEpsilon returns the epsilon that k independent releases with standard
// deviation sigma each spend together at a given delta. Other arguments as for
// Epsilon.
func CampaignEpsilon(releases int, delta, sigma, sensitivity float64) (float64, error) {
	if err := checkAtLeast("number of releases", releases, 1); err != nil {
		return 0, err
	}
	return Epsilon(delta, sigma/math.Sqrt(float64(releases)), sensitivity)
}

// CampaignDelta returns the delta that k independent releases with standard
// deviation sigma each spend together at a given epsilon. Other arguments as
// for Delta.
func CampaignDelta(releases int, epsilon, sigma, sensitivity float64) (float64, error) {
	if err := checkAtLeast("number of releases", releases, 1); err != nil {
		return 0, err
	}
	return Delta(epsilon, sigma/math.Sqrt(float64(releases)), sensitivity)
}

// CampaignReleases returns how many independent releases with standard
// deviation sigma each an (epsilon, delta) budget allows, by the exact curve;
// 0 if not even one. The answer saturates at the largest int.
func CampaignReleases(epsilon, delta, sigma, sensitivity float64) (int, error) {
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

// Sharing is a guarantee shared among several independent releases of the same
// rewards.
type Sharing struct {
	// Sigma is the noise that each needs for the guarantee to hold for all together.
	Sigma float64
	// Epsilon is what they attain together, at the guarantee's delta, if each has
	// only the noise of a single release.
	Epsilon float64
	// Allowed is how many releases with the noise of a single one the guarantee
	// allows.
	Allowed int
}

// Share shares the guarantee among k >= 1 releases.
func (g Guarantee) Share(releases int) (Sharing, error) {
	alone, err := g.Sigma()
	if err != nil {
		return Sharing{}, err
	}
	var s Sharing
	if s.Sigma, err = g.Calibration.CampaignSigma(releases, g.Epsilon, g.Delta, g.Adjacency); err != nil {
		return Sharing{}, err
	}
	if s.Epsilon, err = CampaignEpsilon(releases, g.Delta, alone, g.Adjacency); err != nil {
		return Sharing{}, err
	}
	s.Allowed, err = CampaignReleases(g.Epsilon, g.Delta, alone, g.Adjacency)
	return s, err
}
