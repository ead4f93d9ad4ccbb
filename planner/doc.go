// Package planner plans with private rewards: it computes the policy that is optimal for a true or privatized
// reward, and the cost of privacy of that policy.
//
// The chain is Problem (transition law, reward of every agent, discount, start) -> Solved (with its optimal
// plan) -> Planner (one goroutine's solver and buffers) -> Plan. A Mission is the problem of choosing waypoints
// on a Grid; package paper has the paper's other examples. Package mdp solves, package privacy calibrates and
// perturbs, and this package joins them. An Axis holds the plans of one draw of noise at every sigma.
//
// A Mechanism makes plans private; studies take one. OnReward turns a mechanism on rewards into a Mechanism. A
// mechanism on policies, or one that draws a goal, implements the interface itself and uses a Planner.
//
// # Assumptions and limitations
//
// Planning happens in the horizontal plane of the start. The transition law of the plan includes slip; the
// vehicle itself always flies to the commanded waypoint.
package planner
