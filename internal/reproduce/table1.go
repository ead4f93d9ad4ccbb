package reproduce

import (
	"context"
	"math"
	"slices"

	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// The settings of Table 1, stated and not stated in the paper.
const (
	tableDelta, tableAdjacency = 0.01, 1
	tableActions               = 4 // of every agent
)

// computeTable returns a computation that judges the noise of both mechanisms.
func computeTable(item, axis string) computation {
	return func(context.Context, *bench) (*Result, error) {
		quantities, err := quantitiesOf(item)
		if err != nil {
			return nil, err
		}
		result := &Result{}
		chart := &report.Chart{X: report.Axis{Label: axis, Scale: report.Log},
			Y: report.Axis{Label: "Noise σ (reward units)", Scale: report.Log}}
		for hue, q := range quantities {
			values := q.Readings[0].Values
			for i := range q.Numbers {
				result.Judgements = append(result.Judgements, tableCell(q.Name, q.Numbers[i], values[i]).Judge())
			}
			chart.Series = append(chart.Series, publishedCurve(q.Name+", published", hue, q.Numbers),
				computedCurve(q.Name+", computed", report.Computed, hue, q.Numbers, values))
		}
		result.Figures = []Figure{newFigure(item, "The published noise is that of Lemma 1, and of Theorem 2 with L1",
			"δ = 0.01, b = 1, 4 actions per agent; rings: published, lines: computed", chart)}
		var unprinted []Row
		for _, j := range result.Judgements {
			if row := j.Rows[0]; row.Agreement != Digits {
				row.Computed = j.Readings[0].Values[0].Mean // before it is rounded
				unprinted = append(unprinted, row)
			}
		}
		result.Summary = prose("table1", unprinted)
		return result, nil
	}
}

// tableReading describes the settings.
const tableReading = "δ = 0.01, b = 1, m_i = 4"

// tableSigma returns Lemma 1's noise for a sensitivity.
func tableSigma(sensitivity, epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, tableDelta, sensitivity)
}

// outputSigma returns the noise of Algorithm 2 with the paper's L1 bound.
func outputSigma(agents int, epsilon float64) (float64, error) {
	shape, err := privacy.NewShape(1, slices.Repeat([]int{tableActions}, agents))
	if err != nil {
		return 0, err
	}
	sensitivity, err := shape.OutputSensitivity(tableAdjacency, privacy.L1Bound)
	if err != nil {
		return 0, err
	}
	return tableSigma(sensitivity, epsilon)
}

// tableCell returns the quantity of one number of the table, with readings in which it was rounded twice.
func tableCell(name string, n Number, v Value) Quantity {
	q := Quantity{Name: name, Numbers: []Number{n}, Readings: []Reading{{Name: tableReading, Values: []Value{v}}}}
	unit := 2 * n.HalfUnit
	for extra := 1; extra <= 3; extra++ {
		once := rounded(v.Mean, unit/math.Pow10(extra))
		if rounded(once, unit) == rounded(v.Mean, unit) {
			continue
		}
		q.Readings = append(q.Readings, Reading{
			Name:   tableReading,
			Change: "rounded to " + table.Count(extra, "more digit") + " than printed, and then again",
			Values: []Value{{Mean: rounded(once, unit)}},
		})
	}
	return q
}

// rounded rounds to a unit, halves up.
func rounded(v, unit float64) float64 {
	return math.Floor(v/unit*(1+1e-12)+0.5) * unit
}
