package main

import (
	"fmt"
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
	return a.printTuneTable(t)
}

// printTuneTable prints the answer, and the listed epsilons as the observer's own radius sees them; with --full the
// interim analyses that led to the answer too.
func (a *app) printTuneTable(t *campaign.Tuning) error {
	own := t.Own()
	text := t.BaselineSentence()
	if t.Found != nil {
		text = t.Sentence() + "\n" + text
	}
	err := a.printer().Say("%s\n%s per listed epsilon, observer of radius %g km, delta %g, %g %% intervals.\n\n", text,
		terminal.Count(t.Survey.Runs, "run"), t.Settings.Adversary.RadiusKm, t.Survey.Experiment.Delta(),
		100*t.Requirement.Confidence)
	if err != nil {
		return err
	}
	front := study.Pareto(own)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	if err := terminal.Table(a.printer(), terminal.First(surfaceColumns(), "mean km", "cost", "detour", "best"),
		rows); err != nil ||
		t.Found == nil {
		return err
	}
	if !a.full {
		a.printer().LeaveOut(len(t.Found.Answers), 0)
		return nil
	}
	for i := range t.Found.Answers {
		if err := a.printAnalyses(&t.Found.Answers[i], len(t.Found.Answers) > 1); err != nil {
			return err
		}
	}
	return nil
}

// printAnalyses prints the interim analyses of a demand, and the sets where the sentence before has those of all
// demands.
func (a *app) printAnalyses(d *study.Answer, sets bool) error {
	text := fmt.Sprintf("\nThe %s, at most %.4g:\n", d.Demand.Name, d.Demand.Limit)
	if sets {
		all := func(ranges []study.Range) string { return campaign.RangesText(ranges, 4) }
		text += fmt.Sprintf("Met: %s. Not met: %s. Undecided: %s.\n", all(d.Met), all(d.NotMet), all(d.Undecided))
	}
	if err := a.printer().Say("%s\n", text); err != nil {
		return err
	}
	return terminal.WriteTable(a.stdout, lookColumns, d.Analyses)
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
