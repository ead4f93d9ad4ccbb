package reproduce

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// ComparisonName is the file that WriteComparison is meant for.
const ComparisonName = "compare.csv"

// WriteComparison writes one row per number of the paper: item, quantity, published, computed, standard_error (of the
// difference; 0 for a closed form), difference (computed less published), tolerance (up to which it counts as
// agreement), verdict and note.
func WriteComparison(w io.Writer, results []*Result) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"item", "quantity", "published", "computed", "standard_error", "difference", "tolerance", "verdict", "note"}); err != nil {
		return err
	}
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, row := range j.Rows {
				err := out.Write([]string{
					r.Item.Name, row.Quantity, number(row.Published), number(row.Computed), number(row.StandardError),
					number(row.Difference()), number(row.Tolerance), string(row.Verdict), row.Note,
				})
				if err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// number writes a float64 in as few digits as bring it back.
func number(v float64) string {
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Count returns how many numbers of results have each verdict.
func Count(results []*Result) map[Verdict]int {
	counts := map[Verdict]int{}
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, row := range j.Rows {
				counts[row.Verdict]++
			}
		}
	}
	return counts
}
