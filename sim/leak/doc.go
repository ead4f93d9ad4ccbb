// Package leak measures what observers learn about the goal of a mission from flights, in bits.
//
// A Setting is a mission whose goal is secret: where the vehicle starts, the grid, the mechanism, and the goals
// that are possible with their probabilities. A Study flies it, every flight to a goal drawn from those, and has
// observers of the goal (package adversary) watch. What they leave to be learned after so many km is the mean of
// -log2 of the true goal's posterior probability; the entropy of the prior less that bounds the mutual
// information of goal and flight from below, for any observer (Barber and Agakov 2003), and the best observer
// tells most. A study may hide the same goals in several Ways, to tell what each saves; Releases flies several times
// to one goal, Search finds the epsilon for so many bits, and Pairs says what noise means between two goals.
//
// The shortest whole program is the example of Study; NewSheets makes files of its result, and package campaign keeps
// studies of leakage in folders.
//
// What is seen is conditioned on the distance flown and never on the distance to the target: that would tell the
// goal by itself.
//
// # Assumptions and limitations
//
// Observers know the grid, the rule of the hand-over and, where their doc says so, rewards and mechanism, all as
// they are. The likelihood of the mechanism takes moves of different states as independent, which weighs most where
// many flights are seen. Standard errors are those of flights and of the private policies that the likelihood was drawn
// from together: see Mean. Targets other than the mission's own lie at the positions of their cells, at the height of
// the mission's target.
//
// # Measured error rates
//
// An answer of Search is wrong where the epsilon does not meet the demand in truth. At a demand that the middle epsilon
// of a search meets exactly, 300 searches from 100 flights to 400, for six goals, were wrong in these shares, in
// percent; beside them is how often that epsilon was said not to meet the demand, for which nothing is promised:
//
//	demand                                        confidence   wrong   not met
//	geometry, bits after 60 km                       90 %       0.3      0
//	geometry, bits after 60 km                       99 %       0        0
//	moves, bits after 60 km                          90 %       0.3      0
//	moves, bits after 60 km                          99 %       0        0
//	mechanism (40 policies), bits after 60 km        90 %       0        0
//	moves, recognised within 25 km                   90 %       0.3      5.0
//	mechanism (40 policies), within 25 km            90 %       0        0
//
// The mean of what several releases leave to learn lies within two standard errors of the truth in these shares of 400
// studies of 30 goals each, in percent, where normal means do in 95.4:
//
//	observer                    one flight to a goal   four
//	moves                              94.3            94.3
//	mechanism (20 policies)            97.8            98.3
//
// The bits that flights at epsilon 1 leave lie within 1.96 standard errors of the truth in these shares of 400 studies,
// in percent, the least over the observers geometry, moves and heading after 20, 50 and 100 km:
//
//	flights    20    50   100   200   400
//	covered    72    88    90    91    92
//
// They come from go test -run '^$' -bench 'LeakSearchErrors|Coverage' -benchtime 1x -timeout 0 ./sim/leak.
package leak
