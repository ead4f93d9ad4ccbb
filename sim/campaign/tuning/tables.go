package tuning

import (
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// WriteCSV writes the surface at the listed epsilons.
func (t *Tuning) WriteCSV(w io.Writer) error { return study.WriteSurface(w, t.Cells) }

// Sections implements Answer: the answer and the epsilons near the chosen one, and the listed epsilons for the
// observer's radius.
func (t *Tuning) Sections(bool) []table.Section {
	text := t.BaselineSentence() + "\n"
	listed := table.Section{Table: t.listed().First("mean km", "cost", "detour"),
		Text: fmt.Sprintf("%s per listed epsilon, observer of radius %g km, delta %g, %g %% intervals.\n\n",
			table.Count(t.Survey.Runs, "run"), t.Settings.Adversary.RadiusKm, t.Survey.Experiment.Delta(),
			100*t.Requirement.Confidence)}
	switch {
	case t.Found == nil:
		listed.Text = t.surfaceSentence() + "\n" + text + listed.Text
		return []table.Section{listed}
	case len(t.near) == 0:
		listed.Text = t.Sentence() + "\n" + text + listed.Text
		return []table.Section{listed}
	}
	listed.Text, listed.Full = "\n"+listed.Text, true
	near := table.Table[study.SurfaceCell]{Rows: t.near,
		Columns: table.InKm(NearColumns(t), campaign.Decimals(t.Settings.Config))}
	return []table.Section{{Table: near.First("demand", "hidden", "mean km", "cost", "detour", "flights"),
		Text: fmt.Sprintf("%s\n%sNear the answer, with a %g %% interval for each epsilon alone:\n\n", t.Sentence(), text,
			100*t.Requirement.Confidence)}, listed}
}

// nearFactors are the epsilons near the answer, relative to the chosen one.
var nearFactors = []float64{0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2}

// rounded returns a number with three significant digits.
func rounded(x float64) float64 { return table.Digits(x, 3, math.RoundToEven) }

// nearby returns the results of the search's flights at the chosen epsilon and around it, none if no epsilon is chosen.
// Each interval is for its epsilon alone.
func (t *Tuning) nearby() (near []study.SurfaceCell, err error) {
	chosen := t.Chosen()
	if math.IsNaN(chosen) {
		return nil, nil
	}
	for _, factor := range nearFactors {
		epsilon := chosen
		if factor != 1 {
			epsilon = rounded(factor * chosen)
		}
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

// listed returns the cells at the listed epsilons and the observer's radius.
func (t *Tuning) listed() table.Table[study.SurfaceCell] {
	return table.Table[study.SurfaceCell]{Rows: t.Own(),
		Columns: table.InKm(study.SurfaceColumns(), campaign.Decimals(t.Settings.Config))}
}
