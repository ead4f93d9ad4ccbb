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
// What is seen is conditioned on the distance flown and never on the distance to the target: that would tell the
// goal by itself.
//
// # Assumptions and limitations
//
// Observers know the grid, the rule of the hand-over and, where their doc says so, rewards and mechanism, all as
// they are. The likelihood of the mechanism takes moves of different states as independent, which weighs most where many
// flights are seen. Standard errors are those of flights and of the private policies that the likelihood was
// drawn from together: see Mean. Targets other than the mission's own lie at the positions of their cells, at the
// height of the mission's target.
package leak
