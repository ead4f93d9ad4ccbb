package reproduce

import (
	"context"
	"fmt"
	"slices"

	"veilpath/internal/report"
	"veilpath/planner/privacy"
)

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

// statedAdjacency is the paper's b in Examples 1 and 2.
const statedAdjacency = 2

// changedAdjacency describes the change of a reading with another b.
func changedAdjacency(b float64) string {
	if b == statedAdjacency {
		return ""
	}
	return fmt.Sprintf("b = %g instead of %g", b, float64(statedAdjacency))
}

func computeExample1(ctx context.Context, b *bench) (*Result, error) {
	p, err := open("fig_ex1_cost_vs_N")
	if err != nil {
		return nil, err
	}
	var agents []float64
	for _, n := range b.Example1.Agents {
		agents = append(agents, float64(n))
	}
	input, err := p.numbersAt("n_agents", "input_cost_of_privacy_percent", "N = ", agents)
	if err != nil {
		return nil, err
	}
	output, err := p.numbersAt("n_agents", "output_cost_of_privacy_percent", "N = ", agents)
	if err != nil {
		return nil, err
	}
	settings := teamReadings(b.Settings)
	outcomes := make([][]teamOutcome, len(settings))
	inputs := Quantity{Name: "input cost (%)", Numbers: input, Note: "p and γ are not stated"}
	for i, r := range settings {
		if outcomes[i], err = b.teamOutcomes(ctx, r, b.Example1.Samples); err != nil {
			return nil, err
		}
		inputs.Readings = append(inputs.Readings, Reading{
			Name: r.String(), Change: changedAdjacency(r.adjacency),
			Values: costs(input, outcomes[i], func(o *teamOutcome) privacy.SampleMean { return o.input }),
		})
	}
	inputJudged := inputs.Judge()
	picked := outcomes[inputJudged.Picked]
	outputJudged := outputQuantity(settings, outcomes, inputJudged, output).Judge()
	return &Result{
		Judgements: []*Judgement{inputJudged, outputJudged},
		Figures:    []Figure{teamFigure(input, output, inputJudged, outputJudged, picked, b.Example1.Samples)},
		Summary:    teamSummary(inputs, settings, outcomes, inputJudged, output),
	}, nil
}

// costs returns the cost that of selects, for every number.
func costs(numbers []Number, outcomes []teamOutcome, of func(*teamOutcome) privacy.SampleMean) []Value {
	values := make([]Value, len(numbers))
	for i, n := range numbers {
		for k := range outcomes {
			if o := &outcomes[k]; float64(o.agents) == n.X {
				values[i] = sampled(of(o), publishedTeamSamples)
			}
		}
	}
	return values
}

// publishedTeamSamples is the sample size of a published point.
const publishedTeamSamples = 500

// outputQuantity returns the costs of output perturbation, with the setting picked for input perturbation as the
// first reading.
func outputQuantity(settings []teamReading, outcomes [][]teamOutcome, picked *Judgement, numbers []Number) Quantity {
	q := Quantity{Name: "output cost (%)", Numbers: slices.Clone(numbers)}
	here := outcomes[picked.Picked]
	for i := range q.Numbers {
		for _, o := range here {
			if float64(o.agents) == q.Numbers[i].X {
				q.Numbers[i].Limit = o.floor
			}
		}
	}
	last := here[len(here)-1]
	q.Because = fmt.Sprintf("no policy can cost that much: no reward is below -1, so none is worth less than -1 per "+
		"step, and the cost is at most (v + 1)/v, v the optimal value per step (%.0f %% for N = %d)", last.floor, last.agents)
	change := picked.Reading().Change
	join := func(more string) string {
		if change == "" {
			return more
		}
		return change + ", " + more
	}
	q.Readings = []Reading{
		{Name: settings[picked.Picked].String(), Change: change,
			Values: costs(numbers, here, func(o *teamOutcome) privacy.SampleMean { return o.output })},
		{Name: settings[picked.Picked].String() + ", exact sensitivity",
			Change: join("output noise by the exact L2 sensitivity"),
			Values: costs(numbers, here, func(o *teamOutcome) privacy.SampleMean { return o.outputL2 })},
	}
	for i, r := range settings {
		q.Readings = append(q.Readings, Reading{
			Name:   r.String() + ", scored on the private reward",
			Change: "the private policy is scored on its own private reward",
			Values: costs(numbers, outcomes[i], func(o *teamOutcome) privacy.SampleMean { return o.ownScore }),
		})
	}
	return q
}

