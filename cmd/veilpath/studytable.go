package main

import (
	"fmt"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// printStudy prints the summary of a study in the requested format.
func (a *app) printStudy(r *campaign.Result, attribution bool) error {
	summaries, sweep := r.Summaries, r.Manifest.Sweep
	switch a.format {
	case "csv":
		return flightfile.WriteSummaries(a.stdout, sweep, summaries)
	case "json":
		return a.printJSON(r.JSON())
	}
	if err := a.printSummaries(r, summaries); err != nil {
		return err
	}
	if attribution {
		fmt.Fprintln(a.stdout)
		if err := terminal.WriteSheets(a.stdout, r.Attribution()); err != nil {
			return err
		}
	}
	return a.printSensitivities(r)
}

// printSummaries prints the sentences and the table of summaries.
func (a *app) printSummaries(r *campaign.Result, points [][]study.Summary) error {
	if err := a.printer().Say("%s\n\n", r.Heading()); err != nil {
		return err
	}
	lead, legend := pointColumns(r.Manifest.Sweep)
	if len(legend) > 0 {
		places := make([]flightfile.SummaryRow, len(points))
		for point := range points {
			places[point].Point = point
		}
		if err := terminal.Table(a.printer(), append(lead, legend...), places); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout)
	}
	columns := append(lead, terminal.First(flightfile.SummaryColumns(), "mean km", "noise alone", "cost", "detour")...)
	return terminal.Table(a.printer(), columns, flightfile.SummaryRows(points))
}

// widestLead is the largest width of the swept keys in a table. If they are wider, points are numbered.
const widestLead = 40

// pointColumns returns the columns that identify a point of a sweep. If they are too wide, it returns the number
// of the point, and the columns of a legend.
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

// printSensitivities prints the Sobol indices, or why there are none.
func (a *app) printSensitivities(r *campaign.Result) error {
	switch {
	case r.Insensitive != nil:
		return a.printer().Say("\nNo Sobol indices: %v.", r.Insensitive)
	case len(r.Sensitivities) == 0:
		return nil
	}
	seen := ""
	if observers := r.Manifest.Sweep.Observers; len(observers) > 0 {
		seen = ", for the observer " + observers[0]
	}
	err := a.printer().Say("\nShare of the variance of the mean detection distance over the sweep%s (Sobol indices, 95 "+
		"%% intervals):\n\n", seen)
	if err != nil {
		return err
	}
	indices := r.Indices()
	indices.Rows = slices.Clone(indices.Rows)
	for i := range indices.Rows { // an estimate of 0 may be slightly negative
		s := &indices.Rows[i]
		s.First.Value, s.Total.Value = min(max(s.First.Value, 0), 1), min(max(s.Total.Value, 0), 1)
	}
	return terminal.Table(a.printer(), indices.Columns, indices.Rows)
}
