package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// truthDraws is the sample size of our simulations of the largest error.
const truthDraws = 200_000

// largestErrors computes the curve "True" of Theorem 3: the expected largest error of the joint reward.
func largestErrors(ctx context.Context, b *bench) ([]Quantity, error) {
	p, err := open("fig_thm3_max_error_vs_eps")
	if err != nil {
		return nil, err
	}
	numbers, err := p.numbers("eps", "true_mean_max_abs_error_reward_units", "ε = ", true)
	if err != nil {
		return nil, err
	}
	correlated, err := b.maxError(ctx, 0, 2, 2, 2)
	if err != nil {
		return nil, err
	}
	independent, err := b.maxError(ctx, 1, errorEntries, 1)
	if err != nil {
		return nil, err
	}
	// The exact means of eight independent errors of deviation sigma and sigma/N, in units of sigma.
	whole, err := privacy.MaxErrorIndependent(1, errorEntries)
	if err != nil {
		return nil, err
	}
	divided, err := privacy.MaxErrorIndependent(errorAgents*errorAgents, errorEntries)
	if err != nil {
		return nil, err
	}
	spread := deviation(independent) // of one draw of the largest of eight errors, in units of sigma
	readings := []Reading{
		{Name: "correlated entries, as they are (n = 2, m_i = 2)"},
		{Name: "independent entries of deviation σ/N",
			Change: "noise of standard deviation σ/N, not σ/√N as in the proof, on independent entries"},
	}
	for _, n := range numbers {
		sigma, err := errorSigma(n.X)
		if err != nil {
			return nil, err
		}
		at := func(mean, se, spread float64) Value {
			return Value{Mean: sigma * mean, SE: sigma * se, PublishedSE: sigma * spread / math.Sqrt(errorDraws)}
		}
		readings[0].Values = append(readings[0].Values,
			at(correlated.Mean, correlated.StandardError, deviation(correlated)))
		readings[1].Values = append(readings[1].Values, at(divided, 0, spread*divided/whole))
	}
	return []Quantity{{Name: "“True”", Numbers: numbers, Readings: readings}}, nil
}

// maxError simulates the largest error of the joint reward of agents with these numbers of actions, in units of sigma.
func (b *bench) maxError(ctx context.Context, cell uint64, states int, actions ...int) (privacy.SampleMean, error) {
	shape, err := privacy.NewShape(states, actions)
	if err != nil {
		return privacy.SampleMean{}, err
	}
	return shape.SimulatedMaxError(ctx, truthDraws, b.noise(purposeMaxError, cell), nil)
}

// correlatedDraws is the sample size of our simulation of a point of the figures of Theorem 6.
const correlatedDraws = 4000

// sweepFile is the file of the figure of Theorem 6 for a largest reward.
func sweepFile(rmax float64) string {
	part := map[float64]string{1: "a", 10: "b"}[rmax]
	return fmt.Sprintf("fig_thm6%s_extra_iterations_rmax%g", part, rmax)
}

// sweepTruths computes the curve "True" of Theorem 6: the expected extra look-ups of value iteration. In the readings
// with correlated entries, each agent earns rmax for one entry and -rmax for all others: a joint reward with a single
// rmax, as in the caption, is not a mean of agents' rewards.
func sweepTruths(rmax float64) computation {
	return func(ctx context.Context, b *bench) ([]Quantity, error) {
		p, err := open(sweepFile(rmax))
		if err != nil {
			return nil, err
		}
		numbers, err := p.numbers("eps", "true_EC_computations", "ε = ", true)
		if err != nil {
			return nil, err
		}
		readings := []Reading{
			{Name: "γ = 0.99, correlated entries, as they are (m_i = 4)"},
			{Name: "γ = 0.9, correlated entries, as they are (m_i = 4)", Change: "γ = 0.9 instead of 0.99"},
			{Name: "γ = 0.9, independent entries, the proof's +1",
				Change: "γ = 0.9 instead of 0.99, independent entries, and the proof's “+1” counted as truth"},
		}
		shape, err := privacy.NewShape(sweepStates, slices.Repeat([]int{sweepActions}, sweepAgents))
		if err != nil {
			return nil, err
		}
		rewards := slices.Repeat([][]float64{peakedJoint(sweepStates*sweepActions, rmax)}, sweepAgents)
		stated := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta}
		plotted := privacy.Convergence{Gamma: plottedGamma, Eta: sweepEta}
		for i, n := range numbers {
			sigma, err := sweepSigma(n.X)
			if err != nil {
				return nil, err
			}
			extra, err := shape.SimulatedExtraSweeps(ctx, []privacy.Convergence{stated, plotted}, rewards, sigma, false,
				correlatedDraws, b.noise(purposeSweeps, uint64(i)))
			if err != nil {
				return nil, err
			}
			for r, e := range extra {
				readings[r].Values = append(readings[r].Values, times(sweepEntries, sampled(e, sweepDraws)))
			}
			spread := readings[1].Values[i].PublishedSE
			growth, err := plotted.ExtraSweepsIndependent(peakedJoint(sweepEntries, rmax), sweepAgents, sigma)
			if err != nil {
				return nil, err
			}
			readings[2].Values = append(readings[2].Values,
				Value{Mean: sweepEntries * (growth.WithoutCeilings + 1), PublishedSE: spread})
		}
		return []Quantity{{Name: "“True”", Numbers: numbers, Readings: readings}}, nil
	}
}

