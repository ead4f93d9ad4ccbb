package reproduce

import (
	"context"
	"fmt"
	"math"

	"veilpath/planner/privacy"
	"veilpath/sim/report"
)

// survivalDraws is how many draws a point of the figure of Theorem 5 is the mean of: its values are whole multiples of
// 1/100000, but for some that lost a draw or two.
const survivalDraws = 100_000

func theorem5() *Item {
	return &Item{Name: "thm5", Title: "Theorem 5: the goal survives", Where: "Section 6, Figure of Theorem 5", compute: computeTheorem5}
}

func computeTheorem5(context.Context, *bench) (*Result, error) {
	p, err := open("fig_thm5_prob_vs_gap")
	if err != nil {
		return nil, err
	}
	bound, err := p.numbers("reward_gap_reward_units", "thm5_bound_probability", "gap ", true)
	if err != nil {
		return nil, err
	}
	truth, err := p.numbers("reward_gap_reward_units", "true_probability", "gap ", true)
	if err != nil {
		return nil, err
	}
	const sigma = 1 // the paper states neither epsilon nor delta nor b here
	bounds, err := closedForm(bound, func(n Number) (float64, error) {
		goals, err := gapGoals(n.X, 1)
		if err != nil {
			return 0, err
		}
		return goals.Bound(sigma)
	})
	if err != nil {
		return nil, err
	}
	var readings []Reading
	for _, competitors := range []int{2, 1, 3, 4, 7} {
		values, err := survivals(truth, competitors, sigma)
		if err != nil {
			return nil, err
		}
		readings = append(readings, Reading{Name: fmt.Sprintf("σ = 1, %d entries, neither stated", competitors+1), Values: values})
	}
	judged := Quantity{Name: "“True”", Numbers: truth, Readings: readings}.Judge()
	chart := &report.Chart{
		X: report.Axis{Label: "Gap between the largest reward and the others (reward units)"}, Y: report.Axis{Label: "Probability that the goal stays the largest"},
		Series: []report.Series{
			publishedCurve("bound, published", 0, bound), computedCurve("bound, computed", report.Bound, 0, bound, bounds),
			publishedCurve("“True”, published", 1, truth), computedCurve("exact, 3 entries", report.Exact, 1, truth, readings[0].Values),
			computedCurve("exact, 8 entries", report.Exact, 2, truth, readings[4].Values),
		},
	}
	return &Result{
		Judgements: []*Judgement{Quantity{Name: "bound", Numbers: bound, Readings: []Reading{{Name: "σ = 1, not stated", Values: bounds}}}.Judge(), judged},
		Figures: []Figure{newFigure("thm5", "The bound compares one pair of entries; every further entry lowers the truth",
			"Noise σ = 1; rings: published, lines: computed", "", chart)},
		Summary: []string{"The figure is of noise with σ = 1 exactly and of a reward table with three entries only: with two, four, five or eight the simulated points are many standard errors away. The bound does not change with the size of the table, and the truth does."},
	}, nil
}

// gapGoals is a reward table with one entry above some others that are tied.
func gapGoals(gap float64, competitors int) (*privacy.Goals, error) {
	reward := make([]float64, 1+competitors)
	reward[0] = gap
	return privacy.NewGoals(reward, 1, 0)
}

func survivals(numbers []Number, competitors int, sigma float64) ([]Value, error) {
	values, err := closedForm(numbers, func(n Number) (float64, error) {
		goals, err := gapGoals(n.X, competitors)
		if err != nil {
			return 0, err
		}
		return goals.Probability(sigma)
	})
	for i := range values {
		p := min(max(values[i].Mean, 0), 1)
		values[i].PublishedSE = math.Sqrt(p * (1 - p) / survivalDraws)
	}
	return values, err
}
