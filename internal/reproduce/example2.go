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
	// fewerSamples divides the number of samples of all settings except the configured one, because they differ much
	// from the paper.
	fewerSamples = 25
	leastSamples = 10 // for a usable standard error
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

// arena builds Example 2 in a setting.
func (r worldReading) arena(world paper.Gridworld) (*arena, error) {
	world.Slip, world.Agents = r.slip, len(r.start)
	return newArena(world.Problem(r.discount, r.start[:]))
}

// worldReadings returns the settings of Example 2 that are tried: the configured one with the paper's adjacency,
// the configured one, and others that are close to some of the curves.
func worldReadings(s *Settings) []worldReading {
	e := s.Example2
	world := e.World(e.GoalRewards[0])
	configured := worldReading{slip: world.Slip, discount: e.Discount, adjacency: e.Guarantee.Adjacency}
	copy(configured.start[:], e.StartCells)
	stated := configured
	stated.adjacency = statedAdjacency
	readings := []worldReading{stated}
	for _, r := range []worldReading{
		configured,
		{paper.SlipOtherNeighboursOrStay, 0.85, 1, [2]int{0, 14}},
		{paper.SlipOtherActions, 0.85, 1, [2]int{5, 11}},
		{paper.SlipOtherNeighbours, 0.9, 1, [2]int{15, 15}},
		{paper.SlipOtherActions, 0.95, 1, [2]int{15, 15}},
	} {
		last := world.Columns*world.Rows - 1
		if !slices.Contains(readings, r) && r.start[0] <= last && r.start[1] <= last {
			readings = append(readings, r)
		}
	}
	return readings
}

// worldSamples returns the number of samples of a setting.
func worldSamples(s *Settings, reading int) int {
	r := worldReadings(s)[reading]
	if r.adjacency == s.Example2.Guarantee.Adjacency && r.discount == s.Example2.Discount && reading <= 1 {
		return s.Example2.Samples
	}
	return max(s.Example2.Samples/fewerSamples, min(s.Example2.Samples, leastSamples))
}

// worldUnits returns the number of samples of Example 2.
func worldUnits(s *Settings) (units int) {
	for i := range worldReadings(s) {
		units += 2 * worldSamples(s, i)
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
	for i, r := range worldReadings(b.Settings) {
		costs, err := b.worldCurves(ctx, r, worldSamples(b.Settings, i))
		if err != nil {
			return nil, err
		}
		reading := Reading{Name: r.String(), Change: changedAdjacency(r.adjacency)}
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
// exported because a pool.Keeper encodes them.
type worldScores struct{ Input, Output []float64 }

// worldCurves samples Example 2 in a setting and returns the mean costs at every epsilon: of input and of output
// perturbation, for each reward at the goal. All epsilons of a sample share their normals, so the curves are smooth.
func (b *bench) worldCurves(ctx context.Context, r worldReading, samples int) ([][]privacy.SampleMean, error) {
	epsilons := b.Example2.Epsilons
	var curves [][]privacy.SampleMean
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
					s.Input[e] = a.score(a.input, noises[e].input)
				}
				a.draw(a.output, worldNoise(b.Seed, goal, i, true))
				for e := range epsilons {
					s.Output[e] = a.score(a.output, noises[e].output)
				}
				return s, nil
			}, err
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
