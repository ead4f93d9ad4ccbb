package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// maybe is a number that JSON writes as null where there is none, or where it is infinite.
type maybe float64

// MarshalJSON writes the number, or null when it is not finite.
func (m maybe) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(m)) || math.IsInf(float64(m), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(m))
}

// count says how many there are of something.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// printStudy prints the summary of a study in the format asked for.
func (a *app) printStudy(r studyResult) error {
	summaries, sweep := r.summaries, r.manifest.Sweep
	switch a.format {
	case "csv":
		return record.WriteSummaries(a.stdout, sweep, summaries)
	case "json":
		return a.printJSON(r.json())
	}
	if err := writeStudyTable(a.stdout, r, summaries); err != nil {
		return err
	}
	return printSensitivities(a.stdout, &r)
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

func (r *studyResult) json() studyJSON {
	out := studyJSON{
		NominalDetectionKm: r.study.Experiment.Nominal.DetectionKm, Delta: r.study.Experiment.Mechanism.Delta,
		Runs: r.runs(), Flights: r.flights(), Complete: r.complete, UntilKm: r.manifest.UntilKm,
		Summary: summaryRows(r.manifest.Sweep, r.summaries), Sensitivity: sensitivityRows(r.sensitivities),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.manifest.Unmet
	}
	if r.insensitive != nil {
		out.NoSensitivity = r.insensitive.Error()
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
func writeStudyTable(w io.Writer, r studyResult, points [][]study.Summary) error {
	e := r.study.Experiment
	nominal := "never detected"
	if e.Nominal.Detected {
		nominal = fmt.Sprintf("detected %.2f km from the target", e.Nominal.DetectionKm)
	}
	if len(r.manifest.Sweep) > 0 {
		fmt.Fprintf(w, "%s, %s. Without privacy, at the first: %s.\n\n", count(len(points), "point"), r.effort(), nominal)
	} else {
		fmt.Fprintf(w, "Without privacy: %s. With it, %s, delta %g, radius %g km:\n\n",
			nominal, r.effort(), e.Mechanism.Delta, e.Adversary.RadiusKm)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range r.manifest.Sweep {
		fmt.Fprintf(table, "%s\t", s.Key)
	}
	fmt.Fprintln(table, "epsilon\tsigma\tmean km\t95 % interval\tmedian\t10 % .. 90 %\tbefore hand-over\tfall-back\tnever\tcost\tdetour\t")
	for point, summaries := range points {
		values := record.PointValues(r.manifest.Sweep, point)
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

// effort says how many runs there are.
func (r *studyResult) effort() string {
	cells := len(r.tallies) * len(r.study.Epsilons)
	if runs := r.runs(); runs*cells == r.flights() {
		return count(runs, "run") + " per epsilon"
	}
	return count(r.flights(), "flight")
}
