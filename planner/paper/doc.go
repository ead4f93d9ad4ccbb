// Package paper holds the decision problems of arXiv 2309.12476 and the possible readings of details that it
// does not state: Example 1 (TwoStateTeam) and Example 2 (Gridworld, with two readings of its slip). Example
// 3 is the waypoint mission of package planner.
package paper
