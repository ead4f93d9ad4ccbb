package main

import (
	"cmp"
	"fmt"
	"io"

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
	lead, legend := pointColumns(r.Manifest.Sweep.Keys())
	var rows []summaryRow
	for point, summaries := range points {
		for i := range summaries {
			rows = append(rows, summaryRow{point, &summaries[i]})
		}
	}
	if len(legend) > 0 {
		places := make([]summaryRow, len(points))
		for point := range points {
			places[point].point = point
		}
		if err := terminal.WriteTable(w, lead, legend, places); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	columns := summaryColumns()
	return terminal.WriteTable(w, append(lead, columns[0]), columns[1:], rows)
}

// summaryRow is a row of the table of a study.
type summaryRow struct {
	point int
	*study.Summary
}

// summaryColumns returns the columns of the table of a study, epsilon first, then the statistics that have a heading.
func summaryColumns() []terminal.Column[summaryRow] {
	columns := []terminal.Column[summaryRow]{
		{Heading: "epsilon", Meaning: "strength of privacy: the smaller, the more noise; none is the plan without noise",
			Cell: func(r *summaryRow) string { return table.EpsilonText(r.Epsilon) }},
		{Heading: "sigma", Meaning: study.SigmaMeaning,
			Cell: func(r *summaryRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	}
	for _, s := range study.Statistics() {
		c := terminal.Column[summaryRow]{Heading: s.Heading, Meaning: cmp.Or(s.Explained, s.Meaning), Beside: s.To != nil}
		switch {
		case s.Heading == "":
			continue
		case s.To != nil:
			c.Cell = func(r *summaryRow) string { return terminal.Span(*s.Of(r.Summary), *s.To(r.Summary), 2) }
		case s.Unit == "1":
			c.Cell = func(r *summaryRow) string { return terminal.Percent(*s.Of(r.Summary)) }
		default:
			c.Cell = func(r *summaryRow) string { return terminal.Decimals(*s.Of(r.Summary), 2) }
		}
		columns = append(columns, c)
	}
	return columns
}

// widestLead is how much of a table the swept keys may take; where they take more, points are numbered.
const widestLead = 40

// pointColumns returns the columns that name a point of a sweep; where they are too wide, its number, and the
// columns of a legend.
func pointColumns(sweep []record.Swept) (lead, legend []terminal.Column[summaryRow]) {
	wide := 0
	for k, s := range sweep {
		values, widest := s.Values, len(s.Key)
		for _, v := range values {
			widest = max(widest, len(table.Text(v)))
		}
		wide += widest + len(terminal.Gap)
		lead = append(lead, terminal.Column[summaryRow]{Heading: s.Key, Cell: func(r *summaryRow) string {
			return table.Text(record.PointValues(sweep, r.point)[k])
		}})
	}
	if wide <= widestLead {
		return lead, nil
	}
	return []terminal.Column[summaryRow]{{Heading: "point",
		Cell: func(r *summaryRow) string { return fmt.Sprint(r.point + 1) }}}, lead
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
	return terminal.WriteTable(w, sensitivityColumns[:1], sensitivityColumns[1:], r.Sensitivities)
}

// sensitivityColumns are the columns of the table of Sobol indices. An estimate of 0 may come out a little below.
var sensitivityColumns = []terminal.Column[study.Sensitivity]{
	{Heading: "setting", Cell: func(s *study.Sensitivity) string { return s.Factor }},
	{Heading: "levels", Meaning: "values it was flown at",
		Cell: func(s *study.Sensitivity) string { return fmt.Sprint(s.Levels) }},
	{Heading: "alone", Meaning: "share of the variance that it explains by itself",
		Cell: func(s *study.Sensitivity) string { return terminal.Decimals(clip(s.First.Value), 3) }},
	{Heading: "interval", Meaning: "of that, 95 %", Beside: true,
		Cell: func(s *study.Sensitivity) string { return terminal.Span(s.First.Low, s.First.High, 3) }},
	{Heading: "with others", Meaning: "share that it takes part in",
		Cell: func(s *study.Sensitivity) string { return terminal.Decimals(clip(s.Total.Value), 3) }},
	{Heading: "interval", Beside: true, Cell: func(s *study.Sensitivity) string {
		return terminal.Span(s.Total.Low, s.Total.High, 3)
	}},
}

func clip(x float64) float64 { return min(max(x, 0), 1) }
