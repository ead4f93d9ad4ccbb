package runfile

import (
	"bytes"
	"encoding/csv"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	ours "veilpath/internal/record/parquet"
	"veilpath/sim/study"
)

// A statistic that needs more runs is null in Parquet and blank in CSV, so that sums ignore it.
func TestSurfaceLeavesOutUnknownNumbers(t *testing.T) {
	known := study.Estimate{Value: 2, Low: 1, High: 3}
	cell := study.SurfaceCell{
		Epsilon: 0.5, Sigma: 5, RadiusKm: 0.7, Runs: 3, Mean: known,
		Median: study.Estimate{Value: 2, Low: math.Inf(-1), High: math.Inf(1)},
		P10:    study.Estimate{Value: 1, Low: math.Inf(-1), High: 3}, P90: known, BeforeHandover: known, NeverDetected: known,
		CostOfPrivacy: study.Estimate{Value: 2, Low: math.NaN(), High: math.NaN()}, PathOverhead: known,
		MedianOverhead: known, Fallback: known,
	}
	blank := map[string]bool{"median_ci_low_km": true, "median_ci_high_km": true, "p10_ci_low_km": true,
		"cost_of_privacy_ci_low": true, "cost_of_privacy_ci_high": true}

	var table bytes.Buffer
	if err := ours.Write(&table, study.SegmentColumns(), "1.2.3", []study.SurfaceCell{cell, cell}); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(table.Bytes()), int64(table.Len()))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]parquet.Row, 2)
	if n, _ := parquet.NewReader(file).ReadRows(rows); n != 2 {
		t.Fatalf("%d rows, want 2", n)
	}
	var text bytes.Buffer
	if err := study.WriteSurface(&text, [][]study.SurfaceCell{{cell}}); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range study.SegmentColumns() {
		for _, row := range rows {
			if row[i].IsNull() != blank[c.Name] || !row[i].IsNull() && row[i].Kind() == parquet.Double &&
				row[i].Double() != c.Value(&cell) {
				t.Errorf("%s is %v in Parquet", c.Name, row[i])
			}
		}
	}
	for i, c := range study.SurfaceColumns() {
		if (lines[1][i] == "") != blank[c.Name] {
			t.Errorf("%s is %q in CSV", c.Name, lines[1][i])
		}
	}
}
