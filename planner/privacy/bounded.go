package privacy

import (
	"fmt"
	"math"
)

// BoundedGaussian replaces every reward by a draw from a normal around it that is cut off at the ends of the
// range of rewards (Chen and Hale 2022, arXiv 2211.17230): every agent's own, as Algorithm 1 does, or the joint
// ones, as Algorithm 2 does. A private reward lies in the range, as true ones do.
//
// It protects one entry of the reward of one agent, which may differ by at most the adjacency b within the range
// [l, u]. The range is public, and neither end may depend on the rewards: take what is known without them, such
// as the size of a map. That every reward lies in it is public as well. It is (epsilon, 0)-differentially
// private, with the smallest sigma that is, by the following proof.
//
// A draw x for a reward s has the density phi((x-s)/sigma)/(sigma Z(s)) on [l, u], where Z(s) = Phi((u-s)/sigma)
// - Phi((l-s)/sigma) depends on the reward. So to cut off the normal is no post-processing of a Gaussian
// mechanism, and its sigma is no guarantee here. The logarithm of two densities' ratio, for s and s+c, falls with
// x if c > 0; at x = l it is
//
//	the integral of m(t)/sigma^2 over t in [s, s+c],    m(t) = E[x|t] - l > 0,
//
// since d/dt log phi((l-t)/sigma) = (l-t)/sigma^2 and d/dt log Z(t) = (E[x|t]-t)/sigma^2. E[x|t] grows with t, at
// the rate Var[x|t]/sigma^2. So the largest ratio is that of s+c = u and the largest c, D. By symmetry it is the
// largest for c < 0 too. With w = u - l and D <= w,
//
//	epsilon(sigma) = D (w - D/2)/sigma^2 + log(Z(u)/Z(u-D)).
//
// An agent's own reward has D = b, and one entry changes. Of the joint reward of N agents, [Shape.Mu] entries
// change by D = b/N, all of which may be at the end of the range, and the logarithms add up. Neither delta nor
// the calibration is used.
//
// To bound both parts where each is worst, as the paper's theorem does, gives D (w + D/2)/sigma^2 +
// log(Z(l+D)/Z(l)), which holds too, with a sigma that is sqrt(3) times larger for small epsilon.
type BoundedGaussian struct {
	Output bool // perturbs the joint reward
}

func (m BoundedGaussian) Name() string {
	if m.Output {
		return "bounded-output"
	}
	return "bounded"
}

func (m BoundedGaussian) Meaning() string {
	if m.Output {
		return "draws every joint reward from a normal that is cut off at the ends of its range"
	}
	return "draws every agent's own rewards from normals that are cut off at the ends of their range"
}

func (m BoundedGaussian) Promise() Promise {
	return Promise{Protects: "one entry of one agent's reward", Neighbours: rewardNeighbours +
		", both in privacy.reward_range", Guarantee: "(epsilon, 0)", Pure: true, Aggregator: m.Output,
		Source: "Chen and Hale 2022, arXiv 2211.17230; calibrated exactly"}
}

// shift returns the largest change of an entry within the range, and how many entries may change.
func (m BoundedGaussian) shift(s Shape, g Guarantee) (change float64, entries int, err error) {
	width := g.Range.High - g.Range.Low
	if !(width > 0) || math.IsInf(width, 1) {
		known := fmt.Sprintf("[%g, %g]", g.Range.Low, g.Range.High)
		if g.Range == (Range{}) {
			known = "not given"
		}
		return 0, 0, fmt.Errorf("privacy: mechanism %s draws rewards from the range that they are known to lie in, "+
			"which is %s; set privacy.reward_range to numbers [LOW, HIGH] that do not depend on the rewards", m.Name(),
			known)
	}
	change, entries = g.Adjacency, 1
	if m.Output {
		change, entries = g.Adjacency/float64(s.Agents()), s.Mu()
	}
	return min(change, width), entries, checkPositive("adjacency", g.Adjacency)
}

