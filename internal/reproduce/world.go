package reproduce

import (
	"context"
	"fmt"

	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

// worldReading is a setting of Example 2.
type worldReading struct {
	slip      paper.Slip
	discount  float64
	adjacency float64
	start     [2]int
}

func (r worldReading) String() string {
	return fmt.Sprintf("slip to %s, γ = %g, start (%d, %d), b = %g", r.slip, r.discount, r.start[0], r.start[1],
		r.adjacency)
}

// worldCurve is the cost of a mechanism over epsilon, for one reward at the goal.
type worldCurve struct {
	goal   float64
	output bool
	costs  []privacy.SampleMean // by epsilon
}

// arena builds Example 2 in a setting.
func (r worldReading) arena(world paper.Gridworld) (*arena, error) {
	world.Slip, world.Agents = r.slip, len(r.start)
	return newArena(world.Problem(r.discount, r.start[:]))
}

// worldCurves samples Example 2 in a setting: input and output perturbation for each reward at the goal. All
// epsilons of a sample share their normals, so the curves are smooth.
func (b *bench) worldCurves(ctx context.Context, r worldReading, samples int) ([]worldCurve, error) {
	epsilons := b.Example2.Epsilons
	var curves []worldCurve
	for _, goal := range b.Example2.GoalRewards {
		scores := make([]worldScores, samples)
		err := sample(ctx, b, scores, func() (func(int) (worldScores, error), error) {
			a, err := r.arena(b.Example2.World(goal))
			if err != nil {
				return nil, err
			}
			noises, err := b.worldSigmas(a, r.adjacency)
			return func(i int) (worldScores, error) {
				s := worldScores{make([]float64, len(epsilons)), make([]float64, len(epsilons))}
				a.draw(a.input, worldNoise(b.Seed, goal, i, false))
				for e := range epsilons {
					s.Input[e], _ = a.score(a.input, noises[e].input)
				}
				a.draw(a.output, worldNoise(b.Seed, goal, i, true))
				for e := range epsilons {
					s.Output[e], _ = a.score(a.output, noises[e].output)
				}
				return s, nil
			}, err
		})
		if err != nil {
			return nil, err
		}
		input := func(s *worldScores) []float64 { return s.Input }
		output := func(s *worldScores) []float64 { return s.Output }
		curves = append(curves, worldCurve{goal, false, means(scores, input)}, worldCurve{goal, true, means(scores, output)})
	}
	return curves, nil
}

// worldSigmas returns the noise at every epsilon.
func (b *bench) worldSigmas(a *arena, adjacency float64) ([]sigmas, error) {
	var all []sigmas
	for _, epsilon := range b.Example2.Epsilons {
		g := b.Example2.Guarantee
		g.Epsilon, g.Adjacency = epsilon, adjacency
		s, err := a.sigmas(g)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// worldScores are the scores of a sample at every epsilon, for input and output perturbation. The fields are
// exported because a pool.Keeper encodes them.
type worldScores struct{ Input, Output []float64 }

// means returns the mean score at every epsilon for one perturbation.
func means[T any](scores []T, of func(*T) []float64) []privacy.SampleMean {
	samples := make([]privacy.Sample, len(of(&scores[0])))
	for i := range scores {
		for e, score := range of(&scores[i]) {
			samples[e].Add(score)
		}
	}
	var estimates []privacy.SampleMean
	for i := range samples {
		estimates = append(estimates, samples[i].Mean())
	}
	return estimates
}
