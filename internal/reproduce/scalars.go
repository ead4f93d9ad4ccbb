package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

func computeScalars(ctx context.Context, b *bench) (*Result, error) {
	counted, err := b.iterationScalars(ctx)
	if err != nil {
		return nil, err
	}
	forms, err := scalarQuantities(b.scalarForms())
	if err != nil {
		return nil, err
	}
	result := &Result{}
	for _, q := range slices.Insert(forms, 1, counted...) {
		result.Judgements = append(result.Judgements, q.Judge())
	}
	result.Summary = scalarSummary(result.Judgements[0], result.Judgements[1], result.Judgements[2])
	return result, nil
}

// scalarSummary describes Theorem 5 in Example 2, and its iterations.
func scalarSummary(survival, plain, private *Judgement) []string {
	value, row := private.Reading().Values[0], private.Rows[0]
	more := row.Published - plain.Rows[0].Published
	change := func(j *Judgement) string {
		if j.agrees() {
			return j.Reading().Change
		}
		return ""
	}
	return prose("scalars", map[string]any{"Survival": change(survival), "Private": change(private), "More": more,
		"Scatter": value.PublishedSE * math.Sqrt(publishedWorldSamples), "Error": value.PublishedSE,
		"Drowned":     more < 2*value.PublishedSE,
		"PlainAgrees": plain.agrees(), "Sweeps": publishedSweeps, "Computed": row.Computed})
}

// lookups is the number of joint rewards that a sweep visits in Example 2.
const lookups = 6400

// iterationScalars returns the counted iterations of Example 2.
func (b *bench) iterationScalars(ctx context.Context) ([]Quantity, error) {
	plain, err := scalar("ex2_nonprivate_iterations", "")
	if err != nil {
		return nil, err
	}
	counted, err := b.plainSweeps(plain)
	if err != nil {
		return nil, err
	}
	mean, err := scalar("ex2_private_mean_iterations_eps1.3", "")
	if err != nil {
		return nil, err
	}
	private := Quantity{Name: "mean iterations with privacy, ε = 1.3", Numbers: []Number{mean}}
	slip := b.Example2.World(b.Example2.GoalRewards[0]).Slip
	for _, adjacency := range []float64{statedAdjacency, 1} {
		e, threshold, err := b.privateSweeps(ctx, iterationReading{slip, adjacency})
		if err != nil {
			return nil, err
		}
		private.Readings = append(private.Readings, Reading{
			Name: fmt.Sprintf("b = %g, γ = 0.99, slip to %s, threshold %.3g, where the true rewards take 1761 sweeps",
				adjacency, slip, threshold),
			Change: changedAdjacency(adjacency),
			Values: []Value{times(lookups, sampled(e, publishedWorldSamples))},
		})
	}
	return []Quantity{counted, private}, nil
}

// plainSweeps counts the iterations without privacy under the usual stopping rules.
func (b *bench) plainSweeps(n Number) (Quantity, error) {
	q := Quantity{Name: "iterations without privacy", Numbers: []Number{n}}
	world := b.Example2.World(b.Example2.GoalRewards[0])
	a, err := worldReading{world.Slip, iterationGamma, statedAdjacency, [2]int{}}.arena(world)
	if err != nil {
		return q, err
	}
	solver, err := mdp.NewValueIteration(a.Law, iterationGamma)
	if err != nil {
		return q, err
	}
	for _, rule := range []struct {
		name      string
		threshold float64
	}{
		{"1e-8", 1e-8}, {"1e-7", 1e-7}, {"1e-6", 1e-6}, {"η/2 for η = 1e-8", 5e-9}, {"η/2 for η = 1e-7", 5e-8},
		{"η(1-γ)/(2γ) for η = 1e-5", 1e-5 * (1 - iterationGamma) / (2 * iterationGamma)},
	} {
		sweeps, _ := solver.SweepsToChange(a.Rewards.Joint, nil, rule.threshold)
		q.Readings = append(q.Readings, Reading{
			Name: fmt.Sprintf("%d sweeps until none changes a value by %s; γ = 0.99, slip to %s, none of them stated", sweeps,
				rule.name, world.Slip),
			Values: []Value{{Mean: lookups * float64(sweeps)}},
		})
	}
	sweeps, err := privacy.Convergence{Gamma: iterationGamma, Eta: sweepEta}.Sweeps(world.Reward)
	q.Readings = append(q.Readings, Reading{
		Name:   fmt.Sprintf("%d sweeps by Theorem 4 for γ = 0.99, η = 1e-8", sweeps),
		Values: []Value{{Mean: lookups * float64(sweeps)}},
	})
	return q, err
}
