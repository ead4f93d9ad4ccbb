package record

import (
	"io"
	"iter"

	"veilpath/sim/leak"
)

// Files of what observers learn about the goal: each as CSV and Parquet.
const (
	LeakageName            = "leakage.csv"
	LeakageParquetName     = "leakage.parquet"
	RecognitionName        = "recognition.csv"
	RecognitionParquetName = "recognition.parquet"
)

// ObserverColumn is the first column of both tables, whose cells are names.
const ObserverColumn = "observer"

// LeakageColumns returns the columns of what observers have left to learn, after that of the observer's name: a row is
// of one observer, epsilon and distance flown.
func LeakageColumns() []Column[leak.Row] {
	return []Column[leak.Row]{
		{"epsilon", "1", "strength of privacy; none for no noise", func(r *leak.Row) float64 { return r.Epsilon }, false, true},
		{"flown_km", "km", "distance flown", func(r *leak.Row) float64 { return r.FlownKm }, false, false},
		{"bits_left", "bit", "mean of -log2 of the posterior probability of the true goal", func(r *leak.Row) float64 { return r.BitsLeft }, false, true},
		{"standard_error", "bit", "standard error of bits_left", func(r *leak.Row) float64 { return r.StandardError }, false, true},
		{"posterior_entropy_bits", "bit", "mean entropy of the posterior", func(r *leak.Row) float64 { return r.Entropy }, false, true},
		{"rank", "1", "mean rank of the true goal in the posterior, 1 for the likeliest", func(r *leak.Row) float64 { return r.Rank }, false, true},
		{"top1", "1", "share of flights whose goal is the likeliest", func(r *leak.Row) float64 { return r.Top1 }, false, true},
		{"top5", "1", "share of flights whose goal is among the five likeliest", func(r *leak.Row) float64 { return r.Top5 }, false, true},
	}
}

// RecognitionColumns returns the columns of where targets are recognised, after that of the observer's name: a row is
// of one observer, epsilon and radius.
func RecognitionColumns() []Column[leak.Recognition] {
	return []Column[leak.Recognition]{
		{"epsilon", "1", "strength of privacy; none for no noise", func(r *leak.Recognition) float64 { return r.Epsilon }, false, true},
		{"radius_km", "km", "of recognition", func(r *leak.Recognition) float64 { return r.RadiusKm }, false, false},
		{"distance_km", "km", "mean distance to the target from which half of the posterior stays within the radius of it; 0 where it never does",
			func(r *leak.Recognition) float64 { return r.Distance.Mean }, false, false},
		{"standard_error", "km", "standard error of distance_km", func(r *leak.Recognition) float64 { return r.Distance.StandardError }, false, false},
		{"never", "1", "share of flights never recognised", func(r *leak.Recognition) float64 { return r.Never }, false, false},
	}
}

// WriteLeakage writes what observers have left to learn as CSV. The epsilon of no noise is blank.
func WriteLeakage(w io.Writer, rows []leak.Row) error {
	return writeCSV(w, []string{ObserverColumn}, LeakageColumns(), named(rows, func(r *leak.Row) string { return r.Observer }))
}

// WriteRecognition writes where targets are recognised as CSV. The epsilon of no noise is blank.
func WriteRecognition(w io.Writer, rows []leak.Recognition) error {
	return writeCSV(w, []string{ObserverColumn}, RecognitionColumns(), named(rows, func(r *leak.Recognition) string { return r.Observer }))
}

// named yields rows after their names.
func named[T any](rows []T, name func(*T) string) iter.Seq2[[]string, *T] {
	return func(yield func([]string, *T) bool) {
		for i := range rows {
			if !yield([]string{name(&rows[i])}, &rows[i]) {
				return
			}
		}
	}
}
