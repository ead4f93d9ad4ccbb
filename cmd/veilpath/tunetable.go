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
		t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Settings.Privacy.Delta, 100*t.Requirement.Confidence)
	rows := make([]surfaceRow, len(own))
	for i := range own {
		rows[i] = surfaceRow{&own[i], slices.Contains(front, i)}
	}
	return terminal.WriteTable(w, surfaceColumns[:1], surfaceColumns[1:], rows)
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

// surfaceColumns are the columns of the table of a tuning, epsilon first.
var surfaceColumns = []terminal.Column[surfaceRow]{
	{Heading: "epsilon", Meaning: "strength of privacy, smaller hides more", Cell: func(r *surfaceRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
	{Heading: "sigma", Meaning: "standard deviation of the noise on every reward", Cell: func(r *surfaceRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	{Heading: "mean km", Meaning: "mean distance to the target where the destination was recognised; 0 where it never was",
		Cell: func(r *surfaceRow) string { return terminal.Decimals(r.Mean.Value, 2) }},
	{Heading: "interval", Meaning: "of the figure before it, at --confidence", Beside: true, Cell: func(r *surfaceRow) string { return terminal.Span(r.Mean.Low, r.Mean.High, 2) }},
	{Heading: "median", Meaning: "of that distance", Cell: func(r *surfaceRow) string { return terminal.Decimals(r.Median.Value, 2) }},
	{Heading: "interval", Beside: true, Cell: func(r *surfaceRow) string { return terminal.Span(r.Median.Low, r.Median.High, 2) }},
	{Heading: "before hand-over", Meaning: "flights recognised while waypoints were still commanded",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.BeforeHandover.Value) }},
	{Heading: "interval", Beside: true, Cell: func(r *surfaceRow) string {
		return terminal.Span(100*r.BeforeHandover.Low, 100*r.BeforeHandover.High, 1) + " %"
	}},
	{Heading: "cost", Meaning: "mean cost of privacy: value lost at the start, as a share of the best there is",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.CostOfPrivacy.Value) }},
	{Heading: "detour", Meaning: "how much longer a flight takes than without privacy, the median",
		Cell: func(r *surfaceRow) string { return terminal.Percent(r.MedianOverhead.Value) }},
	{Heading: "best", Meaning: "+ where no other epsilon is nearer, cheaper and shorter at once (Pareto front)", Cell: func(r *surfaceRow) string {
		if r.best {
			return "+"
		}
		return ""
	}},
}
