package reproduce

import (
	"context"
	"fmt"
	"math"

	"veilpath/planner/privacy"
)

// row is a row of the table of what the paper publishes: a quantity of an item, where the paper prints its numbers,
// how they are judged, and what may have produced them. The unit of a quantity stands in its name.
type row struct {
	item, quantity string
	from           source
	rule           rule
	readings       []formula   // the first follows the paper
	compute        computation // of what is no closed form, instead of all the above except the item
}

// source says where the paper prints the numbers of a quantity: a column of a file in assets/published, along another,
// or names in scalars.csv.
type source struct {
	file, x, y string
	label      string // text before the place of a number
	scalars    []scalarPlace
}

// scalarPlace is a number of the text, by its name in scalars.csv, and the arguments of its formulas.
type scalarPlace struct {
	name, label   string
	rmax, epsilon float64
}

// rule changes how numbers are judged. Its zero value compares a closed form with the printed digits.
type rule struct {
	halfUnit float64 // precision of the numbers; 0 for that of the printed digits
	slack    float64 // more that a number may be off, such as half a time step
	draws    int     // sample size of a published probability; 0 for a computed number
	atMost   bool    // the text claims an upper limit
	itself   bool    // readings use other numbers of the paper, so a difference is a contradiction
	cells    bool    // each number is judged alone, as a cell of a table that may have been rounded twice
}

// formula is a reading as a function from a number's place to its value.
type formula struct {
	name, change string
	at           func(n Number) (float64, error)
}

