package reproduce

import (
	"context"
	"math"

	"veilpath/planner/mdp"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

// iterationReading is a setting for the text's numbers of iterations, with 256 x 25 look-ups per sweep and gamma
// 0.99.
type iterationReading struct {
	slip      paper.Slip
	adjacency float64
}

const (
	iterationGamma = 0.99
	// publishedSweeps is 11,270,400 look-ups at 6400 per sweep.
	publishedSweeps = 1761
	headlineEpsilon = 1.3
)

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

// privateSweeps samples the number of sweeps of value iteration on private rewards at the headline epsilon. With
// its threshold, the true rewards take the published number of sweeps.
func (b *bench) privateSweeps(ctx context.Context, r iterationReading) (private privacy.SampleMean, threshold float64,
	err error) {
	build := func() (*arena, *mdp.ValueIteration, error) {
		a, err := worldReading{r.slip, iterationGamma, r.adjacency,
			[2]int{}}.arena(b.Example2.World(b.Example2.GoalRewards[0]))
		if err != nil {
			return nil, nil, err
		}
		solver, err := mdp.NewValueIteration(a.Law, iterationGamma)
		return a, solver, err
	}
	a, solver, err := build()
	if err != nil {
		return private, 0, err
	}
	threshold = thresholdFor(solver, a.Rewards.Joint, publishedSweeps)
	counts := make([]float64, b.Example2.Samples)
	err = sample(ctx, b, counts, func() (func(int) (float64, error), error) {
		a, solver, err := build()
		if err != nil {
			return nil, err
		}
		g := b.Example2.Guarantee
		g.Epsilon, g.Adjacency = headlineEpsilon, r.adjacency
		sigma, err := g.Sigma()
		return func(i int) (float64, error) {
			a.draw(a.input, privacy.Address{Seed: b.Seed, Run: uint64(i), Purpose: purposeIterations})
			k, _ := solver.SweepsToChange(a.input.Privatize(sigma, a.z), nil, threshold)
			return float64(k), nil
		}, err
	})
	return meanOf(counts), threshold, err
}
