package record_test

import (
	"fmt"
	"strings"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

// The columns of summary.csv.
func ExampleSummaryColumns() {
	for _, c := range record.SummaryColumns() {
		fmt.Printf("%-24s  %-2s  %.80s\n", c.Name, c.Unit, c.Meaning)
	}
	// Output:
	// epsilon                   1   strength of privacy; none for the plan without noise
	// sigma                     1   standard deviation of the noise on every reward; where a goal is drawn, on its c
	// runs                      1   flights
	// mean_km                   km  mean detection distance
	// ci_low_km                 km  lower end of its 95 % interval
	// ci_high_km                km  upper end of its 95 % interval
	// median_km                 km  median detection distance
	// p10_km                    km  10 % quantile of the detection distance
	// p90_km                    km  90 % quantile of the detection distance
	// detected_before_handover  1   share of flights detected while waypoints were commanded
	// never_detected            1   share of flights never detected
	// fallback                  1   share of flights that the limit of transitions took off their waypoints
	// cost_of_privacy           1   mean relative loss of value at the start
	// path_overhead             1   mean duration of a flight over that of the planned flight, less 1
	// std_km                    km  standard deviation of the detection distance
	// mean_without_fallback_km  km  mean detection distance of the flights that did not fall back
	// timed_out                 1   share of flights that the time limit ended
	// noise_km                  km  mean difference to the detection distance of the planned flight, run by run: wha
	// noise_ci_low_km           km  lower end of its 95 % interval
	// noise_ci_high_km          km  upper end of its 95 % interval
	// planned_km                km  mean detection distance of the planned flights, which have no noise
	// handover_only_km          km  mean detection distance of flights straight on to the hand-over, without waypoin
	// direct_km                 km  mean detection distance of direct flights, without hand-over, waypoints or noise
	// direct_overhead           1   mean duration of a flight over that of the direct flight, less 1
}

// A study of two speeds, one epsilon each, as a table.
func ExampleWriteSummaries() {
	sweep := []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.4, 1.7}}}
	fmt.Println(record.PointValues(sweep, 1))
	points := [][]study.Summary{{{Epsilon: 0.4, Runs: 200, MeanKm: 50}}, {{Epsilon: 0.4, Runs: 200, MeanKm: 48}}}
	var text strings.Builder
	if err := record.WriteSummaries(&text, sweep, points); err != nil {
		fmt.Println(err)
	}
	for row := range strings.Lines(text.String()) {
		cells := strings.Split(row, ",")
		fmt.Println(strings.Join(cells[:8], ","), len(cells))
	}
	// Output:
	// [1.7]
	// vehicle.speed_km_s,epsilon,sigma,runs,mean_km,ci_low_km,ci_high_km,median_km 25
	// 1.4,0.4,0,200,50,0,0,0 25
	// 1.7,0.4,0,200,48,0,0,0 25
}