// Sigma returns the standard deviation of the normals before they are cut off.
func (m BoundedGaussian) Sigma(s Shape, g Guarantee) (float64, error) {
	if err := checkEpsilon(g.Epsilon); err != nil {
		return 0, err
	}
	change, entries, err := m.shift(s, g)
	if err != nil {
		return 0, err
	}
	width, epsilon := g.Range.High-g.Range.Low, g.Epsilon/float64(entries)
	// Z(u) <= Z(u-D) <= 2 Z(u), so that epsilon lies within log 2 of its first part.
	square := change * (width - change/2)
	low, high := math.Sqrt(square/(epsilon+math.Ln2)), math.Sqrt(square/epsilon)
	for range 64 { // halving log sigma leaves less than rounding
		if middle := math.Sqrt(low) * math.Sqrt(high); boundedEpsilon(middle, width, change) > epsilon {
			low = middle
		} else {
			high = middle
		}
	}
	return high, checkPositive("sigma", high)
}

// Epsilon returns the epsilon of a sigma.
func (m BoundedGaussian) Epsilon(s Shape, g Guarantee, sigma float64) (float64, error) {
	change, entries, err := m.shift(s, g)
	if err == nil {
		err = checkPositive("sigma", sigma)
	}
	return float64(entries) * boundedEpsilon(sigma, g.Range.High-g.Range.Low, change), err
}

// boundedEpsilon is epsilon(sigma) of one entry that changes within a range of that width.
func boundedEpsilon(sigma, width, change float64) float64 {
	exponent := change * (width - change/2) / (sigma * sigma)
	if sigma > width {
		// The density is nearly flat, and Z as a difference of Phi has lost its digits.
		bend := func(s float64) float64 {
			return gaussLegendre(func(x float64) float64 { return math.Expm1(-(x - s) * (x - s) / (2 * sigma * sigma)) }, 0,
				width) / width
		}
		return exponent + math.Log1p(bend(width)) - math.Log1p(bend(width-change))
	}
	root := sigma * math.Sqrt2
	return exponent + math.Log(math.Erf(width/root)/(math.Erf(change/root)+math.Erf((width-change)/root)))
}

// Privatize implements Mechanism. A reward outside of the range is an error.
func (m BoundedGaussian) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	sigma, err := m.Sigma(r.Shape, g)
	if err != nil {
		return err
	}
	for _, table := range r.Tables {
		for _, reward := range table {
			if !math.IsInf(reward, -1) && (reward < g.Range.Low || reward > g.Range.High) {
				return fmt.Errorf("privacy: reward %g lies outside of [%g, %g], the range that rewards are known to lie in; set "+
					"privacy.reward_range to one that holds all that are possible", reward, g.Range.Low, g.Range.High)
			}
		}
	}
	r.eachEntry(dst, m.Output, func(reward float64) float64 {
		return truncatedNormal(reward, sigma, g.Range, openUniform(noise.word()))
	})
	return nil
}

func (BoundedGaussian) Confined() {}

func (m BoundedGaussian) Law(s Shape, g Guarantee) (func(reward, private float64) float64, error) {
	sigma, err := m.Sigma(s, g)
	return func(reward, private float64) float64 {
		low := normalTail((g.Range.Low - reward) / sigma)
		return (low - normalTail((private-reward)/sigma)) / (low - normalTail((g.Range.High-reward)/sigma))
	}, err
}

// truncatedNormal is the quantile, at u in (0, 1), of a normal whose mean lies in a range and that is cut off at
// the range's ends.
func truncatedNormal(mean, sigma float64, r Range, u float64) float64 {
	below, above := normalTail((r.Low-mean)/sigma), normalTail((r.High-mean)/sigma)
	x := mean + float64(sigma*normalTailInverse(below-float64(u*(below-above))))
	return max(r.Low, min(x, r.High)) // rounding
}
