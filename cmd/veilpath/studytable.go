package main

import (
	"fmt"
	"io"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// printStudy prints the summary of a study in the format asked for.
func (a *app) printStudy(r *campaign.Result, attribution bool) error {
	summaries, sweep := r.Summaries, r.Manifest.Sweep
	switch a.format {
	case "csv":
		return flightfile.WriteSummaries(a.stdout, sweep, summaries)
	case "json":
		return a.printJSON(r.JSON())
	}
	if err := writeStudyTable(a.stdout, r, summaries); err != nil {
		return err
	}
	if attribution {
		fmt.Fprintln(a.stdout)
		if err := terminal.WriteSheets(a.stdout, r.Attribution()); err != nil {
			return err
		}
	}
	return printSensitivities(a.stdout, r)
}

// writeStudyTable prints what a person wants to know first.
func writeStudyTable(w io.Writer, r *campaign.Result, points [][]study.Summary) error {
	fmt.Fprintf(w, "%s\n\n", r.Heading())
	lead, legend := pointColumns(r.Manifest.Sweep)
	if len(legend) > 0 {
		places := make([]flightfile.SummaryRow, len(points))
		for point := range points {
			places[point].Point = point
		}
		if err := terminal.WriteTable(w, append(lead, legend...), places); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return terminal.WriteTable(w, append(lead, flightfile.SummaryColumns()...), flightfile.SummaryRows(points))
}

// widestLead is how much of a table the swept keys may take; where they take more, points are numbered.
const widestLead = 40

// pointColumns returns the columns that name a point of a sweep; where they are too wide, its number, and the
// columns of a legend.
func pointColumns(sweep record.Sweep) (lead, legend []table.Column[flightfile.SummaryRow]) {
	lead = flightfile.SweptColumns(sweep)
	wide := 0
	for _, s := range sweep.Keys() {
		values, widest := s.Values, len(s.Key)
		for _, v := range values {
			widest = max(widest, len(table.Text(v)))
		}
		wide += widest + len(terminal.Gap)
	}
	if wide <= widestLead {
		return lead, nil
	}
	for i := range lead {
		lead[i].Lead = false
	}
	return []table.Column[flightfile.SummaryRow]{{Heading: "point", Lead: true, Whole: true,
		Value: func(r *flightfile.SummaryRow) float64 { return float64(r.Point + 1) }}}, lead
}

// printSensitivities prints the indices, or why there are none, for people.
func printSensitivities(w io.Writer, r *campaign.Result) error {
	switch {
	case r.Insensitive != nil:
		_, err := fmt.Fprintf(w, "\nNo Sobol indices: %v.\n", r.Insensitive)
		return err
	case len(r.Sensitivities) == 0:
		return nil
	}
	seen := ""
	if observers := r.Manifest.Sweep.Observers; len(observers) > 0 {
		seen = ", as " + observers[0] + " saw the flights"
	}
	fmt.Fprintf(w, "\nShare of the variance of the mean detection distance over the sweep%s\n(Sobol indices, 95 %% "+
		"intervals):\n\n", seen)
	indices := r.Indices()
	indices.Rows = slices.Clone(indices.Rows)
	for i := range indices.Rows { // an estimate of 0 may come out a little below
		s := &indices.Rows[i]
		s.First.Value, s.Total.Value = min(max(s.First.Value, 0), 1), min(max(s.Total.Value, 0), 1)
	}
	return terminal.WriteTable(w, indices.Columns, indices.Rows)
}
