// Package planner chooses waypoints: a rectangular grid of them as a Markov decision process, its reward,
// the policy that is optimal for a true or privatized reward, and what privacy costs that policy.
//
// The chain is Grid -> Mission (grid, transition law, reward) -> Planner (one goroutine's solver) ->
// Plan. Package mdp solves, package privacy calibrates and draws the noise; this package joins them.
//
// # Assumptions and limitations
//
// Planning happens in the horizontal plane of the start. Slip enters the transition law that the policy
// is planned against; the vehicle itself always flies to the waypoint commanded.
package planner