// times scales a value.
func times(factor float64, v Value) Value {
	return Value{factor * v.Mean, factor * v.SE, factor * v.PublishedSE}
}

const (
	// lookups is the number of joint rewards that a sweep visits in Example 2.
	lookups = 6400
	// iterationGamma is the discount of the text's numbers of iterations, inferred from them.
	iterationGamma = 0.99
	// publishedSweeps is 11,270,400 look-ups at 6400 per sweep.
	publishedSweeps = 1761
	headlineEpsilon = 1.3
)

// iterationArena returns Example 2 for the text's numbers of iterations, and its solver.
func (b *bench) iterationArena() (*arena, *mdp.ValueIteration, error) {
	world := b.Example2.World(b.Example2.GoalRewards[0])
	a, err := worldArena(world, iterationGamma, []int{0, 0})
	if err != nil {
		return nil, nil, err
	}
	solver, err := mdp.NewValueIteration(a.Law, iterationGamma)
	return a, solver, err
}

// plainSweeps counts the iterations without privacy under the usual stopping rules.
func plainSweeps(_ context.Context, b *bench) ([]Quantity, error) {
	n, err := scalar("ex2_nonprivate_iterations", "")
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "iterations without privacy", Numbers: []Number{n}}
	a, solver, err := b.iterationArena()
	if err != nil {
		return nil, err
	}
	world := b.Example2.World(b.Example2.GoalRewards[0])
	for _, rule := range []struct {
		name      string
		threshold float64
	}{
		{"1e-8", 1e-8}, {"1e-7", 1e-7}, {"1e-6", 1e-6}, {"η/2 for η = 1e-8", 5e-9}, {"η/2 for η = 1e-7", 5e-8},
		{"η(1-γ)/(2γ) for η = 1e-5", 1e-5 * (1 - iterationGamma) / (2 * iterationGamma)},
	} {
		sweeps, _ := solver.SweepsToChange(a.Rewards.Joint, nil, rule.threshold)
		q.Readings = append(q.Readings, Reading{
			Name: fmt.Sprintf("%d sweeps until none changes a value by %s; γ = 0.99, slip to %s, none of them stated",
				sweeps, rule.name, world.Slip),
			Values: []Value{{Mean: lookups * float64(sweeps)}},
		})
	}
	sweeps, err := privacy.Convergence{Gamma: iterationGamma, Eta: sweepEta}.Sweeps(world.Reward)
	q.Readings = append(q.Readings, Reading{
		Name:   fmt.Sprintf("%d sweeps by Theorem 4 for γ = 0.99, η = 1e-8", sweeps),
		Values: []Value{{Mean: lookups * float64(sweeps)}},
	})
	return []Quantity{q}, err
}

// privateSweeps samples the iterations of value iteration on private rewards at the headline epsilon, with a threshold
// at which the true rewards take the published number of sweeps.
func privateSweeps(ctx context.Context, b *bench) ([]Quantity, error) {
	n, err := scalar("ex2_private_mean_iterations_eps1.3", "")
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "mean iterations with privacy, ε = 1.3", Numbers: []Number{n}}
	slip := b.Example2.World(b.Example2.GoalRewards[0]).Slip
	a, solver, err := b.iterationArena()
	if err != nil {
		return nil, err
	}
	threshold := thresholdFor(solver, a.Rewards.Joint, publishedSweeps)
	for _, adjacency := range []float64{statedAdjacency, 1} {
		counts := make([]float64, b.Example2.Samples)
		err = sample(ctx, b, counts, func() (func(int) (float64, error), error) {
			a, solver, err := b.iterationArena()
			if err != nil {
				return nil, err
			}
			sigma, err := b.worldSigma(adjacency, headlineEpsilon)
			return func(i int) (float64, error) {
				a.draw(a.input, privacy.Address{Seed: b.Seed, Run: uint64(i), Purpose: purposeIterations})
				k, _ := solver.SweepsToChange(a.input.Privatize(sigma, a.z), nil, threshold)
				return float64(k), nil
			}, err
		})
		if err != nil {
			return nil, err
		}
		q.Readings = append(q.Readings, Reading{
			Name: fmt.Sprintf("b = %g, γ = 0.99, slip to %s, threshold %.3g, where the true rewards take 1761 sweeps",
				adjacency, slip, threshold),
			Change: changedAdjacency(adjacency),
			Values: []Value{times(lookups, sampled(meanOf(counts), publishedWorldSamples))},
		})
	}
	return []Quantity{q}, nil
}

// thresholdFor returns a stopping threshold on the change per sweep at which value iteration takes a given number
// of sweeps.
func thresholdFor(solver *mdp.ValueIteration, rewards []float64, sweeps int) float64 {
	low, high := 1e-15, 1e3 // these take more sweeps and fewer sweeps
	for range 200 {
		middle := math.Sqrt(low * high)
		k, _ := solver.SweepsToChange(rewards, nil, middle)
		switch {
		case k == sweeps:
			return middle
		case k > sweeps:
			low = middle
		default:
			high = middle
		}
	}
	return math.Sqrt(low * high)
}
