package study_test

import (
	"fmt"
	"strings"

	"veilpath/sim/study"
)

// What is recorded of every flight, beside its epsilon and run: the columns of runs.parquet.
func ExampleMetrics() {
	for _, m := range study.Metrics() {
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%-24s  %-3s  %.84s", m.Name, m.Unit, m.Meaning)))
	}
	// Output:
	// detection_km              km   distance to the target where the flight is recognised, 0 if it never is
	// detected                       whether the observer ever recognised the target
	// detected_before_handover       whether that was while waypoints were commanded
	// handover_km               km   distance to the target where privacy was disabled; none where the time limit came fi
	// heading_error_deg         deg  angle there between velocity and line of sight; none where the time limit came first
	// transitions               1    waypoint transitions
	// fallback                       whether the flight fell back: the limit of transitions ended its waypoints
	// timed_out                      whether the time limit ended the flight
	// cost_of_privacy           1    relative loss of value at the start
	// flight_time_s             s    duration of the flight
	// path_overhead             1    detour: duration over that of the planned flight, less 1; the same of the lengths of
	// direct_overhead           1    duration of the flight over that of the direct flight, less 1; none where the time l
	// planned_km                km   detection distance of the run's planned flight, which has no noise
	// handover_only_km          km   detection distance of a flight level towards the target up to the hand-over, without
	// direct_km                 km   detection distance of the direct flight, without hand-over, waypoints or noise; none
	// last_deceptive_km         km   distance to the target at the last waypoint from which a bogus goal was at least as
	// goal                      1    number of the goal that the flight ends at: 1 is target_km, 2 the first of planner.g
	// other_goal                     whether the planned flight ends at another goal
}

// The columns of summary.csv.
func ExampleSummaryColumns() {
	for _, c := range study.SummaryColumns() {
		fmt.Printf("%-24s  %-2s  %.80s\n", c.Name, c.Unit, c.Meaning)
	}
	// Output:
	// epsilon                   1   strength of privacy; none for the plan without noise
	// sigma                     1   standard deviation of the noise on every reward; if a goal is drawn, on its coor
	// runs                      1   flights
	// mean_km                   km  mean detection distance
	// ci_low_km                 km  lower end of its 95 % interval
	// ci_high_km                km  upper end of its 95 % interval
	// median_km                 km  median detection distance
	// p10_km                    km  10 % quantile of the detection distance
	// p90_km                    km  90 % quantile of the detection distance
	// detected_before_handover  1   share of flights recognised while waypoints were commanded
	// never_detected            1   share of flights never recognised
	// fallback                  1   share of flights that fell back: the limit of transitions ended their waypoints
	// cost_of_privacy           1   mean cost of privacy: relative loss of value at the start
	// path_overhead             1   mean detour: duration of a flight over that of the planned flight, less 1
	// std_km                    km  standard deviation of the detection distance
	// mean_without_fallback_km  km  mean detection distance of the flights that did not fall back, including those t
	// timed_out                 1   share of flights that the time limit ended
	// noise_km                  km  mean difference to the detection distance of the planned flight, run by run: wha
	// noise_ci_low_km           km  lower end of its 95 % interval
	// noise_ci_high_km          km  upper end of its 95 % interval
	// planned_km                km  mean detection distance of the planned flights, which have no noise
	// handover_only_km          km  mean detection distance of flights level towards the target up to the hand-over,
	// direct_km                 km  mean detection distance of direct flights, without hand-over, waypoints or noise
	// direct_overhead           1   mean duration of a flight over that of the direct flight, less 1
	// last_deceptive_km         km  mean distance to the target at the last waypoint that deceives
	// mean_without_timeout_km   km  mean detection distance of the flights that the time limit did not end
	// other_goal                1   share of flights that end at another goal than the planned flight
	// flew_away                 1   share of flights that fell back while they flew away from the target
	// hidden_until_km           km  distance for hidden_share: study.hidden_until_km or, by default, half of that at
	// hidden_share              1   share of flights that stay hidden until hidden_until_km: they are recognised the
}
