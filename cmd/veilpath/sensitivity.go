package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"veilpath/sim/record"
	"veilpath/sim/report"
	"veilpath/sim/study"
)

// sensitivityName is the file of a sweep's Sobol indices.
const sensitivityName = "sensitivity.csv"

// sobol returns the Sobol indices of the swept keys and of epsilon; none without a sweep. The error says why
// a sweep has none.
func (r *studyResult) sobol() ([]study.Sensitivity, error) {
	if len(r.manifest.Sweep) == 0 {
		return nil, nil
	}
	var factors []study.Factor
	for _, s := range r.manifest.Sweep {
		factors = append(factors, study.Factor{Name: s.Key, Levels: len(s.Values)})
	}
	factors = append(factors, study.Factor{Name: "epsilon", Levels: len(r.study.Epsilons)})
	var cells [][]float64
	for _, t := range r.tallies {
		for i := range r.study.Epsilons {
			cells = append(cells, t.DetectionKm(i))
		}
	}
	return study.Sensitivities(factors, cells, study.Confidence)
}

// writeSensitivities writes the indices as CSV.
func writeSensitivities(w io.Writer, indices []study.Sensitivity) error {
	table := csv.NewWriter(w)
	rows := [][]string{{"factor", "levels", "first", "first_ci_low", "first_ci_high", "total", "total_ci_low", "total_ci_high"}}
	for _, s := range indices {
		row := []string{s.Factor, strconv.Itoa(s.Levels)}
		for _, x := range []float64{s.First.Value, s.First.Low, s.First.High, s.Total.Value, s.Total.Low, s.Total.High} {
			row = append(row, record.SweptText(x))
		}
		rows = append(rows, row)
	}
	return table.WriteAll(rows)
}

// printSensitivities prints the indices, or why there are none, for people.
func printSensitivities(w io.Writer, r *studyResult) error {
	switch {
	case r.insensitive != nil:
		_, err := fmt.Fprintf(w, "\nNo Sobol indices: %v.\n", r.insensitive)
		return err
	case len(r.sensitivities) == 0:
		return nil
	}
	clip := func(x float64) float64 { return min(max(x, 0), 1) } // an estimate of 0 may come out a little below
	fmt.Fprintf(w, "\nShare of the variance of the mean detection distance over the sweep (Sobol indices, 95 %% intervals):\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "setting\tlevels\talone\tinterval\twith others\tinterval\t")
	for _, s := range r.sensitivities {
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

// mostCurves is how many epsilons a panel shows.
const mostCurves = 5

// drawSweep draws the mean detection distance over every swept key, averaged over the others.
func (r *studyResult) drawSweep(folder *record.Folder) error {
	if r.runs() == 0 {
		return nil // a part that does not reach every point
	}
	figure := &report.Figure{
		Title:    "Mean detection distance over the settings swept",
		Subtitle: fmt.Sprintf("%s at %s, delta %g; each panel averages over the other settings", r.effort(), count(len(r.tallies), "point"), r.study.Experiment.Mechanism.Delta),
	}
	stride := len(r.tallies)
	for k, s := range r.manifest.Sweep {
		levels := len(s.Values)
		stride /= levels
		if levels < 2 {
			continue
		}
		xs, label := sweptAxis(&r.manifest.Sweep[k])
		chart := &report.Chart{Title: s.Key, X: report.Axis{Label: label, Scale: report.ScaleFor(xs)}, Y: report.Axis{Label: "Mean detection distance (km)"}}
		for hue, i := range spread(len(r.study.Epsilons), mostCurves) {
			curve := report.Series{Label: fmt.Sprintf("epsilon %g", r.study.Epsilons[i]), Hue: hue, X: xs, Y: make([]float64, levels)}
			for point, summaries := range r.summaries {
				curve.Y[point/stride%levels] += summaries[i].MeanKm * float64(levels) / float64(len(r.summaries))
			}
			chart.Series = append(chart.Series, curve)
		}
		figure.Panels = append(figure.Panels, chart)
	}
	if len(figure.Panels) == 0 {
		return nil
	}
	return writeFigure(folder, "figure", figure)
}

// sweptAxis returns the places of a key's values on an axis and its label; words are numbered.
func sweptAxis(s *record.Swept) (xs []float64, label string) {
	label = s.Key
	if s.Unit != "" && s.Unit != "1" {
		label += " (" + s.Unit + ")"
	}
	for i, v := range s.Values {
		switch v := v.(type) {
		case float64:
			xs = append(xs, v)
		case int64:
			xs = append(xs, float64(v))
		default:
			xs = append(xs, float64(i+1))
			label += fmt.Sprintf(" %d: %v", i+1, v)
		}
	}
	return xs, label
}

// spread returns at most k places out of n, evenly, both ends among them.
func spread(n, k int) []int {
	var places []int
	for i := range min(n, k) {
		if n <= k {
			places = append(places, i)
			continue
		}
		places = append(places, i*(n-1)/(k-1))
	}
	return places
}
