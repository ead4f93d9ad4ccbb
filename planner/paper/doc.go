// Package paper holds the decision problems of arXiv 2309.12476 and the readings of what it leaves unsaid:
// Example 1 (TwoStateTeam) and Example 2 (Gridworld, with the eleven readings of its slip). Example 3 is the
// waypoint mission of package planner.
package paper