// rows returns the table of all quantities, in the order of the paper.
func (b *bench) rows() []row {
	const agentsOpen, sigmaOpen = "N = 2, which the paper does not state", "σ = 1, not stated"
	const fourDecimals = 5e-5
	goal := b.Example2.GoalRewards[0]
	sigma := func(n Number) (float64, error) { return tableSigma(tableAdjacency, n.X) }
	direct := b.Example3.Experiment.Baselines.Direct.DetectionKm
	step := b.Example3.Experiment.Scenario.SpeedKmS * b.Example3.Experiment.Scenario.StepS
	fitted := fmt.Sprintf("our vehicle model, one angle of which was fitted to this number; seen to a step of %.2g km",
		step)
	return []row{
		{item: "table1a", quantity: "input σ", rule: rule{cells: true},
			from: source{file: "table1a_sigma_vs_N", x: "n_agents", y: "sigma_input_reward_units", label: "N = "},
			readings: []formula{{tableReading, "",
				func(Number) (float64, error) { return tableSigma(tableAdjacency, 1) }}}},
		{item: "table1a", quantity: "output σ", rule: rule{cells: true},
			from: source{file: "table1a_sigma_vs_N", x: "n_agents", y: "sigma_output_reward_units", label: "N = "},
			readings: []formula{{tableReading, "",
				func(n Number) (float64, error) { return outputSigma(int(n.X), 1) }}}},
		{item: "table1b", quantity: "input σ", rule: rule{cells: true},
			from:     source{file: "table1b_sigma_vs_eps", x: "eps", y: "sigma_input_reward_units", label: "ε = "},
			readings: []formula{{tableReading, "", sigma}}},
		{item: "table1b", quantity: "output σ", rule: rule{cells: true},
			from: source{file: "table1b_sigma_vs_eps", x: "eps", y: "sigma_output_reward_units", label: "ε = "},
			readings: []formula{{tableReading, "",
				func(n Number) (float64, error) { return outputSigma(2, n.X) }}}},
		{item: "thm3", quantity: "bound",
			from:     source{file: "fig_thm3_max_error_vs_eps", x: "eps", y: "thm3_bound_reward_units", label: "ε = "},
			readings: []formula{{agentsOpen, "", errorBound}}},
		{item: "thm3", compute: largestErrors},
		{item: "cor1", quantity: "smallest ε",
			from: source{file: "fig_cor1_min_eps_vs_error", x: "max_allowable_mean_error_A_reward_units", y: "cor1_min_eps",
				label: "A = "},
			readings: []formula{{agentsOpen, "", func(n Number) (float64, error) {
				return privacy.CorollaryEpsilon(n.X, errorDelta, errorAdjacency, errorAgents, errorEntries)
			}}}},
		{item: "thm5", quantity: "bound",
			from: source{file: "fig_thm5_prob_vs_gap", x: "reward_gap_reward_units", y: "thm5_bound_probability",
				label: "gap "},
			readings: []formula{{sigmaOpen, "", survivalBound}}},
		{item: "thm5", quantity: "“True”", rule: rule{draws: survivalDraws},
			from: source{file: "fig_thm5_prob_vs_gap", x: "reward_gap_reward_units", y: "true_probability",
				label: "gap "},
			readings: []formula{{"σ = 1, 3 entries, neither stated", "", survival}}},
		{item: "thm6a", quantity: "bound",
			from:     source{file: sweepFile(1), x: "eps", y: "thm6_bound_EC_computations", label: "ε = "},
			readings: sweepBounds(1)},
		{item: "thm6a", compute: sweepTruths(1)},
		{item: "thm6b", quantity: "bound",
			from:     source{file: sweepFile(10), x: "eps", y: "thm6_bound_EC_computations", label: "ε = "},
			readings: sweepBounds(10)},
		{item: "thm6b", compute: sweepTruths(10)},
		{item: "example1", compute: teamCosts},
		{item: "example2", compute: worldCosts},
		{item: "example3", compute: flightDistances},
		{item: "example3", quantity: "distance without privacy (km)", rule: rule{slack: step / 2},
			from:     source{scalars: []scalarPlace{{name: "ex3_nonprivate_detection_distance"}}},
			readings: []formula{{fitted, "", func(Number) (float64, error) { return direct, nil }}}},
		{item: "scalars", quantity: "Theorem 5 in Example 2", rule: rule{halfUnit: fourDecimals},
			from: source{scalars: []scalarPlace{
				{"ex2_thm5_prob_rmax5_eps0.1", "R_max = 5, ε = 0.1", 5, 0.1},
				{"ex2_thm5_prob_rmax5_eps1", "R_max = 5, ε = 1", 5, 1},
				{"ex2_thm5_prob_rmax50_eps0.1", "R_max = 50, ε = 0.1", 50, 0.1},
				{"ex2_thm5_prob_rmax50_eps1", "R_max = 50, ε = 1", 50, 1}}},
			readings: []formula{b.goalSurvival(statedAdjacency), b.goalSurvival(1)}},
		{item: "scalars", compute: plainSweeps},
		{item: "scalars", compute: privateSweeps},
		{item: "scalars", quantity: "increase in iterations (%)", rule: rule{itself: true},
			from:     source{scalars: []scalarPlace{{name: "extra_computation_headline"}}},
			readings: []formula{{"of the two printed counts", "", printedIncrease}}},
		{item: "scalars", quantity: "Theorem 6 in Example 2 (%)",
			from:     source{scalars: []scalarPlace{{"ex2_thm6_bound_increase_eps1.3", "", goal, headlineEpsilon}}},
			readings: []formula{b.boundIncrease(statedAdjacency), b.boundIncrease(1)}},
		readOff("loss at ε = 1.3, input, R_max = 5 (%)", "cost_decrease_headline", 1.3, "Example 2",
			printedIn(costFile, "input_rmax5_cost_percent")),
		readOff("loss at ε = 0.1, input, R_max = 50 (%)", "ex2_loss_rmax50_eps0.1", 0.1, "Example 2",
			printedIn(costFile, "input_rmax50_cost_percent")),
		readOff("loss at ε = 0.1, input, R_max = 5 (%)", "ex2_loss_rmax5_eps0.1", 0.1, "Example 2",
			printedIn(costFile, "input_rmax5_cost_percent")),
		readOff("ε at which output costs no more than input at ε = 1", "ex2_output_eps_matching_input_eps1", 1, "Example 2",
			matchingEpsilon),
		readOff("improvement at ε = 0.2 (km)", "ex3_improvement_eps0.2", 0.2, "Example 3", improvement),
		{item: "scalars", quantity: "detection at ε = 4, within (km)", rule: rule{itself: true, atMost: true},
			from: source{scalars: []scalarPlace{{name: "ex3_privacy_disabled_distance", epsilon: 4}}},
			readings: []formula{{"read off the figure of Example 3", "",
				printedIn(flightFile, "private_mean_detection_distance_km")}}},
		{item: "scalars", quantity: "increase at ε = 1, at most (%)", rule: rule{atMost: true},
			from: source{scalars: []scalarPlace{
				{"fig_thm6_increase_ceiling_eps1", "R_max = 1", 1, 1},
				{"fig_thm6_increase_ceiling_eps1", "R_max = 10", 10, 1}}},
			readings: []formula{{"γ = 0.99, η = 1e-8, independent entries", "", peakIncrease}}},
	}
}

