package reproduce

import (
	"errors"
	"fmt"
	"slices"

	"veilpath/planner/privacy"
)

// The settings of Table 1, stated and not stated in the paper.
const (
	tableDelta, tableAdjacency = 0.01, 1
	tableActions               = 4 // of every agent
	tableReading               = "δ = 0.01, b = 1, m_i = 4"
)

// tableSigma returns Lemma 1's noise for a sensitivity.
func tableSigma(sensitivity, epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, tableDelta, sensitivity)
}

// outputSigma returns the noise of Algorithm 2 with the paper's L1 bound.
func outputSigma(agents int, epsilon float64) (float64, error) {
	shape, err := privacy.NewShape(1, slices.Repeat([]int{tableActions}, agents))
	if err != nil {
		return 0, err
	}
	sensitivity, err := shape.OutputSensitivity(tableAdjacency, privacy.L1Bound)
	if err != nil {
		return 0, err
	}
	return tableSigma(sensitivity, epsilon)
}

// The settings of the figures of Theorem 3 and Corollary 1. The number of agents is not stated.
const (
	errorDelta, errorAdjacency = 0.01, 1
	errorEntries               = 8
	errorAgents                = 2
	// errorDraws is the sample size of a point of the "True" curve, inferred from its scatter.
	errorDraws = 10_000
)

func errorSigma(epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, errorDelta, errorAdjacency)
}

// errorBound returns Theorem 3's bound at an epsilon.
func errorBound(n Number) (float64, error) {
	perSigma, err := privacy.MaxErrorBound(errorAgents, errorEntries)
	if err != nil {
		return 0, err
	}
	sigma, err := errorSigma(n.X)
	return perSigma * sigma, err
}

const (
	// survivalDraws is the sample size of a point of the figure of Theorem 5: its values are multiples of 1/100000,
	// except some that miss a draw or two.
	survivalDraws = 100_000
	// survivalSigma is the noise of that figure. The paper states neither epsilon nor delta nor b there.
	survivalSigma = 1
)

// gapGoals returns the goals of a table with one entry above some tied others.
func gapGoals(gap float64, competitors int) (*privacy.Goals, error) {
	reward := make([]float64, 1+competitors)
	reward[0] = gap
	return privacy.NewGoals(reward, 1, 0)
}

// survivalBound returns Theorem 5's bound at a gap.
func survivalBound(n Number) (float64, error) {
	goals, err := gapGoals(n.X, 1)
	if err != nil {
		return 0, err
	}
	return goals.Bound(survivalSigma)
}

// survival returns the probability that a goal survives two competitors, which the paper does not state.
func survival(n Number) (float64, error) {
	goals, err := gapGoals(n.X, 2)
	if err != nil {
		return 0, err
	}
	return goals.Probability(survivalSigma)
}

// The settings of the figures of Theorem 6. The number of agents is not stated; n = m = 16 is.
const (
	sweepDelta, sweepAdjacency = 0.1, 1
	sweepAgents                = 2     // as in Example 2
	sweepStates, sweepActions  = 16, 4 // m = 16 joint actions
	sweepEntries               = 256
	sweepGamma, sweepEta       = 0.99, 1e-8
	plottedGamma               = 0.9
	// sweepDraws is the sample size of a point of the "True" curve, inferred from its scatter.
	sweepDraws = 1000
)

func sweepSigma(epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, sweepDelta, sweepAdjacency)
}

// sweepBounds returns Theorem 6 as stated and as it is plotted, in look-ups of the joint reward.
func sweepBounds(rmax float64) []formula {
	bound := func(gamma float64, form privacy.Theorem6Form) func(Number) (float64, error) {
		return func(n Number) (float64, error) {
			sigma, err := sweepSigma(n.X)
			if err != nil {
				return 0, err
			}
			sweeps, err := privacy.Convergence{Gamma: gamma, Eta: sweepEta}.ExtraSweepsBound(form, sweepAgents,
				sweepEntries, sigma, rmax)
			return sweepEntries * sweeps, err
		}
	}
	return []formula{
		{"γ = 0.99, η = 1e-8, as stated", "", bound(sweepGamma, privacy.Statement)},
		{"γ = 0.9 without ceilings", "γ = 0.9 instead of 0.99, and no ceilings", bound(plottedGamma, privacy.Plotted)},
	}
}

// peakedJoint returns a joint reward with one entry rmax and all others -rmax, as in the caption of the figures of
// Theorem 6.
func peakedJoint(entries int, rmax float64) []float64 {
	joint := slices.Repeat([]float64{-rmax}, entries)
	joint[0] = rmax
	return joint
}

// statedAdjacency is the paper's b in Examples 1 and 2.
const statedAdjacency = 2

// changedAdjacency describes the change of a reading with another b.
func changedAdjacency(b float64) string {
	if b == statedAdjacency {
		return ""
	}
	return fmt.Sprintf("b = %g instead of %g", b, float64(statedAdjacency))
}

