package reproduce

import (
	"context"
	"fmt"
	"slices"

	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

const (
	// publishedWorldSamples is the sample size of a published point of Example 2.
	publishedWorldSamples = 1000
	// fewerSamples divides the number of samples of the setting that is not the configured one, because it differs much
	// from the paper.
	fewerSamples = 25
	leastSamples = 10 // for a usable standard error
)

// worldArena builds Example 2 with agents that start in some cells.
func worldArena(world paper.Gridworld, discount float64, start []int) (*arena, error) {
	world.Agents = len(start)
	return newArena(world.Problem(discount, start))
}

// worldAdjacencies returns the values of b of Example 2 that are tried: the paper's and the configured one.
func worldAdjacencies(s *Settings) []float64 {
	return slices.Compact([]float64{statedAdjacency, s.Example2.Guarantee.Adjacency})
}

// worldSamples returns the number of samples for a value of b.
func worldSamples(s *Settings, adjacency float64) int {
	if adjacency == s.Example2.Guarantee.Adjacency {
		return s.Example2.Samples
	}
	return max(s.Example2.Samples/fewerSamples, min(s.Example2.Samples, leastSamples))
}

// worldUnits returns the number of samples of Example 2.
func worldUnits(s *Settings) (units int) {
	for _, adjacency := range worldAdjacencies(s) {
		units += 2 * worldSamples(s, adjacency)
	}
	return units
}

// worldCosts computes the four curves of Example 2, as one quantity: all must agree in the same setting.
func worldCosts(ctx context.Context, b *bench) ([]Quantity, error) {
	if len(b.Example2.StartCells) != 2 {
		return nil, settingError("the paper has 2 agents and example2.start_cells has %d cells; give two",
			len(b.Example2.StartCells))
	}
	p, err := open(costFile)
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "cost (%)"}
	var curves [][]Number // as worldCurves returns them
	for _, goal := range b.Example2.GoalRewards {
		for _, mechanism := range []string{"input", "output"} {
			numbers, err := p.numbersAt("eps", fmt.Sprintf("%s_rmax%g_cost_percent", mechanism, goal),
				fmt.Sprintf("%s, R_max = %g, ε = ", mechanism, goal), b.Example2.Epsilons)
			if err != nil {
				return nil, err
			}
			curves = append(curves, numbers)
			q.Numbers = append(q.Numbers, numbers...)
		}
	}
	start := b.Example2.StartCells
	for _, adjacency := range worldAdjacencies(b.Settings) {
		costs, err := b.worldCurves(ctx, adjacency)
		if err != nil {
			return nil, err
		}
		reading := Reading{Change: changedAdjacency(adjacency), Name: fmt.Sprintf(
			"slip to %s, γ = %g, start (%d, %d), b = %g", b.Example2.World(b.Example2.GoalRewards[0]).Slip,
			b.Example2.Discount, start[0], start[1], adjacency)}
		for curve, numbers := range curves {
			for _, n := range numbers {
				e := costs[curve][slices.Index(b.Example2.Epsilons, n.X)]
				reading.Values = append(reading.Values, sampled(e, publishedWorldSamples))
			}
		}
		q.Readings = append(q.Readings, reading)
	}
	return []Quantity{q}, nil
}

// worldScores are the scores of a sample at every epsilon, for input and output perturbation. The fields are
// exported because a piece encodes them.
type worldScores struct{ Input, Output []float64 }

// worldCurves samples Example 2 with a value of b and returns the mean costs at every epsilon: of input and of output
// perturbation, for each reward at the goal. All epsilons of a sample share their normals, so the curves are smooth.
func (b *bench) worldCurves(ctx context.Context, adjacency float64) ([][]privacy.SampleMean, error) {
	epsilons := b.Example2.Epsilons
	var curves [][]privacy.SampleMean
	for _, goal := range b.Example2.GoalRewards {
		scores := make([]worldScores, worldSamples(b.Settings, adjacency))
		err := sample(ctx, b, scores, func() (func(int) (worldScores, error), error) {
			a, err := worldArena(b.Example2.World(goal), b.Example2.Discount, b.Example2.StartCells)
			if err != nil {
				return nil, err
			}
			noises := make([]sigmas, len(epsilons))
			g := b.Example2.Guarantee
			g.Adjacency = adjacency
			for e := range epsilons {
				g.Epsilon = epsilons[e]
				if noises[e], err = a.sigmas(g); err != nil {
					return nil, err
				}
			}
			return func(i int) (worldScores, error) {
				s := worldScores{make([]float64, len(epsilons)), make([]float64, len(epsilons))}
				a.draw(a.input, worldNoise(b.Seed, goal, i, false))
				for e := range epsilons {
					s.Input[e] = a.score(a.input, noises[e].input)
				}
				a.draw(a.output, worldNoise(b.Seed, goal, i, true))
				for e := range epsilons {
					s.Output[e] = a.score(a.output, noises[e].output)
				}
				return s, nil
			}, nil
		})
		if err != nil {
			return nil, err
		}
		input, output := make([]privacy.SampleMean, len(epsilons)), make([]privacy.SampleMean, len(epsilons))
		if !b.part {
			for e := range epsilons {
				var in, out privacy.Sample
				for _, s := range scores {
					in.Add(s.Input[e])
					out.Add(s.Output[e])
				}
				input[e], output[e] = in.Mean(), out.Mean()
			}
		}
		curves = append(curves, input, output)
	}
	return curves, nil
}
