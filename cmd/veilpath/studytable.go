package main

import (
	"fmt"
	"io"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// printStudy prints the summary of a study in the format asked for.
func (a *app) printStudy(r *campaign.Result) error {
	summaries, sweep := r.Summaries, r.Manifest.Sweep
	switch a.format {
	case "csv":
		return record.WriteSummaries(a.stdout, sweep, summaries)
	case "json":
		return a.printJSON(resultJSON(r))
	}
	if err := writeStudyTable(a.stdout, r, summaries); err != nil {
		return err
	}
	return printSensitivities(a.stdout, r)
}

// studyJSON is what study prints as JSON.
type studyJSON struct {
	NominalDetectionKm float64          `json:"nominal_detection_km"`
	Delta              float64          `json:"delta"`
	Runs               int              `json:"runs"`
	Flights            int              `json:"flights"`
	Complete           bool             `json:"complete"`
	UntilKm            float64          `json:"until_km,omitempty"` // half-width asked for
	Unmet              *int             `json:"unmet,omitempty"`    // epsilons that are not known so well, over all points
	Summary            []map[string]any `json:"summary"`
	Sensitivity        []map[string]any `json:"sensitivity,omitempty"`
	NoSensitivity      string           `json:"no_sensitivity,omitempty"` // why a sweep has none
}

func resultJSON(r *campaign.Result) studyJSON {
	out := studyJSON{
		NominalDetectionKm: r.Points[0].Experiment.Nominal.DetectionKm, Delta: r.Points[0].Experiment.Guarantee.Delta,
		Runs: r.Runs(), Flights: r.Flights(), Complete: r.Complete, UntilKm: r.Manifest.UntilKm,
		Summary: summaryRows(r.Manifest.Sweep, r.Summaries), Sensitivity: sensitivityRows(r.Sensitivities),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.Manifest.Unmet
	}
	if r.Insensitive != nil {
		out.NoSensitivity = r.Insensitive.Error()
	}
	return out
}

func summaryRows(sweep []record.Swept, points [][]study.Summary) []map[string]any {
	rows := []map[string]any{}
	for point, summaries := range points {
		values := record.PointValues(sweep, point)
		for i := range summaries {
			row := map[string]any{}
			for k, v := range values {
				row[sweep[k].Key] = v
			}
			for _, c := range record.SummaryColumns() {
				row[c.Name] = terminal.Maybe(c.Value(&summaries[i]))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// writeStudyTable prints what a person wants to know first.
func writeStudyTable(w io.Writer, r *campaign.Result, points [][]study.Summary) error {
	e := r.Points[0].Experiment
	nominal := "never detected"
	if e.Nominal.Detected {
		nominal = fmt.Sprintf("detected %.2f km from the target", e.Nominal.DetectionKm)
	}
	if len(r.Manifest.Sweep) > 0 {
		fmt.Fprintf(w, "%s, %s.\nWithout privacy, at the first: %s.\n\n", terminal.Count(len(points), "point"), r.Effort(), nominal)
	} else {
		fmt.Fprintf(w, "Without privacy: %s.\nWith it, %s, delta %g, radius %g km:\n\n",
			nominal, r.Effort(), e.Guarantee.Delta, e.Adversary.RadiusKm)
	}
	lead, legend := pointColumns(r.Manifest.Sweep, len(points))
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
	return terminal.WriteTable(w, append(lead, summaryColumns[0]), summaryColumns[1:], rows)
}

// summaryRow is a row of the table of a study.
type summaryRow struct {
	point int
	*study.Summary
}

// summaryColumns are the columns of the table of a study, epsilon first.
var summaryColumns = []terminal.Column[summaryRow]{
	{Heading: "epsilon", Meaning: "strength of privacy, smaller hides more", Cell: func(r *summaryRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
	{Heading: "sigma", Meaning: "standard deviation of the noise on every reward", Cell: func(r *summaryRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	{Heading: "mean km", Meaning: "mean distance to the target where the destination was recognised; 0 where it never was",
		Cell: func(r *summaryRow) string { return terminal.Decimals(r.MeanKm, 2) }},
	{Heading: "95 % interval", Meaning: "of that mean", Beside: true, Cell: func(r *summaryRow) string { return terminal.Span(r.CILowKm, r.CIHighKm, 2) }},
	{Heading: "no fall-back", Meaning: "that mean, over the flights that kept their waypoints to the hand-over",
		Cell: func(r *summaryRow) string { return terminal.Decimals(r.MeanWithoutFallbackKm, 2) }},
	{Heading: "median", Meaning: "of that distance", Cell: func(r *summaryRow) string { return terminal.Decimals(r.MedianKm, 2) }},
	{Heading: "10 % .. 90 %", Meaning: "quantiles of that distance", Beside: true, Cell: func(r *summaryRow) string { return terminal.Span(r.P10Km, r.P90Km, 2) }},
	{Heading: "before hand-over", Meaning: "flights recognised while waypoints were still commanded",
		Cell: func(r *summaryRow) string { return terminal.Percent(r.DetectedBeforeHandover) }},
	{Heading: "fall-back", Meaning: "flights that gave their waypoints up after planner.max_transitions of them",
		Cell: func(r *summaryRow) string { return terminal.Percent(r.Fallback) }},
	{Heading: "never", Meaning: "flights never recognised", Cell: func(r *summaryRow) string { return terminal.Percent(r.NeverDetected) }},
	{Heading: "cost", Meaning: "mean cost of privacy: value lost at the start, as a share of the best there is",
		Cell: func(r *summaryRow) string { return terminal.Percent(r.CostOfPrivacy) }},
	{Heading: "detour", Meaning: "how much longer a flight takes than without privacy, on average",
		Cell: func(r *summaryRow) string { return terminal.Percent(r.PathOverhead) }},
}

// widestLead is how much of a table the swept keys may take; where they take more, points are numbered.
const widestLead = 40

// pointColumns returns the columns that name a point of a sweep; where they are too wide, its number, and the
// columns of a legend.
func pointColumns(sweep []record.Swept, points int) (lead, legend []terminal.Column[summaryRow]) {
	wide := 0
	for k, s := range sweep {
		values, widest := s.Values, len(s.Key)
		for _, v := range values {
			widest = max(widest, len(record.SweptText(v)))
		}
		wide += widest + len(terminal.Gap)
		lead = append(lead, terminal.Column[summaryRow]{Heading: s.Key, Cell: func(r *summaryRow) string {
			return record.SweptText(record.PointValues(sweep, r.point)[k])
		}})
	}
	if wide <= widestLead {
		return lead, nil
	}
	return []terminal.Column[summaryRow]{{Heading: "point", Cell: func(r *summaryRow) string { return fmt.Sprint(r.point + 1) }}}, lead
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
	fmt.Fprintf(w, "\nShare of the variance of the mean detection distance over the sweep\n(Sobol indices, 95 %% intervals):\n\n")
	return terminal.WriteTable(w, sensitivityColumns[:1], sensitivityColumns[1:], r.Sensitivities)
}

// sensitivityColumns are the columns of the table of Sobol indices. An estimate of 0 may come out a little below.
var sensitivityColumns = []terminal.Column[study.Sensitivity]{
	{Heading: "setting", Cell: func(s *study.Sensitivity) string { return s.Factor }},
	{Heading: "levels", Meaning: "values it was flown at", Cell: func(s *study.Sensitivity) string { return fmt.Sprint(s.Levels) }},
	{Heading: "alone", Meaning: "share of the variance that it explains by itself", Cell: func(s *study.Sensitivity) string { return terminal.Decimals(clip(s.First.Value), 3) }},
	{Heading: "interval", Meaning: "of that, 95 %", Beside: true, Cell: func(s *study.Sensitivity) string { return terminal.Span(s.First.Low, s.First.High, 3) }},
	{Heading: "with others", Meaning: "share that it takes part in", Cell: func(s *study.Sensitivity) string { return terminal.Decimals(clip(s.Total.Value), 3) }},
	{Heading: "interval", Beside: true, Cell: func(s *study.Sensitivity) string { return terminal.Span(s.Total.Low, s.Total.High, 3) }},
}

func clip(x float64) float64 { return min(max(x, 0), 1) }

// sensitivityRows is the indices as JSON.
func sensitivityRows(indices []study.Sensitivity) []map[string]any {
	var rows []map[string]any
	for _, s := range indices {
		rows = append(rows, map[string]any{
			"factor": s.Factor, "levels": s.Levels,
			"first": terminal.Maybe(s.First.Value), "first_ci_low": terminal.Maybe(s.First.Low), "first_ci_high": terminal.Maybe(s.First.High),
			"total": terminal.Maybe(s.Total.Value), "total_ci_low": terminal.Maybe(s.Total.Low), "total_ci_high": terminal.Maybe(s.Total.High),
		})
	}
	return rows
}