// worldSigma returns the noise of Example 2.
func (b *bench) worldSigma(adjacency, epsilon float64) (float64, error) {
	g := b.Example2.Guarantee
	g.Epsilon, g.Adjacency = epsilon, adjacency
	return g.Sigma()
}

// goalSurvival returns Theorem 5's bound in Example 2.
func (b *bench) goalSurvival(adjacency float64) formula {
	return formula{fmt.Sprintf("δ = 0.1, b = %g", adjacency), changedAdjacency(adjacency),
		func(n Number) (float64, error) {
			sigma, err := b.worldSigma(adjacency, n.X)
			if err != nil {
				return 0, err
			}
			world := b.Example2.World(n.RMax)
			goals, err := gapGoals(world.Reward-world.OtherReward, 1)
			if err != nil {
				return 0, err
			}
			return goals.Bound(sigma)
		}}
}

// boundIncrease returns Theorem 6's bound in Example 2, in percent of the sweeps without privacy.
func (b *bench) boundIncrease(adjacency float64) formula {
	name := fmt.Sprintf("b = %g, γ = %g, η = 1e-8, form of the statement; γ and η are not stated", adjacency, sweepGamma)
	return formula{name, changedAdjacency(adjacency), func(n Number) (float64, error) {
		sigma, err := b.worldSigma(adjacency, n.X)
		if err != nil {
			return 0, err
		}
		return increase(n.RMax, func(solver privacy.Convergence) (float64, error) {
			return solver.ExtraSweepsBound(privacy.Statement, 2, lookups, sigma, n.RMax)
		})
	}}
}

// peakIncrease returns the exact increase in the figure of Theorem 6, in percent.
func peakIncrease(n Number) (float64, error) {
	sigma, err := sweepSigma(n.X)
	if err != nil {
		return 0, err
	}
	return increase(n.RMax, func(solver privacy.Convergence) (float64, error) {
		extra, err := solver.ExtraSweepsIndependent(peakedJoint(sweepEntries, n.RMax), sweepAgents, sigma)
		return extra.Sweeps, err
	})
}

// increase returns extra sweeps in percent of the sweeps without privacy.
func increase(rmax float64, extra func(privacy.Convergence) (float64, error)) (float64, error) {
	solver := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta}
	base, err := solver.Sweeps(rmax)
	if err != nil {
		return 0, err
	}
	more, err := extra(solver)
	return 100 * more / float64(base), err
}

// printedIncrease returns the increase in iterations by the printed counts, in percent.
func printedIncrease(Number) (float64, error) {
	plain, err := scalar("ex2_nonprivate_iterations", "")
	if err != nil {
		return 0, err
	}
	mean, err := scalar("ex2_private_mean_iterations_eps1.3", "")
	return 100 * (mean.Published - plain.Published) / plain.Published, err
}

// The published curves that the text quotes.
const (
	costFile   = "fig_ex2_cost_vs_eps"
	flightFile = "fig_ex3_detection_distance_vs_eps"
)

// readOff returns the row of a number of the text that the figure of an example shows too.
func readOff(quantity, name string, epsilon float64, example string, at func(Number) (float64, error)) row {
	return row{item: "scalars", quantity: quantity, rule: rule{itself: true},
		from:     source{scalars: []scalarPlace{{name: name, epsilon: epsilon}}},
		readings: []formula{{"read off the figure of " + example, "", at}}}
}

// printedIn returns a function that reads a curve of a figure at an epsilon.
func printedIn(file, y string) func(Number) (float64, error) {
	return func(n Number) (float64, error) {
		p, err := open(file)
		if err != nil {
			return 0, err
		}
		numbers, err := p.numbersAt("eps", y, "", []float64{n.X})
		if err != nil {
			return 0, err
		}
		return numbers[0].Published, nil
	}
}

// matchingEpsilon returns the smallest plotted epsilon at which output perturbation costs at most what input
// perturbation costs at a given epsilon.
func matchingEpsilon(n Number) (float64, error) {
	input, err := printedIn(costFile, "input_rmax5_cost_percent")(n)
	if err != nil {
		return 0, err
	}
	p, err := open(costFile)
	if err != nil {
		return 0, err
	}
	numbers, err := p.numbers("eps", "output_rmax5_cost_percent", "", true)
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		if n.Published <= input {
			return n.X, nil
		}
	}
	return 0, errors.New("output perturbation costs more everywhere in the figure of Example 2")
}

// improvement returns how much nearer to the target the vehicle is recognised with privacy, km.
func improvement(n Number) (float64, error) {
	private, err := printedIn(flightFile, "private_mean_detection_distance_km")(n)
	if err != nil {
		return 0, err
	}
	direct, err := printedIn(flightFile, "nonprivate_detection_distance_km")(n)
	return direct - private, err
}
