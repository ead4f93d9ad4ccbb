// Package benchmark measures ways to hide a plan against all observers of its goal, so that ways can be compared.
//
// A Suite lists missions, ways with several strengths each, and observers. Every combination of a mission, a way
// and a strength is a Case. Measure flies a case to goals drawn from the candidates of the mission and returns a
// Row: the bits that the strongest observer has left to learn after a quarter, a half and three quarters of the
// mission's planned path, where the goal is recognised, what hiding costs, and everything that it takes to
// measure the row again.
//
// The strongest observer of a row is chosen on one half of the flights and measured on the other half: see
// leak.Strongest. Distances are those flown, the same for all goals, because a distance that depended on the goal
// would reveal it.
//
// # Assumptions and limitations
//
// A row compares ways under the same candidates, hand-over and start heading, and its bits left are an upper
// bound: an observer that is not in the suite may learn more. Rows of different missions are not comparable,
// because their goals hold different amounts of information.
package benchmark
