package flightfile_test

import (
	"fmt"
	"strings"

	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

// A study of two speeds, one epsilon each, as a table.
func ExampleWriteSummaries() {
	sweep := []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.4, 1.7}}}
	fmt.Println(record.PointValues(sweep, 1))
	points := [][]study.Summary{{{Epsilon: 0.4, Runs: 200, MeanKm: 50}}, {{Epsilon: 0.4, Runs: 200, MeanKm: 48}}}
	var text strings.Builder
	if err := flightfile.WriteSummaries(&text, record.Sweep{Settings: sweep}, points); err != nil {
		fmt.Println(err)
	}
	for row := range strings.Lines(text.String()) {
		cells := strings.Split(row, ",")
		fmt.Println(strings.Join(cells[:8], ","), len(cells))
	}
	// Output:
	// [1.7]
	// vehicle.speed_km_s,epsilon,sigma,runs,mean_km,ci_low_km,ci_high_km,median_km 31
	// 1.4,0.4,0,200,50,0,0,0 31
	// 1.7,0.4,0,200,48,0,0,0 31
}
