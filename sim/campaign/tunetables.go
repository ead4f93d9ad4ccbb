package campaign

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"veilpath/internal/table"
	"veilpath/sim/study"
)

// nearFactors are the epsilons of Near, relative to the middle one.
var nearFactors = []float64{0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2}

// Near returns the results of the search's flights at epsilons around the chosen one, and whether each is shown to
// meet the demand. If none is chosen, the epsilons are around the one with the lowest mean of the first demand.
// The tuning must have a demand. Each interval is for its epsilon alone.
func (t *Tuning) Near() (near table.Table[study.SurfaceCell], err error) {
	near.Columns = NearColumns(t)
	middle := t.Chosen()
	if math.IsNaN(middle) {
		middle, _ = t.lowest(&t.Found.Answers[0].Demand)
	}
	for _, factor := range nearFactors {
		epsilon := middle
		if factor != 1 {
			epsilon, _ = strconv.ParseFloat(fmt.Sprintf("%.3g", factor*middle), 64)
		}
		if epsilon < t.Requirement.Low || epsilon > t.Requirement.High {
			continue
		}
		cell, err := t.Found.At(epsilon, t.Requirement.Confidence)
		if err != nil {
			return near, err
		}
		near.Rows = append(near.Rows, cell)
	}
	return near, nil
}

// setNames are the names of the sets of an answer.
var setNames = map[study.Decision]string{study.Met: "met", study.NotMet: "not met", study.Undecided: "undecided"}

// NearColumns returns the columns of Near, or all possible columns if t is nil.
func NearColumns(t *Tuning) []table.Column[study.SurfaceCell] {
	columns := slices.DeleteFunc(study.SurfaceColumns(), func(c table.Column[study.SurfaceCell]) bool {
		return c.Heading == "sigma"
	})
	columns = append(columns,
		table.Column[study.SurfaceCell]{Heading: "flights", Meaning: "flights of the search at this epsilon", Whole: true,
			Value: func(c *study.SurfaceCell) float64 { return float64(c.Runs) }},
		table.Column[study.SurfaceCell]{Heading: "demand", Meaning: "whether the epsilon is shown to meet the demand",
			Text: func(c *study.SurfaceCell) string {
				sets := t.Found.Sets()
				return setNames[sets.Decision(c.Epsilon)]
			}})
	if t == nil || t.Requirement.ofQuantile() {
		columns = append(columns, table.Column[study.SurfaceCell]{Heading: "hidden", Format: "%.1p %%",
			Meaning: "share of the flights that stay hidden until the demanded distance",
			Value: func(c *study.SurfaceCell) float64 {
				return 1 - t.Found.Means(&t.Found.Answers[0].Demand, []float64{c.Epsilon})[0]
			}})
	}
	return columns
}

// ListedCell is a cell at a listed epsilon and the observer's radius.
type ListedCell struct {
	*study.SurfaceCell
	best bool // no other epsilon has a smaller distance, cost and detour
}

// Listed returns the cells at the listed epsilons and the observer's radius.
func (t *Tuning) Listed() table.Table[ListedCell] {
	own := t.Own()
	front := study.Pareto(own)
	rows := make([]ListedCell, len(own))
	for i := range own {
		rows[i] = ListedCell{&own[i], slices.Contains(front, i)}
	}
	return table.Table[ListedCell]{Columns: ListedColumns(), Rows: rows}
}

// ListedColumns returns the columns of Listed: the columns of the surface, and a mark for the best rows.
func ListedColumns() (columns []table.Column[ListedCell]) {
	for _, c := range study.SurfaceColumns() {
		columns = append(columns, table.Of(c, func(r *ListedCell) *study.SurfaceCell { return r.SurfaceCell }))
	}
	return append(columns, table.Column[ListedCell]{Heading: "best",
		Meaning: "+ if no other epsilon has a smaller distance, cost and detour (Pareto front)",
		Text: func(r *ListedCell) string {
			if r.best {
				return "+"
			}
			return ""
		}})
}
