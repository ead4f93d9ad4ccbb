package reproduce

import (
	"context"
	"fmt"

	"veilpath/planner/privacy"
)

// publishedTeamSamples is the sample size of a published point of Example 1.
const publishedTeamSamples = 500

// teamCosts computes the cost of privacy of input and of output perturbation in Example 1.
func teamCosts(ctx context.Context, b *bench) ([]Quantity, error) {
	p, err := open("fig_ex1_cost_vs_N")
	if err != nil {
		return nil, err
	}
	e := b.Example1
	var agents []float64
	for _, n := range e.Agents {
		agents = append(agents, float64(n))
	}
	input, output := Quantity{Name: "input cost (%)"}, Quantity{Name: "output cost (%)"}
	if input.Numbers, err = p.numbersAt("n_agents", "input_cost_of_privacy_percent", "N = ", agents); err != nil {
		return nil, err
	}
	if output.Numbers, err = p.numbersAt("n_agents", "output_cost_of_privacy_percent", "N = ", agents); err != nil {
		return nil, err
	}
	outcomes := map[float64]teamOutcome{} // by the number of agents
	for _, n := range e.Agents {
		if outcomes[float64(n)], err = b.teamOutcome(ctx, n); err != nil {
			return nil, err
		}
	}
	setting := Reading{Change: changedAdjacency(e.Guarantee.Adjacency),
		Name: fmt.Sprintf("p = %g, γ = %g, b = %g", e.Team(1).Obedience, e.Discount, e.Guarantee.Adjacency)}
	in, out := setting, setting
	for _, n := range input.Numbers {
		in.Values = append(in.Values, sampled(outcomes[n.X].input, publishedTeamSamples))
	}
	for i, n := range output.Numbers {
		out.Values = append(out.Values, sampled(outcomes[n.X].output, publishedTeamSamples))
		output.Numbers[i].Limit = outcomes[n.X].floor
	}
	last := e.Agents[len(e.Agents)-1]
	output.Because = fmt.Sprintf("no policy can cost that much: no reward is below -1, so none is worth less than -1 per "+
		"step, and the cost is at most (v + 1)/v, v the optimal value per step (%.0f %% for N = %d)",
		outcomes[float64(last)].floor, last)
	input.Readings, output.Readings = []Reading{in}, []Reading{out}
	return []Quantity{input, output}, nil
}

// loss is a sample of the cost of privacy in percent of the optimal value: |v_private - v_optimal|/|v_optimal| x 100.
// The fields are exported because a piece encodes them.
type loss struct{ Input, Output float64 }

// teamOutcome is the result for one number of agents.
type teamOutcome struct {
	input, output privacy.SampleMean
	floor         float64 // limit of the cost of any policy, from the smallest reward, percent
}

// teamOutcome samples Example 1 with a number of agents.
func (b *bench) teamOutcome(ctx context.Context, agents int) (o teamOutcome, err error) {
	e := b.Example1
	team, losses := e.Team(agents), make([]loss, e.Samples)
	err = sample(ctx, b, losses, func() (func(int) (loss, error), error) {
		a, err := newArena(team.Problem(e.Discount))
		if err != nil {
			return nil, err
		}
		s, err := a.sigmas(e.Guarantee)
		return func(i int) (loss, error) {
			a.draw(a.input, teamNoise(b.Seed, agents, i, false))
			input := a.score(a.input, s.input)
			a.draw(a.output, teamNoise(b.Seed, agents, i, true))
			return loss{input, a.score(a.output, s.output)}, nil
		}, err
	})
	if err != nil {
		return o, err
	}
	a, err := newArena(team.Problem(e.Discount))
	if err != nil {
		return o, err
	}
	var input, output privacy.Sample
	for _, l := range losses {
		input.Add(l.Input)
		output.Add(l.Output)
	}
	return teamOutcome{input.Mean(), output.Mean(), a.percent(team.OtherReward / (1 - e.Discount))}, nil
}
