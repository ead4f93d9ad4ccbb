package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// printTuning prints the answer, and the surface as far as the format holds it.
func (a *app) printTuning(t *campaign.Tuning) error {
	switch a.format {
	case "csv":
		return record.WriteSurface(a.stdout, t.Cells)
	case "json":
		return a.printJSON(t.JSON())
	}
	return writeTuneTable(a.stdout, t)
}

// writeTuneTable prints the answer, the looks that led to it, and the listed epsilons as the observer's own radius
// sees them.
func writeTuneTable(w io.Writer, t *campaign.Tuning) error {
	if len(t.Borders) > 0 {
		fmt.Fprintf(w, "%s\n\n", t.Sentence())
	}
	for i := range t.Borders {
		fmt.Fprintf(w, "The %s, at most %g:\n\n", t.Borders[i].Demand.Name, t.Borders[i].Demand.Limit)
		if err := terminal.WriteTable(w, lookColumns[:1], lookColumns[1:], t.Borders[i].Looks); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	own := t.Own()
	front := study.Pareto(own)
	fmt.Fprintf(w, "Observer of radius %g km, %d runs per epsilon, delta %g, %g %% intervals:\n\n",
		t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Survey.Experiment.Delta(), 100*t.Requirement.Confidence)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	columns := surfaceColumns()
	return terminal.WriteTable(w, columns[:1], columns[1:], rows)
}

// lookColumns are the columns of the table of looks.
var lookColumns = []terminal.Column[study.Look]{
	{Heading: "runs", Meaning: "flown before the look", Cell: func(l *study.Look) string { return fmt.Sprint(l.Runs) }},
	{Heading: "range flown", Meaning: "epsilons on which the last of them were flown: where the answer may still be",
		Cell: func(l *study.Look) string { return fmt.Sprintf("%g .. %g", l.Axis.Low, l.Axis.High) }},
	{Heading: "met", Meaning: "epsilon up to which the demand is shown to be met; for a cost from which on", Cell: func(l *study.Look) string { return borderText(l.Met) }},
	{Heading: "not met", Meaning: "epsilon from which on it is shown not to be; for a cost up to which", Cell: func(l *study.Look) string { return borderText(l.NotMet) }},
	{Heading: "crossing", Meaning: "epsilon at which the figure that the demand is on is the limit, estimated",
		Cell: func(l *study.Look) string { return borderText(l.Crossing.Value) }},
	{Heading: "interval", Meaning: "of the figure before it, at --confidence", Beside: true,
		Cell: func(l *study.Look) string { return borderText(l.Crossing.Low) + " .. " + borderText(l.Crossing.High) }},
}

// borderText writes an epsilon, a question mark where there is none.
func borderText(x float64) string {
	if math.IsNaN(x) {
		return "?"
	}
	return fmt.Sprintf("%.4g", x)
}

// surfaceRow is a row of the table of a tuning.
type surfaceRow struct {
	*study.SurfaceCell
	best bool // nothing is nearer, cheaper and shorter at once
}

// surfaceColumns returns the columns of the table of a tuning: epsilon first, then the estimates that have a heading.
func surfaceColumns() []terminal.Column[surfaceRow] {
	columns := []terminal.Column[surfaceRow]{
		{Heading: "epsilon", Meaning: "strength of privacy, smaller hides more", Cell: func(r *surfaceRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
		{Heading: "sigma", Meaning: study.SigmaMeaning, Cell: func(r *surfaceRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	}
	meaning := "of the figure before it, at --confidence" // told once
	for _, e := range study.Estimates() {
		if e.Heading == "" {
			continue
		}
		number := func(x float64) string { return terminal.Decimals(x, 2) }
		span := func(low, high float64) string { return terminal.Span(low, high, 2) }
		if e.Unit == "1" {
			number, span = terminal.Percent, func(low, high float64) string { return terminal.Span(100*low, 100*high, 1) + " %" }
		}
		columns = append(columns, terminal.Column[surfaceRow]{Heading: e.Heading, Meaning: e.Explained,
			Cell: func(r *surfaceRow) string { return number(e.In(r.SurfaceCell).Value) }})
		if e.Spanned {
			columns = append(columns, terminal.Column[surfaceRow]{Heading: "interval", Meaning: meaning, Beside: true,
				Cell: func(r *surfaceRow) string { return span(e.In(r.SurfaceCell).Low, e.In(r.SurfaceCell).High) }})
			meaning = ""
		}
	}
	return append(columns, terminal.Column[surfaceRow]{Heading: "best", Meaning: "+ where no other epsilon is nearer, cheaper and shorter at once (Pareto front)",
		Cell: func(r *surfaceRow) string {
			if r.best {
				return "+"
			}
			return ""
		}})
}
