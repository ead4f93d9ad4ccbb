package main

import (
	"fmt"
	"io"
	"text/tabwriter"

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
		NominalDetectionKm: r.Points[0].Experiment.Nominal.DetectionKm, Delta: r.Points[0].Experiment.Mechanism.Delta,
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
		fmt.Fprintf(w, "%s, %s. Without privacy, at the first: %s.\n\n", count(len(points), "point"), r.Effort(), nominal)
	} else {
		fmt.Fprintf(w, "Without privacy: %s. With it, %s, delta %g, radius %g km:\n\n",
			nominal, r.Effort(), e.Mechanism.Delta, e.Adversary.RadiusKm)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range r.Manifest.Sweep {
		fmt.Fprintf(table, "%s\t", s.Key)
	}
	fmt.Fprintln(table, "epsilon\tsigma\tmean km\t95 % interval\tmedian\t10 % .. 90 %\tbefore hand-over\tfall-back\tnever\tcost\tdetour\t")
	for point, summaries := range points {
		values := record.PointValues(r.Manifest.Sweep, point)
		for i := range summaries {
			s := &summaries[i]
			for _, v := range values {
				fmt.Fprintf(table, "%s\t", record.SweptText(v))
			}
			fmt.Fprintf(table, "%g\t%.4g\t%.2f\t%.2f .. %.2f\t%.2f\t%.2f .. %.2f\t%.1f %%\t%.1f %%\t%.1f %%\t%.1f %%\t%.1f %%\t\n",
				s.Epsilon, s.Sigma, s.MeanKm, s.CILowKm, s.CIHighKm, s.MedianKm, s.P10Km, s.P90Km,
				100*s.DetectedBeforeHandover, 100*s.Fallback, 100*s.NeverDetected, 100*s.CostOfPrivacy, 100*s.PathOverhead)
		}
	}
	return table.Flush()
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
	clip := func(x float64) float64 { return min(max(x, 0), 1) } // an estimate of 0 may come out a little below
	fmt.Fprintf(w, "\nShare of the variance of the mean detection distance over the sweep (Sobol indices, 95 %% intervals):\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "setting\tlevels\talone\tinterval\twith others\tinterval\t")
	for _, s := range r.Sensitivities {
		fmt.Fprintf(table, "%s\t%d\t%.3f\t%.3f .. %.3f\t%.3f\t%.3f .. %.3f\t\n", s.Factor, s.Levels,
			clip(s.First.Value), s.First.Low, s.First.High, clip(s.Total.Value), s.Total.Low, s.Total.High)
	}
	return table.Flush()
}

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
