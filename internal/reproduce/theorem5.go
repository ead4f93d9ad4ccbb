package reproduce

import (
	"context"
	"fmt"

	"veilpath/internal/report"
	"veilpath/planner/privacy"
)

// survivalDraws is the sample size of a point of the figure of Theorem 5: its values are multiples of 1/100000,
// except some that miss a draw or two.
const survivalDraws = 100_000

func computeTheorem5(context.Context, *bench) (*Result, error) {
	quantities, err := quantitiesOf("thm5")
	if err != nil {
		return nil, err
	}
	bound, truth := quantities[0].Judge(), quantities[1].Judge()
	chart := &report.Chart{
		X: report.Axis{Label: "Gap between the largest reward and the others (reward units)"},
		Y: report.Axis{Label: "Probability that the goal stays the largest"},
		Series: []report.Series{
			publishedCurve("bound, published", 0, bound.Numbers),
			computedCurve("bound, computed", report.Bound, 0, bound.Numbers, bound.Reading().Values),
			publishedCurve("“True”, published", 1, truth.Numbers),
			computedCurve("exact, 3 entries", report.Exact, 1, truth.Numbers, truth.Readings[0].Values),
			computedCurve("exact, 8 entries", report.Exact, 2, truth.Numbers, truth.Readings[4].Values),
		},
	}
	return &Result{
		Judgements: []*Judgement{bound, truth},
		Figures: []Figure{newFigure("thm5", "The bound compares one pair of entries; every further entry lowers the truth",
			"Noise σ = 1; rings: published, lines: computed", chart)},
		Summary: prose("thm5", nil),
	}, nil
}

// gapGoals returns the goals of a table with one entry above some tied others.
func gapGoals(gap float64, competitors int) (*privacy.Goals, error) {
	reward := make([]float64, 1+competitors)
	reward[0] = gap
	return privacy.NewGoals(reward, 1, 0)
}

const survivalSigma = 1 // the paper states neither epsilon nor delta nor b here

func survivalBound(gap float64) (float64, error) {
	goals, err := gapGoals(gap, 1)
	if err != nil {
		return 0, err
	}
	return goals.Bound(survivalSigma)
}

// survivals returns the readings in which the goal has a given number of competitors.
func survivals(competitors ...int) []formula {
	var readings []formula
	for _, n := range competitors {
		readings = append(readings, formula{fmt.Sprintf("σ = 1, %d entries, neither stated", n+1), "",
			func(gap float64) (float64, error) {
				goals, err := gapGoals(gap, n)
				if err != nil {
					return 0, err
				}
				return goals.Probability(survivalSigma)
			}})
	}
	return readings
}
