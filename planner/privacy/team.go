package privacy

import (
	"fmt"
	"math"
	"slices"
)

// Team is the goals of several agents that perturb their rewards independently with the same sigma: all goals
// survive with the product of the agents' probabilities.
type Team []*Goals

// Probability is the exact probability that every agent's goals survive.
func (t Team) Probability(sigma float64) (float64, error) {
	product := 1.0
	for i, g := range t {
		p, err := g.Probability(sigma)
		if err != nil {
			return 0, fmt.Errorf("agent %d: %w", i, err)
		}
		product *= p
	}
	return product, nil
}

// extremeLogSigma is the log of a noise, in units of the rewards' spread, at which survival is pure chance; at
// its negative only ties decide.
const extremeLogSigma = 30.0

// LargestSigma returns the largest standard deviation at which all goals survive with at least the given
// probability, to 1e-12. Survival falls steadily from its value without noise (1, or less if entries of
// different sets are tied) to its value under noise alone; a probability outside this range is refused.
//
// (It falls because the set of noises that keep an order is a cone around the rewards: scaling the rewards up
// only moves them deeper into the cone.)
func (t Team) LargestSigma(probability float64) (float64, error) {
	if err := checkBetween("survival probability", probability, 0, 1); err != nil {
		return 0, err
	}
	unit := t.spread()
	if unit == 0 {
		return 0, fmt.Errorf("privacy: survival does not depend on the noise; all entries are tied or the goals are " +
			"trivial")
	}
	if _, err := t.Probability(unit); err != nil {
		return 0, err
	}
	// Then it succeeds at every other positive sigma too.
	excess := func(logSigma float64) float64 {
		p, _ := t.Probability(unit * math.Exp(logSigma))
		return p - probability
	}
	quiet, loud := excess(-extremeLogSigma), excess(extremeLogSigma)
	if quiet <= 0 || loud >= 0 {
		return 0, fmt.Errorf("privacy: survival probability is %g; noise only moves it between %g and %g", probability,
			loud+probability, quiet+probability)
	}
	return unit * math.Exp(fallingRoot(excess, -extremeLogSigma, extremeLogSigma, quiet, loud)), nil
}

// spread is the largest distance between entries of an agent whose goals are not certain; 0 if there is no such agent.
func (t Team) spread() float64 {
	spread := 0.0
	for _, g := range t {
		if !g.certain() {
			all := slices.Concat(g.lower, g.middle, g.upper)
			spread = math.Max(spread, all[len(all)-1].value-all[0].value)
		}
	}
	return spread
}

// EpsilonForSurvival returns the smallest epsilon, so the largest privacy, at which all goals survive with at least the
// given probability: the epsilon of LargestSigma. delta as the calibration allows, adjacency above 0.
func (t Team) EpsilonForSurvival(c Calibration, probability, delta, adjacency float64) (float64, error) {
	if err := checkPositive("adjacency", adjacency); err != nil {
		return 0, err
	}
	sigma, err := t.LargestSigma(probability)
	if err != nil {
		return 0, err
	}
	return c.Epsilon(delta, sigma, adjacency)
}

// fallingRoot solves f = 0 between low and high, where f falls from atLow > 0 to atHigh < 0: false position
// with the Illinois rule (Dowell and Jarratt 1971), after bisection to a bracket in which f is no step.
func fallingRoot(f func(float64) float64, low, high, atLow, atHigh float64) float64 {
	side := 0
	for range maxRootSteps {
		x := low + (high-low)*atLow/(atLow-atHigh)
		if high-low > 1 || !(x > low && x < high) {
			x = low + (high-low)/2
		}
		y := f(x)
		if math.Abs(y) <= fallingRootTolerance || high-low <= fallingRootTolerance {
			return x
		}
		if y > 0 {
			low, atLow = x, y
			if side == 1 {
				atHigh /= 2
			}
			side = 1
		} else {
			high, atHigh = x, y
			if side == -1 {
				atLow /= 2
			}
			side = -1
		}
	}
	return low
}

// Probabilities are known to about 1e-15 here.
const fallingRootTolerance = 1e-14