func teamFigure(input, output []Number, in, out *Judgement, picked []teamOutcome, samples int) Figure {
	ceiling := report.Series{Label: "largest\npossible cost", Mark: report.Bound, Hue: 4}
	for _, o := range picked {
		ceiling.Add(float64(o.agents), o.floor)
	}
	exact := costs(output, picked, func(o *teamOutcome) privacy.SampleMean { return o.outputL2 })
	return newFigure("example1", teamTitle(in, out),
		fmt.Sprintf("Cost of privacy at the start in percent; ε = 1, δ = 0.1, %s; %d samples, bars: 95 %% intervals; "+
			"rings: published", in.Reading().Name, samples),
		&report.Chart{
			X: report.Axis{Label: "Number of agents N", Range: aroundAgents(picked)},
			Y: report.Axis{Label: "Cost of privacy (%)", Scale: report.Log},
			Series: []report.Series{
				publishedCurve("output, published", 1, output),
				positive(computedCurve("output, computed", report.Computed, 1, output, out.Readings[0].Values)),
				positive(computedCurve("output with the\nexact sensitivity", report.Computed, 2, output, exact)),
				publishedCurve("input, published", 0, input),
				positive(computedCurve("input, computed", report.Computed, 0, input, in.Reading().Values)),
				ceiling,
			},
		})
}

// aroundAgents returns the range of the axis with one agent more on either side, so that the ticks are whole
// numbers.
func aroundAgents(outcomes []teamOutcome) [2]float64 {
	const margin = 1
	low, high := outcomes[0].agents, outcomes[0].agents
	for _, o := range outcomes {
		low, high = min(low, o.agents), max(high, o.agents)
	}
	return [2]float64{float64(low) - margin, float64(high) + margin}
}

// teamTitle returns the result as a title.
func teamTitle(in, out *Judgement) string {
	title := "Input perturbation does not agree"
	if in.agrees() {
		title = "Input perturbation agrees"
	}
	switch counts := out.count(); {
	case counts[Contradicted] > 0:
		return title + "; output perturbation is printed above what any policy can cost"
	case out.agrees():
		return title + "; so does output perturbation"
	}
	return title + "; output perturbation is not reproduced"
}

func teamSummary(inputs Quantity, settings []teamReading, outcomes [][]teamOutcome, in *Judgement,
	output []Number) []string {
	picked := outcomes[in.Picked]
	printed := output[len(output)-1]
	last := picked[slices.IndexFunc(picked, func(o teamOutcome) bool { return float64(o.agents) == printed.X })]
	type other struct {
		Setting string
		Floor   float64
	}
	var others []other
	for _, i := range fitting(inputs, in.Picked) {
		others = append(others, other{settings[i].String(), outcomes[i][len(outcomes[i])-1].floor})
	}
	return prose("example1", map[string]any{"Setting": in.Reading().Name, "Agrees": in.agrees(),
		"Printed": printed.Published, "Others": others,
		"Agents": last.agents, "Floor": last.floor, "PerStep": last.perStep, "Ceiling": last.ceiling})
}

// fitting returns the other readings under which every number agrees.
func fitting(q Quantity, but int) []int {
	var found []int
	for i := range q.Readings {
		if i != but && q.Agreeing(i) == len(q.Numbers) {
			found = append(found, i)
		}
	}
	return found
}
