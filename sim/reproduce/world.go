package reproduce

import (
	"context"
	"fmt"

	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

// worldReading is one setting of Example 2.
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

// worldCurve is the cost of one mechanism for one reward at the goal, over epsilon.
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

// worldCurves samples Example 2 in a setting: for each reward at the goal, input and output perturbation. All epsilons
// of a sample share their normals, so that curves are smooth.
func (b *bench) worldCurves(ctx context.Context, r worldReading, samples int) ([]worldCurve, error) {
	epsilons := b.Example2.Epsilons
	var curves []worldCurve
	for _, goal := range b.Example2.GoalRewards {
		inputs, outputs := newGrid(len(epsilons), samples), newGrid(len(epsilons), samples)
		err := b.sample(ctx, samples, func() (func(int) error, error) {
			a, err := r.arena(b.Example2.World(goal))
			if err != nil {
				return nil, err
			}
			noises, err := b.worldSigmas(a, r.adjacency)
			return func(i int) error {
				a.draw(a.input, worldNoise(b.Seed, goal, i, false))
				for e := range epsilons {
					inputs[e][i], _ = a.score(a.input, noises[e].input)
				}
				a.draw(a.output, worldNoise(b.Seed, goal, i, true))
				for e := range epsilons {
					outputs[e][i], _ = a.score(a.output, noises[e].output)
				}
				return nil
			}, err
		})
		if err != nil {
			return nil, err
		}
		curves = append(curves, worldCurve{goal, false, means(inputs)}, worldCurve{goal, true, means(outputs)})
	}
	return curves, nil
}

// worldSigmas is the noise at every epsilon.
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

func newGrid(rows, columns int) [][]float64 {
	grid := make([][]float64, rows)
	for i := range grid {
		grid[i] = make([]float64, columns)
	}
	return grid
}

func means(rows [][]float64) []privacy.SampleMean {
	var estimates []privacy.SampleMean
	for _, row := range rows {
		estimates = append(estimates, meanOf(row))
	}
	return estimates
}
