package reproduce

import (
	"errors"
	"fmt"
	"slices"

	"veilpath/planner/privacy"
)

// scalarForm holds numbers of the text that are closed forms, with the formulas that may have produced them.
type scalarForm struct {
	quantity string
	numbers  []scalarPlace
	halfUnit float64 // precision of the numbers; 0 for that of the printed digits
	atMost   bool    // the text claims an upper limit
	itself   bool    // readings use other numbers of the paper
	readings []scalarFormula
}

// scalarPlace is a number of the text, by its name in the table of scalars, and the arguments of its formulas.
type scalarPlace struct {
	scalar, label string
	rmax, epsilon float64
}

// scalarFormula is a reading: a function from a place to the value.
type scalarFormula struct {
	name, change string
	at           func(rmax, epsilon float64) (float64, error)
}

// scalarForms lists the numbers of the text that are closed forms: Theorem 5 in Example 2, the increase in
// iterations, Theorem 6's bound in percent of the sweeps without privacy, numbers read from the paper's figures,
// and the claim about the figure of Theorem 6.
func (b *bench) scalarForms() []scalarForm {
	const fourDecimals = 5e-5
	const world, flight = "fig_ex2_cost_vs_eps", "fig_ex3_detection_distance_vs_eps"
	goal := b.Example2.GoalRewards[0]
	return []scalarForm{
		{quantity: "Theorem 5 in Example 2", halfUnit: fourDecimals,
			readings: []scalarFormula{b.goalSurvival(statedAdjacency), b.goalSurvival(1)},
			numbers: []scalarPlace{
				{"ex2_thm5_prob_rmax5_eps0.1", "R_max = 5, ε = 0.1", 5, 0.1},
				{"ex2_thm5_prob_rmax5_eps1", "R_max = 5, ε = 1", 5, 1},
				{"ex2_thm5_prob_rmax50_eps0.1", "R_max = 50, ε = 0.1", 50, 0.1},
				{"ex2_thm5_prob_rmax50_eps1", "R_max = 50, ε = 1", 50, 1}}},
		{quantity: "increase in iterations (%)", itself: true, numbers: []scalarPlace{{scalar: "extra_computation_headline"}},
			readings: []scalarFormula{{"of the two printed counts", "", printedIncrease}}},
		{quantity: "Theorem 6 in Example 2 (%)", numbers: []scalarPlace{{"ex2_thm6_bound_increase_eps1.3", "", goal,
			headlineEpsilon}},
			readings: []scalarFormula{
				b.boundIncrease(statedAdjacency, sweepGamma, privacy.Statement),
				b.boundIncrease(statedAdjacency, sweepGamma, privacy.Proof),
				b.boundIncrease(statedAdjacency, plottedGamma, privacy.Statement),
				b.boundIncrease(statedAdjacency, plottedGamma, privacy.Proof),
				b.boundIncrease(1, sweepGamma, privacy.Statement), b.boundIncrease(1, sweepGamma, privacy.Proof),
				b.boundIncrease(1, plottedGamma, privacy.Statement), b.boundIncrease(1, plottedGamma, privacy.Proof)}},
		{quantity: "loss at ε = 1.3, input, R_max = 5 (%)", itself: true,
			numbers:  []scalarPlace{{scalar: "cost_decrease_headline", epsilon: 1.3}},
			readings: readOff("Example 2", printedIn(world, "input_rmax5_cost_percent"))},
		{quantity: "loss at ε = 0.1, input, R_max = 50 (%)", itself: true,
			numbers:  []scalarPlace{{scalar: "ex2_loss_rmax50_eps0.1", epsilon: 0.1}},
			readings: readOff("Example 2", printedIn(world, "input_rmax50_cost_percent"))},
		{quantity: "loss at ε = 0.1, input, R_max = 5 (%)", itself: true,
			numbers:  []scalarPlace{{scalar: "ex2_loss_rmax5_eps0.1", epsilon: 0.1}},
			readings: readOff("Example 2", printedIn(world, "input_rmax5_cost_percent"))},
		{quantity: "ε at which output costs no more than input at ε = 1", itself: true,
			numbers:  []scalarPlace{{scalar: "ex2_output_eps_matching_input_eps1", epsilon: 1}},
			readings: readOff("Example 2", matchingEpsilon)},
		{quantity: "improvement at ε = 0.2 (km)", itself: true,
			numbers:  []scalarPlace{{scalar: "ex3_improvement_eps0.2", epsilon: 0.2}},
			readings: readOff("Example 3", improvement)},
		{quantity: "detection at ε = 4, within (km)", itself: true, atMost: true,
			numbers:  []scalarPlace{{scalar: "ex3_privacy_disabled_distance", epsilon: 4}},
			readings: readOff("Example 3", printedIn(flight, "private_mean_detection_distance_km"))},
		{quantity: "increase at ε = 1, at most (%)", atMost: true,
			numbers: []scalarPlace{{"fig_thm6_increase_ceiling_eps1", "R_max = 1", 1, 1},
				{"fig_thm6_increase_ceiling_eps1", "R_max = 10", 10, 1}},
			readings: []scalarFormula{{"γ = 0.99, η = 1e-8, independent entries", "", peakIncrease}}},
	}
}

// scalarQuantities evaluates closed forms of the text.
func scalarQuantities(forms []scalarForm) ([]Quantity, error) {
	var all []Quantity
	for _, f := range forms {
		q := Quantity{Name: f.quantity, Itself: f.itself}
		for _, at := range f.numbers {
			n, err := scalar(at.scalar, at.label)
			if err != nil {
				return nil, err
			}
			n.AtMost = f.atMost
			if f.halfUnit > 0 {
				n.HalfUnit = f.halfUnit
			}
			q.Numbers = append(q.Numbers, n)
		}
		for _, formula := range f.readings {
			r := Reading{Name: formula.name, Change: formula.change}
			for _, at := range f.numbers {
				v, err := formula.at(at.rmax, at.epsilon)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", f.quantity, err)
				}
				r.Values = append(r.Values, Value{Mean: v})
			}
			q.Readings = append(q.Readings, r)
		}
		all = append(all, q)
	}
	return all, nil
}