// numbers reads the numbers of the row.
func (r *row) numbers() ([]Number, error) {
	var numbers []Number
	if r.from.scalars == nil {
		p, err := open(r.from.file)
		if err != nil {
			return nil, err
		}
		if numbers, err = p.numbers(r.from.x, r.from.y, r.from.label, !r.rule.cells); err != nil {
			return nil, err
		}
	}
	for _, at := range r.from.scalars {
		n, err := scalar(at.name, at.label)
		if err != nil {
			return nil, err
		}
		n.X, n.RMax = at.epsilon, at.rmax
		numbers = append(numbers, n)
	}
	for i := range numbers {
		n := &numbers[i]
		n.AtMost = r.rule.atMost
		if r.rule.halfUnit > 0 {
			n.HalfUnit = r.rule.halfUnit
		}
		n.HalfUnit += r.rule.slack
	}
	return numbers, nil
}

// quantities computes the quantities of the row.
func (r *row) quantities(ctx context.Context, b *bench) ([]Quantity, error) {
	if r.compute != nil {
		return r.compute(ctx, b)
	}
	q := Quantity{Name: r.quantity, Itself: r.rule.itself}
	var err error
	if q.Numbers, err = r.numbers(); err != nil {
		return nil, err
	}
	for _, f := range r.readings {
		values := make([]Value, len(q.Numbers))
		for i, n := range q.Numbers {
			v, err := f.at(n)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.quantity, err)
			}
			values[i].Mean = v
			if r.rule.draws > 0 {
				p := min(max(v, 0), 1)
				values[i].PublishedSE = math.Sqrt(p * (1 - p) / float64(r.rule.draws))
			}
		}
		q.Readings = append(q.Readings, Reading{Name: f.name, Change: f.change, Values: values})
	}
	if r.rule.cells {
		return cells(q), nil
	}
	return []Quantity{q}, nil
}

// cells returns a quantity for every number of a table, with a reading in which the number was rounded twice.
func cells(q Quantity) (all []Quantity) {
	for i, n := range q.Numbers {
		v, unit := q.Readings[0].Values[i], 2*n.HalfUnit
		cell := Quantity{Name: q.Name, Numbers: []Number{n},
			Readings: []Reading{{Name: q.Readings[0].Name, Values: []Value{v}}}}
		if twice := rounded(rounded(v.Mean, unit/10), unit); twice != rounded(v.Mean, unit) {
			cell.Readings = append(cell.Readings, Reading{Name: q.Readings[0].Name, Values: []Value{{Mean: twice}},
				Change: "rounded to 1 more digit than printed, and then again"})
		}
		all = append(all, cell)
	}
	return all
}

// rounded rounds to a unit, halves up.
func rounded(v, unit float64) float64 {
	return math.Floor(v/unit*(1+1e-12)+0.5) * unit
}
