package reproduce

import (
	"context"
	"fmt"
	"slices"

	"veilpath/planner/privacy"
)

// publishedTeamSamples is the sample size of a published point of Example 1.
const publishedTeamSamples = 500

// teamReading is a setting of Example 1.
type teamReading struct {
	obedience, discount, adjacency float64
}

func (r teamReading) String() string {
	return fmt.Sprintf("p = %g, γ = %g, b = %g", r.obedience, r.discount, r.adjacency)
}

// teamReadings returns the settings of Example 1 that are tried. The first is the configured one.
func teamReadings(s *Settings) []teamReading {
	e := s.Example1
	configured := teamReading{e.Team(1).Obedience, e.Discount, e.Guarantee.Adjacency}
	readings := []teamReading{configured}
	for _, r := range []teamReading{{0.92, 0.95, 2}, {0.9, 0.99, 2}, {0.9, 0.95, 2}, {0.9, 0.9, 2}, {0.875, 0.45, 1}} {
		if r != configured {
			readings = append(readings, r)
		}
	}
	return readings
}

// teamCosts computes the cost of privacy of input and of output perturbation in Example 1. For output perturbation the
// first reading has the setting that is picked for input perturbation.
func teamCosts(ctx context.Context, b *bench) ([]Quantity, error) {
	p, err := open("fig_ex1_cost_vs_N")
	if err != nil {
		return nil, err
	}
	var agents []float64
	for _, n := range b.Example1.Agents {
		agents = append(agents, float64(n))
	}
	input := Quantity{Name: "input cost (%)"}
	if input.Numbers, err = p.numbersAt("n_agents", "input_cost_of_privacy_percent", "N = ", agents); err != nil {
		return nil, err
	}
	output := Quantity{Name: "output cost (%)"}
	if output.Numbers, err = p.numbersAt("n_agents", "output_cost_of_privacy_percent", "N = ", agents); err != nil {
		return nil, err
	}
	settings := teamReadings(b.Settings)
	outcomes := make([][]teamOutcome, len(settings))
	var ownScores []Reading
	for i, r := range settings {
		if outcomes[i], err = b.teamOutcomes(ctx, r); err != nil {
			return nil, err
		}
		input.Readings = append(input.Readings, teamCurve(r.String(), changedAdjacency(r.adjacency), input.Numbers,
			outcomes[i], func(o *teamOutcome) privacy.SampleMean { return o.input }))
		ownScores = append(ownScores, teamCurve(r.String()+", scored on the private reward",
			"the private policy is scored on its own private reward", output.Numbers, outcomes[i],
			func(o *teamOutcome) privacy.SampleMean { return o.ownScore }))
	}
	picked := input.pick()
	here := outcomes[picked]
	for i := range output.Numbers {
		output.Numbers[i].Limit = here[outcomeOf(here, output.Numbers[i])].floor
	}
	last := here[len(here)-1]
	output.Because = fmt.Sprintf("no policy can cost that much: no reward is below -1, so none is worth less than -1 per "+
		"step, and the cost is at most (v + 1)/v, v the optimal value per step (%.0f %% for N = %d)", last.floor, last.agents)
	setting, change := input.Readings[picked].Name, input.Readings[picked].Change
	exact := "output noise by the exact L2 sensitivity"
	if change != "" {
		exact = change + ", " + exact
	}
	output.Readings = append([]Reading{
		teamCurve(setting, change, output.Numbers, here, func(o *teamOutcome) privacy.SampleMean { return o.output }),
		teamCurve(setting+", exact sensitivity", exact, output.Numbers, here,
			func(o *teamOutcome) privacy.SampleMean { return o.outputL2 }),
	}, ownScores...)
	return []Quantity{input, output}, nil
}

// teamCurve returns a reading with the cost that of selects, for every number.
func teamCurve(name, change string, numbers []Number, outcomes []teamOutcome,
	of func(*teamOutcome) privacy.SampleMean) Reading {
	r := Reading{Name: name, Change: change}
	for _, n := range numbers {
		r.Values = append(r.Values, sampled(of(&outcomes[outcomeOf(outcomes, n)]), publishedTeamSamples))
	}
	return r
}

// outcomeOf returns the index of the outcome for a number's agents.
func outcomeOf(outcomes []teamOutcome, n Number) int {
	return slices.IndexFunc(outcomes, func(o teamOutcome) bool { return float64(o.agents) == n.X })
}

// teamOutcome is the result of a setting for one number of agents.
type teamOutcome struct {
	agents                            int
	input, output, outputL2, ownScore privacy.SampleMean
	floor                             float64 // limit of the cost of any policy, from the smallest reward, percent
}

// teamOutcomes samples Example 1 in a setting.
func (b *bench) teamOutcomes(ctx context.Context, r teamReading) ([]teamOutcome, error) {
	var outcomes []teamOutcome
	for _, agents := range b.Example1.Agents {
		team := b.Example1.Team(agents)
		team.Obedience = r.obedience
		guarantee := b.Example1.Guarantee
		guarantee.Adjacency = r.adjacency
		losses := make([]loss, b.Example1.Samples)
		err := sample(ctx, b, losses, func() (func(int) (loss, error), error) {
			a, err := newArena(team.Problem(r.discount))
			if err != nil {
				return nil, err
			}
			s, err := a.sigmas(guarantee)
			return func(i int) (loss, error) {
				return a.try(teamNoise(b.Seed, agents, i, false), s), nil
			}, err
		})
		if err != nil {
			return nil, err
		}
		a, err := newArena(team.Problem(r.discount))
		if err != nil {
			return nil, err
		}
		o := summarise(losses)
		o.agents, o.floor = agents, a.percent(team.OtherReward/(1-r.discount))
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// summarise averages losses.
func summarise(losses []loss) teamOutcome {
	var input, output, outputL2, ownScore privacy.Sample
	for _, l := range losses {
		input.Add(l.Input)
		output.Add(l.Output)
		outputL2.Add(l.OutputL2)
		ownScore.Add(l.OwnScore)
	}
	return teamOutcome{input: input.Mean(), output: output.Mean(), outputL2: outputL2.Mean(), ownScore: ownScore.Mean()}
}
