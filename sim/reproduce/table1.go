package reproduce

import (
	"context"
	"fmt"
	"math"

	"veilpath/planner/privacy"
	"veilpath/sim/report"
)

// The settings of Table 1 that the paper does not state, and those that it does.
const (
	tableDelta, tableAdjacency = 0.01, 1
	tableActions               = 4 // of every agent
)

func tableA() *Item {
	return &Item{Name: "table1a", Title: "Table 1a: noise over the number of agents", Where: "Section 3, Table 1 (a)",
		compute: func(context.Context, *bench) (*Result, error) {
			return table1("table1a_sigma_vs_N", "n_agents", "N = ", "Number of agents N", func(x float64) (int, float64) { return int(x), 1 })
		}}
}

func tableB() *Item {
	return &Item{Name: "table1b", Title: "Table 1b: noise over epsilon", Where: "Section 3, Table 1 (b)",
		compute: func(context.Context, *bench) (*Result, error) {
			return table1("table1b_sigma_vs_eps", "eps", "ε = ", "Privacy parameter ε", func(x float64) (int, float64) { return 2, x })
		}}
}

// table1 computes the noise of both mechanisms for the rows of a table, each of which is of some agents and epsilon.
func table1(name, x, label, axis string, at func(x float64) (agents int, epsilon float64)) (*Result, error) {
	p, err := open(name)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	chart := &report.Chart{X: report.Axis{Label: axis, Scale: report.Log}, Y: report.Axis{Label: "Noise σ (reward units)", Scale: report.Log}}
	for hue, m := range []struct {
		column, name string
		sigma        func(agents int, epsilon float64) (float64, error)
	}{
		{"sigma_input_reward_units", "input σ", func(_ int, epsilon float64) (float64, error) {
			return privacy.Classical.Sigma(epsilon, tableDelta, tableAdjacency)
		}},
		{"sigma_output_reward_units", "output σ", outputSigma},
	} {
		numbers, err := p.numbers(x, m.column, label, false)
		if err != nil {
			return nil, err
		}
		values, err := closedForm(numbers, func(n Number) (float64, error) { return m.sigma(at(n.X)) })
		if err != nil {
			return nil, err
		}
		for i := range numbers {
			result.Judgements = append(result.Judgements, tableCell(m.name, numbers[i], values[i]).Judge())
		}
		chart.Series = append(chart.Series, publishedCurve(m.name+", published", hue, numbers), computedCurve(m.name+", computed", report.Computed, hue, numbers, values))
	}
	result.Figures = []Figure{newFigure(name[:len("table1a")], "The published noise is Lemma 1's, and Theorem 2's with the L1 bound",
		"δ = 0.01, b = 1, 4 actions per agent; rings: published, lines: computed", "", chart)}
	result.Summary = []string{"The paper states neither δ nor b nor the number of actions for this table. With δ = 0.01, b = 1 and four actions per agent it comes out" + exceptions(result.Judgements) + "."}
	return result, nil
}

// exceptions names the numbers that are not as printed.
func exceptions(judgements []*Judgement) string {
	text := ""
	for _, j := range judgements {
		if row := j.Rows[0]; row.Verdict != Digits {
			text += fmt.Sprintf("; %s, is printed %g and is %.8g", row.Quantity, row.Published, j.Readings[0].Values[0].Mean)
		}
	}
	if text == "" {
		return " in every printed digit"
	}
	return ", but for the last digits of some: " + text[2:]
}

func digits(n int) string {
	if n == 1 {
		return "digit"
	}
	return "digits"
}

// outputSigma is the noise of Algorithm 2 with the paper's L1 bound.
func outputSigma(agents int, epsilon float64) (float64, error) {
	actions := make([]int, agents)
	for i := range actions {
		actions[i] = tableActions
	}
	shape, err := privacy.NewShape(1, actions)
	if err != nil {
		return 0, err
	}
	sensitivity, err := shape.OutputSensitivity(tableAdjacency, privacy.L1Bound)
	if err != nil {
		return 0, err
	}
	return privacy.Classical.Sigma(epsilon, tableDelta, sensitivity)
}

// tableCell is one number of the table, which may have been rounded more than once.
func tableCell(name string, n Number, v Value) Quantity {
	q := Quantity{Name: name, Numbers: []Number{n}, Readings: []Reading{{Name: "δ = 0.01, b = 1, m_i = 4", Values: []Value{v}}}}
	unit := 2 * n.HalfUnit
	for extra := 1; extra <= 3; extra++ {
		once := rounded(v.Mean, unit/math.Pow10(extra))
		if rounded(once, unit) == rounded(v.Mean, unit) {
			continue
		}
		q.Readings = append(q.Readings, Reading{
			Name:   "δ = 0.01, b = 1, m_i = 4",
			Change: fmt.Sprintf("rounded to %d more %s than printed, and then again", extra, digits(extra)),
			Values: []Value{{Mean: rounded(once, unit)}},
		})
	}
	return q
}

// rounded rounds to a unit, halves up.
func rounded(v, unit float64) float64 {
	return math.Floor(v/unit*(1+1e-12)+0.5) * unit
}
