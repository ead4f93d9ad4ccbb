// Package planner plans for rewards that are private: the policy that is optimal for a true or privatized
// reward, and what privacy costs that policy.
//
// The chain is Problem (transition law, reward of every agent, discount, start) -> Solved (with its optimal
// plan) -> Planner (one goroutine's solver and buffers) -> Plan. A Mission is the problem of choosing waypoints on a
// Grid; package paper has the paper's other examples. Package mdp solves, package privacy calibrates and perturbs; this
// package joins them. An Axis has the plans of one draw of noise at every strength of it.
//
// A Mechanism makes plans private, and is what studies take. OnReward makes one of a mechanism on rewards; one on
// policies, or one that draws a goal, plans itself with what a Planner offers.
//
// # Assumptions and limitations
//
// Planning happens in the horizontal plane of the start. Slip enters the transition law that the policy
// is planned against; the vehicle itself always flies to the waypoint commanded.
package planner
