// Package sim flies the vehicle: a point mass with three degrees of freedom, integrated with the classical
// Runge-Kutta method and a fixed step. It follows commanded waypoints until privacy is disabled near the
// target, and then steers to the target with GENEX.
//
// A Scenario is everything about a flight except the waypoints, which a Route commands. Scenario.Fly joins them
// into a History, which observers see, and an Outcome. The nominal flight has no route: GENEX steers from start
// to target.
//
// Each step runs in this order: hand-over test, waypoint test, command, record, end test, integration. It omits
// the tests while the vehicle, at its speed, cannot have reached a place where one of them succeeds. Units are
// km, s, km/s, km/s^2 and radians.
//
// # Where the time goes
//
// A step takes 110 ns in a single flight; with several flights in parallel it takes 40 ns on a leg and 60 ns
// under GENEX, and in WebAssembly 85 and 135 ns (BenchmarkFly, BenchmarkStep). All but a fifteenth of the time
// is the integration. Each of its four stages is a chain: a quotient and, if the acceleration is limited, a
// root and another quotient. In a single flight the processor waits for this chain; six flights in parallel
// keep its arithmetic busy, and eight or twelve are no faster.
//
// # Assumptions and limitations
//
// The frame is local and flat, and the vehicle is generic: constant speed, acceleration perpendicular to the
// velocity and limited in magnitude, no gravity, drag or actuator lag. The vehicle knows its state exactly.
//
// There is no ground. GENEX may begin with the target behind, mostly after a fall-back; the flight then may stray far
// from the target and below it before it arrives.
//
// The law of a leg gives no turn to a waypoint straight behind, an unstable balance. Where the vehicle flies straight
// away from its next waypoint, to within 1e-7 rad, it first turns left.
package sim
