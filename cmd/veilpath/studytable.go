package main

import (
	"fmt"
	"io"

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
				row[c.Name] = maybe(c.Value(&summaries[i]))
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
		fmt.Fprintf(w, "%s, %s.\nWithout privacy, at the first: %s.\n\n", count(len(points), "point"), r.Effort(), nominal)
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
		if err := writeTable(w, lead, legend, places); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return writeTable(w, append(lead, summaryColumns[0]), summaryColumns[1:], rows)
}

// summaryRow is a row of the table of a study.
type summaryRow struct {
	point int
	*study.Summary
}

// summaryColumns are the columns of the table of a study, epsilon first.
var summaryColumns = []column[summaryRow]{
	{"epsilon", "strength of privacy, smaller hides more", false, func(r *summaryRow) string { return fmt.Sprintf("%g", r.Epsilon) }},
	{"sigma", "standard deviation of the noise on every reward", false, func(r *summaryRow) string { return fmt.Sprintf("%.4g", r.Sigma) }},
	{"mean km", "mean distance to the target where the destination was recognised; 0 where it never was", false,
		func(r *summaryRow) string { return decimals(r.MeanKm, 2) }},
	{"95 % interval", "of that mean", true, func(r *summaryRow) string { return span(r.CILowKm, r.CIHighKm, 2) }},
	{"no fall-back", "that mean, over the flights that kept their waypoints to the hand-over", false,
		func(r *summaryRow) string { return decimals(r.MeanWithoutFallbackKm, 2) }},
	{"median", "of that distance", false, func(r *summaryRow) string { return decimals(r.MedianKm, 2) }},
	{"10 % .. 90 %", "quantiles of that distance", true, func(r *summaryRow) string { return span(r.P10Km, r.P90Km, 2) }},
	{"before hand-over", "flights recognised while waypoints were still commanded", false,
		func(r *summaryRow) string { return percent(r.DetectedBeforeHandover) }},
	{"fall-back", "flights that gave their waypoints up after planner.max_transitions of them", false,
		func(r *summaryRow) string { return percent(r.Fallback) }},
	{"never", "flights never recognised", false, func(r *summaryRow) string { return percent(r.NeverDetected) }},
	{"cost", "mean cost of privacy: value lost at the start, as a share of the best there is", false,
		func(r *summaryRow) string { return percent(r.CostOfPrivacy) }},
	{"detour", "how much longer a flight takes than without privacy, on average", false,
		func(r *summaryRow) string { return percent(r.PathOverhead) }},
}

// widestLead is how much of a table the swept keys may take; where they take more, points are numbered.
const widestLead = 40

// pointColumns returns the columns that name a point of a sweep; where they are too wide, its number, and the
// columns of a legend.
func pointColumns(sweep []record.Swept, points int) (lead, legend []column[summaryRow]) {
	wide := 0
	for k, s := range sweep {
		values, widest := s.Values, len(s.Key)
		for _, v := range values {
			widest = max(widest, len(record.SweptText(v)))
		}
		wide += widest + len(tableGap)
		lead = append(lead, column[summaryRow]{heading: s.Key, cell: func(r *summaryRow) string {
			return record.SweptText(record.PointValues(sweep, r.point)[k])
		}})
	}
	if wide <= widestLead {
		return lead, nil
	}
	return []column[summaryRow]{{heading: "point", cell: func(r *summaryRow) string { return fmt.Sprint(r.point + 1) }}}, lead
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
	return writeTable(w, sensitivityColumns[:1], sensitivityColumns[1:], r.Sensitivities)
}

// sensitivityColumns are the columns of the table of Sobol indices. An estimate of 0 may come out a little below.
var sensitivityColumns = []column[study.Sensitivity]{
	{"setting", "", false, func(s *study.Sensitivity) string { return s.Factor }},
	{"levels", "values it was flown at", false, func(s *study.Sensitivity) string { return fmt.Sprint(s.Levels) }},
	{"alone", "share of the variance that it explains by itself", false, func(s *study.Sensitivity) string { return decimals(clip(s.First.Value), 3) }},
	{"interval", "of that, 95 %", true, func(s *study.Sensitivity) string { return span(s.First.Low, s.First.High, 3) }},
	{"with others", "share that it takes part in", false, func(s *study.Sensitivity) string { return decimals(clip(s.Total.Value), 3) }},
	{"interval", "", true, func(s *study.Sensitivity) string { return span(s.Total.Low, s.Total.High, 3) }},
}

func clip(x float64) float64 { return min(max(x, 0), 1) }

// sensitivityRows is the indices as JSON.
func sensitivityRows(indices []study.Sensitivity) []map[string]any {
	var rows []map[string]any
	for _, s := range indices {
		rows = append(rows, map[string]any{
			"factor": s.Factor, "levels": s.Levels,
			"first": maybe(s.First.Value), "first_ci_low": maybe(s.First.Low), "first_ci_high": maybe(s.First.High),
			"total": maybe(s.Total.Value), "total_ci_low": maybe(s.Total.Low), "total_ci_high": maybe(s.Total.High),
		})
	}
	return rows
}
