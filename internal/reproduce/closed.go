package reproduce

import (
	"fmt"
	"math"

	"veilpath/planner/privacy"
)

// closedForm is a column of a published table, with the formulas that may have produced it.
type closedForm struct {
	item, quantity string
	table, x, y    string // published file, and its columns of places and of numbers
	label          string // text before the place of a number
	readings       []formula
	draws          int // sample size of a published probability; 0 for a computed number
}

// formula is a reading: a function from a place to the value.
type formula struct {
	name, change string
	at           func(x float64) (float64, error)
}

// closedForms lists the columns that are closed forms, in the order of their items.
func closedForms() []closedForm {
	const ownTwo = "N = 2, which the paper does not state"
	return []closedForm{
		{item: "table1a", quantity: "input σ", table: "table1a_sigma_vs_N", x: "n_agents", y: "sigma_input_reward_units",
			label:    "N = ",
			readings: []formula{{tableReading, "", func(float64) (float64, error) { return tableSigma(tableAdjacency, 1) }}}},
		{item: "table1a", quantity: "output σ", table: "table1a_sigma_vs_N", x: "n_agents", y: "sigma_output_reward_units",
			label: "N = ",
			readings: []formula{{tableReading, "", func(agents float64) (float64,
				error) {
				return outputSigma(int(agents), 1)
			}}}},
		{item: "table1b", quantity: "input σ", table: "table1b_sigma_vs_eps", x: "eps", y: "sigma_input_reward_units",
			label: "ε = ",
			readings: []formula{{tableReading, "", func(epsilon float64) (float64,
				error) {
				return tableSigma(tableAdjacency, epsilon)
			}}}},
		{item: "table1b", quantity: "output σ", table: "table1b_sigma_vs_eps", x: "eps", y: "sigma_output_reward_units",
			label:    "ε = ",
			readings: []formula{{tableReading, "", func(epsilon float64) (float64, error) { return outputSigma(2, epsilon) }}}},
		{item: "thm3", quantity: "bound", table: "fig_thm3_max_error_vs_eps", x: "eps", y: "thm3_bound_reward_units",
			label:    "ε = ",
			readings: []formula{{ownTwo, "", errorBound}}},
		{item: "cor1", quantity: "smallest ε", table: "fig_cor1_min_eps_vs_error",
			x: "max_allowable_mean_error_A_reward_units", y: "cor1_min_eps", label: "A = ",
			readings: []formula{{ownTwo, "", func(most float64) (float64, error) {
				return privacy.CorollaryEpsilon(most, errorDelta, errorAdjacency, errorAgents, errorEntries)
			}}}},
		{item: "thm5", quantity: "bound", table: "fig_thm5_prob_vs_gap", x: "reward_gap_reward_units",
			y: "thm5_bound_probability", label: "gap ",
			readings: []formula{{"σ = 1, not stated", "", survivalBound}}},
		{item: "thm5", quantity: "“True”", table: "fig_thm5_prob_vs_gap", x: "reward_gap_reward_units", y: "true_probability",
			label:    "gap ",
			readings: survivals(2, 1, 3, 4, 7), draws: survivalDraws},
		{item: "thm6a", quantity: "bound", table: "fig_thm6a_extra_iterations_rmax1", x: "eps",
			y: "thm6_bound_EC_computations", label: "ε = ", readings: sweepBounds(1)},
		{item: "thm6b", quantity: "bound", table: "fig_thm6b_extra_iterations_rmax10", x: "eps",
			y: "thm6_bound_EC_computations", label: "ε = ", readings: sweepBounds(10)},
	}
}

// quantitiesOf evaluates the closed forms of an item.
func quantitiesOf(item string) ([]Quantity, error) {
	var all []Quantity
	for _, c := range closedForms() {
		if c.item != item {
			continue
		}
		p, err := open(c.table)
		if err != nil {
			return nil, err
		}
		q := Quantity{Name: c.quantity}
		if q.Numbers, err = p.numbers(c.x, c.y, c.label, c.isCurve()); err != nil {
			return nil, err
		}
		for _, f := range c.readings {
			values, err := evaluate(q.Numbers, f.at)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.quantity, err)
			}
			for i := range values {
				if c.draws > 0 {
					p := min(max(values[i].Mean, 0), 1)
					values[i].PublishedSE = math.Sqrt(p * (1 - p) / float64(c.draws))
				}
			}
			q.Readings = append(q.Readings, Reading{Name: f.name, Change: f.change, Values: values})
		}
		all = append(all, q)
	}
	return all, nil
}

// isCurve reports whether the column is a curve of a figure. In a table each number has its own precision.
func (c *closedForm) isCurve() bool { return c.item != "table1a" && c.item != "table1b" }

// evaluate evaluates a formula for every number.
func evaluate(numbers []Number, at func(x float64) (float64, error)) ([]Value, error) {
	values := make([]Value, len(numbers))
	for i, n := range numbers {
		v, err := at(n.X)
		if err != nil {
			return nil, err
		}
		values[i].Mean = v
	}
	return values, nil
}