// worldSigma returns the noise of Example 2.
func (b *bench) worldSigma(adjacency, epsilon float64) (float64, error) {
	g := b.Example2.Guarantee
	g.Epsilon, g.Adjacency = epsilon, adjacency
	return g.Sigma()
}

// goalSurvival returns Theorem 5's bound in Example 2.
func (b *bench) goalSurvival(adjacency float64) scalarFormula {
	return scalarFormula{fmt.Sprintf("δ = 0.1, b = %g", adjacency), changedAdjacency(adjacency),
		func(rmax, epsilon float64) (float64, error) {
			sigma, err := b.worldSigma(adjacency, epsilon)
			if err != nil {
				return 0, err
			}
			world := b.Example2.World(rmax)
			goals, err := gapGoals(world.Reward-world.OtherReward, 1)
			if err != nil {
				return 0, err
			}
			return goals.Bound(sigma)
		}}
}

// boundIncrease returns Theorem 6's bound in Example 2, in percent of the sweeps without privacy.
func (b *bench) boundIncrease(adjacency, gamma float64, form privacy.Theorem6Form) scalarFormula {
	name := fmt.Sprintf("b = %g, γ = %g, η = 1e-8, form of the %s; γ and η are not stated", adjacency, gamma, form)
	return scalarFormula{name, changedAdjacency(adjacency), func(rmax, epsilon float64) (float64, error) {
		sigma, err := b.worldSigma(adjacency, epsilon)
		if err != nil {
			return 0, err
		}
		return increase(gamma, rmax, func(solver privacy.Convergence) (float64, error) {
			return solver.ExtraSweepsBound(form, 2, lookups, sigma, rmax)
		})
	}}
}

// peakIncrease returns the exact increase in the figure of Theorem 6, in percent.
func peakIncrease(rmax, epsilon float64) (float64, error) {
	sigma, err := sweepSigma(epsilon)
	if err != nil {
		return 0, err
	}
	return increase(sweepGamma, rmax, func(solver privacy.Convergence) (float64, error) {
		extra, err := solver.ExtraSweepsIndependent(peakedJoint(sweepEntries, rmax), sweepAgents, sigma)
		return extra.Sweeps, err
	})
}

// increase returns extra sweeps in percent of the sweeps without privacy.
func increase(gamma, rmax float64, extra func(privacy.Convergence) (float64, error)) (float64, error) {
	solver := privacy.Convergence{Gamma: gamma, Eta: sweepEta}
	base, err := solver.Sweeps(rmax)
	if err != nil {
		return 0, err
	}
	more, err := extra(solver)
	return 100 * more / float64(base), err
}

// printedIncrease returns the increase in iterations by the printed counts, in percent.
func printedIncrease(_, _ float64) (float64, error) {
	plain, err := scalar("ex2_nonprivate_iterations", "")
	if err != nil {
		return 0, err
	}
	mean, err := scalar("ex2_private_mean_iterations_eps1.3", "")
	return 100 * (mean.Published - plain.Published) / plain.Published, err
}

// readOff returns the only reading of a number read from the figure of an example.
func readOff(example string, at func(_, epsilon float64) (float64, error)) []scalarFormula {
	return []scalarFormula{{"read off the figure of " + example, "", at}}
}

// printedIn returns a function that reads a curve of a figure at an epsilon.
func printedIn(table, y string) func(_, epsilon float64) (float64, error) {
	return func(_, epsilon float64) (float64, error) { return figureValue(table, epsilon, y) }
}

// figureValue reads a point of a curve.
func figureValue(table string, epsilon float64, y string) (float64, error) {
	numbers, err := figureCurve(table, y)
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		if n.X == epsilon {
			return n.Published, nil
		}
	}
	return 0, fmt.Errorf("reproduce: %s has nothing at %g", table, epsilon)
}

// figureCurve reads a curve of a figure over epsilon.
func figureCurve(table, y string) ([]Number, error) {
	p, err := open(table)
	if err != nil {
		return nil, err
	}
	return p.numbers("eps", y, "", true)
}

// matchingEpsilon returns the smallest plotted epsilon at which output perturbation costs at most what input
// perturbation costs at a given epsilon.
func matchingEpsilon(_, epsilon float64) (float64, error) {
	input, err := figureValue("fig_ex2_cost_vs_eps", epsilon, "input_rmax5_cost_percent")
	if err != nil {
		return 0, err
	}
	numbers, err := figureCurve("fig_ex2_cost_vs_eps", "output_rmax5_cost_percent")
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		if n.Published <= input {
			return n.X, nil
		}
	}
	return 0, errors.New("reproduce: output perturbation costs more everywhere in the figure of Example 2")
}

// improvement returns how much nearer to the target the vehicle is recognised with privacy, km.
func improvement(_, epsilon float64) (float64, error) {
	const table = "fig_ex3_detection_distance_vs_eps"
	private, err := figureValue(table, epsilon, "private_mean_detection_distance_km")
	if err != nil {
		return 0, err
	}
	direct, err := figureValue(table, epsilon, "nonprivate_detection_distance_km")
	return direct - private, err
}

// peakedJoint returns a joint reward with one entry rmax and all others -rmax.
func peakedJoint(entries int, rmax float64) []float64 {
	joint := slices.Repeat([]float64{-rmax}, entries)
	joint[0] = rmax
	return joint
}
