// Package sim flies the vehicle: a point mass with three degrees of freedom, integrated with a fixed
// classical Runge-Kutta step, that follows commanded waypoints until privacy is disabled near the target
// and then steers to it with GENEX.
//
// A Scenario is everything about a flight except the waypoints; a Route commands those. Scenario.Fly
// joins them into a History, which observers see, and an Outcome. The nominal flight has no route: GENEX
// from start to target.
//
// Each step runs in this order: hand-over test, waypoint test, command, record, end test, integration. The
// tests are left out where the vehicle cannot be yet, at its speed, where one would come true.
// Units are km, s, km/s, km/s^2 and radians.
//
// # Where the time goes
//
// A step takes 110 ns where a flight is alone and, side by side, 40 ns on a leg and 60 ns under GENEX; in WebAssembly
// 85 and 135 ns (BenchmarkFly, BenchmarkStep). All but a fifteenth is the integration. Each of its four stages is a
// chain: a quotient and, where the acceleration is cut, a root and another quotient. Alone the processor waits for it;
// six side by side keep its arithmetic busy, and eight or twelve are no faster.
//
// # Assumptions and limitations
//
// The frame is local and flat, the vehicle generic and synthetic: constant speed, acceleration
// perpendicular to the velocity and limited in magnitude, no gravity, drag or actuator lag. The vehicle
// knows its state exactly.
package sim
