package main

import (
	"fmt"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// printTuning prints the answer in the requested format. As csv it is the surface at the listed epsilons.
func (a *app) printTuning(t *campaign.Tuning) error {
	switch a.format {
	case "csv":
		return study.WriteSurface(a.stdout, t.Cells)
	case "json":
		return a.printJSON(t.JSON())
	}
	return a.printTuneTable(t)
}

// printTuneTable prints the answer and the epsilons near it. With --full, or without a demand, it prints the
// listed epsilons for the observer's radius. With --full it also prints the interim analyses.
func (a *app) printTuneTable(t *campaign.Tuning) error {
	text := t.BaselineSentence()
	if t.Found == nil {
		if err := a.printer().Say("%s\n", text); err != nil {
			return err
		}
		return a.printListed(t)
	}
	near, err := t.Near()
	if err != nil {
		return err
	}
	err = a.printer().Say("%s\n%s\nNear the answer, with a %g %% interval for each epsilon alone:\n\n", t.Sentence(), text,
		100*t.Requirement.Confidence)
	if err != nil {
		return err
	}
	columns := terminal.First(near.Columns, "demand", "hidden", "mean km", "cost", "detour", "flights")
	if err := terminal.Table(a.printer(), columns, near.Rows); err != nil {
		return err
	}
	if !a.full {
		a.printer().LeaveOut(1+len(t.Found.Answers), 0)
		return nil
	}
	if err := a.printer().Say("\n"); err != nil {
		return err
	}
	if err := a.printListed(t); err != nil {
		return err
	}
	for i := range t.Found.Answers {
		if err := a.printAnalyses(&t.Found.Answers[i], len(t.Found.Answers) > 1); err != nil {
			return err
		}
	}
	return nil
}

// printListed prints the listed epsilons for the observer's radius.
func (a *app) printListed(t *campaign.Tuning) error {
	err := a.printer().Say("%s per listed epsilon, observer of radius %g km, delta %g, %g %% intervals.\n\n",
		terminal.Count(t.Survey.Runs, "run"), t.Settings.Adversary.RadiusKm, t.Survey.Experiment.Delta(),
		100*t.Requirement.Confidence)
	if err != nil {
		return err
	}
	listed := t.Listed()
	return terminal.Table(a.printer(), terminal.First(listed.Columns, "mean km", "cost", "detour", "best"), listed.Rows)
}

// printAnalyses prints the interim analyses of a demand. It prints the sets too if there are several demands,
// because the sentence before has the sets for all of them together.
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
	{Heading: "range flown", Meaning: "epsilons of the last runs, from the first undecided one to the last",
		Format: "%.4g .. %.4g", Value: func(l *study.Analysis) float64 { return l.Axis.Low },
		End: func(l *study.Analysis) float64 { return l.Axis.High }},
	{Heading: "met", Meaning: "epsilons shown to meet the demand by then",
		Text: func(l *study.Analysis) string { return campaign.RangesText(l.Met, 2) }},
	{Heading: "not met", Meaning: "epsilons shown not to meet it by then",
		Text: func(l *study.Analysis) string { return campaign.RangesText(l.NotMet, 2) }},
}
