package main

import (
	"fmt"
	"io"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// printTuning prints the answer, and the surface as far as the format holds it.
func (a *app) printTuning(t *campaign.Tuning) error {
	switch a.format {
	case "csv":
		return study.WriteSurface(a.stdout, t.Cells)
	case "json":
		return a.printJSON(t.JSON())
	}
	return writeTuneTable(a.stdout, t)
}

// writeTuneTable prints the answer, the looks that led to it, and the listed epsilons as the observer's own radius
// sees them.
func writeTuneTable(w io.Writer, t *campaign.Tuning) error {
	if t.Found != nil {
		fmt.Fprintf(w, "%s\n\n", t.Sentence())
		for i := range t.Found.Answers {
			if err := writeAnalyses(w, &t.Found.Answers[i], len(t.Found.Answers) > 1); err != nil {
				return err
			}
		}
	}
	own := t.Own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "%s\nObserver of radius %g km, %d runs per epsilon, delta %g, %g %% intervals:\n\n",
		t.BaselineSentence(), t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Survey.Experiment.Delta(),
		100*t.Requirement.Confidence)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	return terminal.WriteTable(w, surfaceColumns(), rows)
}

// writeAnalyses prints the interim analyses of a demand, and the sets where the sentence before has those of all
// demands.
func writeAnalyses(w io.Writer, a *study.Answer, sets bool) error {
	fmt.Fprintf(w, "The %s, at most %.4g:\n", a.Demand.Name, a.Demand.Limit)
	if sets {
		all := func(ranges []study.Range) string { return campaign.RangesText(ranges, 4) }
		fmt.Fprintf(w, "Met: %s. Not met: %s. Undecided: %s.\n", all(a.Met), all(a.NotMet), all(a.Undecided))
	}
	fmt.Fprintln(w)
	if err := terminal.WriteTable(w, lookColumns, a.Analyses); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return nil
}

// lookColumns are the columns of the table of interim analyses.
var lookColumns = []table.Column[study.Analysis]{
	{Heading: "runs", Meaning: "flown before the analysis", Lead: true, Whole: true,
		Value: func(l *study.Analysis) float64 { return float64(l.Runs) }},
	{Heading: "range flown", Meaning: "epsilons on which the last of them were flown: from the first that was undecided " +
		"to the last", Format: "%.4g .. %.4g", Value: func(l *study.Analysis) float64 { return l.Axis.Low },
		End: func(l *study.Analysis) float64 { return l.Axis.High }},
	{Heading: "met", Meaning: "epsilons shown to meet the demand by then",
		Text: func(l *study.Analysis) string { return campaign.RangesText(l.Met, 2) }},
	{Heading: "not met", Meaning: "epsilons shown not to",
		Text: func(l *study.Analysis) string { return campaign.RangesText(l.NotMet, 2) }},
}

// surfaceRow is a row of the table of a tuning.
type surfaceRow struct {
	*study.SurfaceCell
	best bool // nothing is nearer, cheaper and shorter at once
}

// surfaceColumns returns the columns of the table of a tuning: those of the surface, and which rows are best.
func surfaceColumns() (columns []table.Column[surfaceRow]) {
	for _, c := range study.SurfaceColumns() {
		columns = append(columns, table.Of(c, func(r *surfaceRow) *study.SurfaceCell { return r.SurfaceCell }))
	}
	return append(columns, table.Column[surfaceRow]{Heading: "best",
		Meaning: "+ where no other epsilon is nearer, cheaper and shorter at once (Pareto front)",
		Text: func(r *surfaceRow) string {
			if r.best {
				return "+"
			}
			return ""
		}})
}
