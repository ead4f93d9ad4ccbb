package study_test

import (
	"fmt"

	"veilpath/sim/study"
)

// What is recorded of every flight, beside its epsilon and run: the columns of runs.parquet.
func ExampleMetrics() {
	for _, m := range study.Metrics() {
		fmt.Printf("%-24s  %-3s  %.84s\n", m.Name, m.Unit, m.Meaning)
	}
	// Output:
	// detection_km              km   distance to the target at detection, 0 when never detected
	// detected                       whether the observer ever recognised the target
	// detected_before_handover       whether it did while waypoints were commanded
	// handover_km               km   distance to the target where privacy was disabled; none where the time limit came fi
	// heading_error_deg         deg  angle there between velocity and line of sight; none where the time limit came first
	// transitions               1    waypoint transitions
	// fallback                       whether the limit of transitions ended the waypoints
	// timed_out                      whether the time limit ended the flight
	// cost_of_privacy           1    relative loss of value at the start
	// flight_time_s             s    duration of the flight
	// path_overhead             1    duration of the flight over that of the planned flight, less 1; the same of the leng
	// direct_overhead           1    duration of the flight over that of the direct flight, less 1; none where the time l
	// planned_km                km   detection distance of the run's planned flight, which has no noise
	// handover_only_km          km   detection distance of a flight straight on to the hand-over, without waypoints or no
	// direct_km                 km   detection distance of the direct flight, without hand-over, waypoints or noise; none
}
