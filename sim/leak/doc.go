// Package leak measures what observers learn about the goal of a mission from flights, in bits.
//
// A Setting is a mission whose goal is secret: the start, the grid, the mechanism, and the possible goals with
// their probabilities. A Study makes flights in it, each to a goal drawn from these probabilities, while
// observers of the goal (package adversary) watch. "Bits left" after a distance are the mean of -log2 of the
// posterior probability of the true goal. The entropy of the prior minus these bits is a lower bound on the
// mutual information of goal and flight, for any observer (Barber and Agakov 2003). The best observer gives the
// tightest bound. A study may hide the same goals in several Ways, to measure how much each saves. Releases
// makes several flights to one goal.
//
// The example of Study is the shortest complete program. NewSheets makes tables of its result, and package
// campaign keeps studies of leakage in folders.
//
// Observations are conditioned on the distance flown, never on the distance to the target, which would reveal the goal
// by itself.
//
// # Assumptions and limitations
//
// Observers of the goal see a move when it is commanded, which the track shows only some km later. An observer who
// sees the track alone has less to infer the goal from. Observers know the grid, the rule of the hand-over and, if
// their documentation says so, the true rewards and the mechanism. The likelihood of the observer mechanism treats
// moves in different states as independent, which matters most if many flights are observed. Standard errors include
// the sampling error of the flights and of the private policies from which the likelihood was estimated: see Mean.
// Targets other than the mission's own lie at the centres of their cells, at the height of the mission's target.
//
// # Measured error rates
//
// The mean number of bits left after several releases lies within two standard errors of the truth in these
// shares of 400 studies of 30 goals each, in percent. For normally distributed means the share would be 95.4:
//
//	observer                    one flight to a goal   four
//	moves                              94.3            94.3
//	mechanism (20 policies)            97.8            98.3
//
// The mean number of bits left by flights at epsilon 1 lies within 1.96 standard errors of the truth in these
// shares of 400 studies, in percent. Each is the lowest share over the observers geometry, moves and heading
// after 20, 50 and 100 km:
//
//	flights    20    50   100   200   400
//	covered    72    88    90    91    92
//
// These numbers come from go test -run '^$' -bench Coverage -benchtime 1x -timeout 0 ./sim/leak.
package leak
