package tuning

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// WriteCSV writes the surface at the listed epsilons.
func (t *Tuning) WriteCSV(w io.Writer) error { return study.WriteSurface(w, t.Cells) }

// Sections implements Answer: the answer and the epsilons near it, and then, or if there is no demand, the listed
// epsilons for the observer's radius, and the interim analyses.
func (t *Tuning) Sections(bool) []table.Section {
	text := t.BaselineSentence() + "\n"
	listed := table.Section{Table: t.listed().First("mean km", "cost", "detour", "best"),
		Text: fmt.Sprintf("%s per listed epsilon, observer of radius %g km, delta %g, %g %% intervals.\n\n",
			table.Count(t.Survey.Runs, "run"), t.Settings.Adversary.RadiusKm, t.Survey.Experiment.Delta(),
			100*t.Requirement.Confidence)}
	if t.Found == nil {
		listed.Text = t.surfaceSentence() + "\n" + text + listed.Text
		return []table.Section{listed}
	}
	listed.Text, listed.Full = "\n"+listed.Text, true
	near := table.Table[study.SurfaceCell]{Rows: t.near,
		Columns: table.InKm(NearColumns(t), campaign.Decimals(t.Settings.Config))}
	sections := []table.Section{{Table: near.First("demand", "hidden", "mean km", "cost", "detour", "flights"),
		Text: fmt.Sprintf("%s\n%sNear the answer, with a %g %% interval for each epsilon alone:\n\n", t.Sentence(), text,
			100*t.Requirement.Confidence)}, listed}
	for i := range t.Found.Answers {
		sections = append(sections, analyses(&t.Found.Answers[i], len(t.Found.Answers) > 1))
	}
	return sections
}

// analyses returns the interim analyses of a demand, with its sets if there are several demands, because the sentence
// before has the sets for all of them together.
func analyses(a *study.Answer, sets bool) table.Section {
	text := fmt.Sprintf("\nThe %s, at most %.4g:\n", a.Demand.Name, a.Demand.Limit)
	if sets {
		all := func(ranges []study.Range) string { return rangesText(ranges, campaign.MostListed) }
		text += fmt.Sprintf("Met: %s. Not met: %s. Undecided: %s.\n", all(a.Met), all(a.NotMet), all(a.Undecided))
	}
	return table.Section{Text: text + "\n", Full: true,
		Table: table.Table[study.Analysis]{Columns: AnalysisColumns(), Rows: a.Analyses}}
}

// AnalysisColumns returns the columns of interim analyses.
func AnalysisColumns() []table.Column[study.Analysis] {
	return []table.Column[study.Analysis]{
		{Heading: "runs", Meaning: "flown before the analysis", Lead: true, Whole: true,
			Value: func(l *study.Analysis) float64 { return float64(l.Runs) }},
		{Heading: "range flown", Meaning: "epsilons of the last runs, from the first undecided one to the last",
			Format: "%.4g .. %.4g", Value: func(l *study.Analysis) float64 { return l.Axis.Low },
			End: func(l *study.Analysis) float64 { return l.Axis.High }},
		{Heading: "met", Meaning: "epsilons shown to meet the demand by then",
			Text: func(l *study.Analysis) string { return rangesText(l.Met, 2) }},
		{Heading: "not met", Meaning: "epsilons shown not to meet it by then",
			Text: func(l *study.Analysis) string { return rangesText(l.NotMet, 2) }},
	}
}

// nearFactors are the epsilons near the answer, relative to the middle one.
var nearFactors = []float64{0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2}

// nearEpsilons returns the chosen epsilon and others around it. If none is chosen, they are those from one demand's
// epsilons to the other's where both are met somewhere, and otherwise around the lowest mean of the first demand.
func (t *Tuning) nearEpsilons() (all []float64) {
	chosen := t.Chosen()
	if answers := t.Found.Answers; math.IsNaN(chosen) && len(answers) == 2 && len(answers[0].Met) > 0 &&
		len(answers[1].Met) > 0 {
		gap := between(answers[0].Met, answers[1].Met)
		for _, epsilon := range floats.LogSpan(make([]float64, len(nearFactors)), gap.Low, gap.High) {
			all = append(all, rounded(epsilon))
		}
		return all
	}
	middle := chosen
	if math.IsNaN(middle) {
		lowest, _ := t.lowest(&t.Found.Answers[0].Demand)
		middle = rounded(lowest)
	}
	for _, factor := range nearFactors {
		epsilon := middle
		if factor != 1 {
			epsilon = rounded(factor * middle)
		}
		all = append(all, epsilon)
	}
	return all
}

// rounded returns a number with three significant digits.
func rounded(x float64) float64 { return table.Digits(x, 3, math.RoundToEven) }

// between returns the smallest gap, as a ratio, between ranges of two sets that share no epsilon.
func between(a, b []study.Range) (gap study.Range) {
	least := math.Inf(1)
	for _, x := range a {
		for _, y := range b {
			low, high := min(x.High, y.High), max(x.Low, y.Low)
			if high/low < least {
				least, gap = high/low, study.Range{Low: low, High: high}
			}
		}
	}
	return gap
}

// nearby returns the results of the search's flights at epsilons near the answer. The tuning must have a demand. Each
// interval is for its epsilon alone.
func (t *Tuning) nearby() (near []study.SurfaceCell, err error) {
	for _, epsilon := range t.nearEpsilons() {
		if epsilon < t.Requirement.Low || epsilon > t.Requirement.High {
			continue
		}
		cell, err := t.Found.At(epsilon, t.Requirement.Confidence)
		if err != nil {
			return near, err
		}
		near = append(near, cell)
	}
	return near, nil
}

// setNames are the names of the sets of an answer.
var setNames = map[study.Decision]string{study.Met: "met", study.NotMet: "not met", study.Undecided: "undecided"}

// NearColumns returns the columns of epsilons near the answer, with whether each is shown to meet the demand, or all
// possible columns if t is nil.
func NearColumns(t *Tuning) []table.Column[study.SurfaceCell] {
	columns := slices.DeleteFunc(study.SurfaceColumns(), func(c table.Column[study.SurfaceCell]) bool {
		return c.Heading == "sigma"
	})
	for i := range columns {
		if c := &columns[i]; c.Heading == "epsilon" {
			c.Format = "%.4g"
		}
	}
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

// listed returns the cells at the listed epsilons and the observer's radius.
func (t *Tuning) listed() table.Table[ListedCell] {
	own := t.Own()
	front := study.Pareto(own)
	rows := make([]ListedCell, len(own))
	for i := range own {
		rows[i] = ListedCell{&own[i], slices.Contains(front, i)}
	}
	return table.Table[ListedCell]{Rows: rows,
		Columns: table.InKm(ListedColumns(), campaign.Decimals(t.Settings.Config))}
}

// ListedColumns returns the columns of listed epsilons: the columns of the surface, and a mark for the best rows.
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
